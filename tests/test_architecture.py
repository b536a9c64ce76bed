"""The shape of tutlib: who may import whom, how large it is, and that everything is explained."""

import ast
import graphlib
import importlib
import inspect
import io
import re
import tokenize
from functools import cache
from xml.etree import ElementTree

import pytest

from tests.texts import NOTEBOOKS, PAGES, ROOT, cells

PACKAGE = ROOT / "tutlib"

# The map: folder -> folders that it may import, in the order in which the book describes them.
# Symbols and numbers meet in programs only: at f(t, x).
FOLDERS = {
    "mechanics": "programs",
    "programs": "",
    "spaces": "programs",
    "methods": "programs spaces",
    "models": "mechanics programs spaces",
    "pictures": "methods programs spaces",
    "page": "exercises mechanics methods models pictures programs spaces",
    "exercises": "mechanics methods models pictures programs",
    "verification": "exercises mechanics methods models pictures programs spaces",
    "commands": "exercises page programs",
}
# What stands above all folders: the names at the top, and ``python -m tutlib``.
ABOVE = {
    "__init__": "commands exercises mechanics methods page pictures programs verification",
    "__main__": "commands",
}
# Within a folder: module -> modules of the same folder that it may import.
MODULES = {
    "mechanics": {
        "parameters": "",
        "derivatives": "",
        "derivations": "derivatives",
        "turning": "",
        "reading": "parameters derivations",
        "masses": "",
        "equations": "parameters reading masses derivations turning from_sympy",
        "from_sympy": "derivations turning",
        "assembly": "",
        "independent": "derivations",
        "constraints": "parameters reading derivations equations from_sympy assembly independent",
        "points": "parameters reading derivations derivatives equations constraints",
        "linearization": "parameters reading derivations points equations constraints",
        "equilibrium": "parameters reading derivations points constraints",
    },
    "programs": {
        "floats": "",
        "files": "",
        "assignments": "arguments functions",
        "operations": "floats assignments",
        "angles": "assignments operations",
        "inverse_angles": "assignments operations",
        "powers": "assignments operations",
        "hyperbolic": "assignments operations powers",
        "functions": "assignments operations angles inverse_angles powers hyperbolic",
        "elimination": "assignments operations routines machine",
        "linear_algebra": "assignments operations elimination",
        "linear_solution": "linear_algebra",
        "names": "arguments",
        "progress": "",
        "expressions": "assignments functions linear_algebra",
        "outside": "assignments",
        "environment": "",
        "arguments": "",
        "instead": "arguments assignments functions linear_algebra",
        "follow": "arguments assignments environment instead",
        "compiled": "arguments environment follow instead",
        "passes": "assignments functions",
        "routines": "assignments",
        "readable": "arguments names expressions",
        "lowering": "assignments passes routines",
        "python_text": "assignments passes routines lowering",
        "webassembly": "",
        "instructions": "routines lowering webassembly values",
        "browser": "",
        "machine": "floats routines lowering python_text instructions browser",
        "evaluation": "arguments instead routines machine",
        "dependence": "",
        "right_hand_side": "arguments dependence expressions instead readable evaluation",
        "implicit": "right_hand_side",
        "projection": "arguments linear_algebra expressions evaluation right_hand_side",
        "followed": "assignments follow compiled passes arguments",
        "sharing": "assignments functions passes routines",
        "values": "assignments passes routines lowering webassembly",
    },
    "spaces": {
        "coefficients": "",
        "lie": "coefficients",
        "space": "lie",
        "vector_field": "space",
        "jets": "",
    },
    "methods": {
        "trees": "",
        "tableaus": "trees",
        "stability": "tableaus",
        "commutator_free": "tableaus",
        "trajectory": "",
        "unrolled": "",
        "rates": "",
        "checks": "trajectory rates",
        "steps": "tableaus commutator_free checks rates unrolled",
        "loops": "",
        "comparison": "loops rates trajectory",
        "partitioned": "trajectory checks rates",
        "integration": (
            "tableaus commutator_free trajectory checks rates unrolled steps loops comparison "
            "partitioned"
        ),
        "events": "",
        "adaptive_step": "tableaus steps unrolled",
        "adaptive_loop": "checks tableaus rates loops unrolled adaptive_step",
        "adaptive": (
            "tableaus trajectory checks steps loops comparison integration events adaptive_step "
            "adaptive_loop"
        ),
        "dae": "trajectory checks",
        "ensemble_loop": "loops",
        "ensemble_work": "loops ensemble_loop",
        "ensemble_written": "rates steps ensemble_work",
        "ensemble_store": "ensemble_work",
        "ensemble_checks": "",
        "ensemble_question": (
            "checks steps loops comparison trajectory ensemble_loop ensemble_work "
            "ensemble_written ensemble_checks"
        ),
        "ensemble_parts": (
            "ensemble_loop ensemble_work ensemble_written ensemble_store ensemble_question"
        ),
        "ensemble": (
            "steps trajectory ensemble_work ensemble_store ensemble_question ensemble_parts"
        ),
        "convergence": "checks steps integration",
    },
    "models": {
        "skeleton": "",
        "calls": "",
        "meanings": "",
        "bodies": "",
        "model": "bodies skeleton calls meanings",
        "pendulum": "bodies model skeleton calls",
        "chain": "bodies model skeleton calls meanings",
        "chain_recursion": "chain",
        "double_pendulum": "model skeleton chain calls meanings",
        "four_bar": "bodies model skeleton calls",
        "rolling_disc": "bodies model skeleton calls",
        "bicycle": "bodies model skeleton calls",
        "crane": "bodies model skeleton calls",
        "lines": "",
        "spatial": "calls lines meanings",
        "quadrotors": "calls lines spatial",
        "rotors": "quadrotors",
        "uncertain": "quadrotors",
        "disc_in_space": "calls lines rolling_disc spatial",
    },
    "pictures": {
        "plotting": "frames inline",
        "inline": "look",
        "table": "",
        "stage_picture": "plotting",
        "look": "",
        "svg": "look",
        "diagram": "look svg",
        "arrows": "look svg",
        "lettering": "svg",
        "placement": "",
        "marks": "look svg arrows lettering placement",
        "pose": "",
        "telling": "lettering pose",
        "layout": "look svg frames arrows lettering placement marks pose",
        "sketch": "diagram arrows lettering pose telling layout",
        "sketch_in_space": "arrows diagram frames lettering marks placement sketch space svg",
        "tree_picture": "diagram svg",
        "frames": "look svg",
        "packing": "",
        "interpolation": "",
        "goals": "",
        "space": "look svg arrows lettering",
        "animation": "plotting frames packing interpolation goals space",
        "chart": "frames",
    },
    "page": {
        "arguments": "",
        "maps": "places",
        "specification": (
            "arguments motion in_the_plane places outputs compared controls maps zooms"
        ),
        "zooms": "packing",
        "controls": "arguments places",
        "places": "arguments",
        "outputs": "arguments in_the_plane",
        "compared": "arguments places outputs",
        "printed": "",
        "sources": "",
        "written": "arguments printed sources",
        "copied": "arguments written",
        "widget": "",
        "explore": "explored",
        "explored": "",
        "live": "arguments controls specification widget motion packing copied",
        "live_space": "arguments controls motion packing copied compared places",
        "comparison": "in_the_plane widget live",
        "motion": "handles",
        "handles": "",
        "in_the_plane": "motion handles",
        "packing": "",
        "bundle": "",
        "answer_motions": "comparison packing",
        "motions_apart": "comparison",
        "answer_boxes": "bundle answer_motions",
    },
    "exercises": {
        "sentences": "",
        "equivalence": "sentences",
        "rehearsal": "equivalence",
        "stages": "sentences",
        "units": "equivalence sentences",
        "digits": "",
        "answers": "digits equivalence sentences stages",
        "differences": "answers equivalence sentences stages units",
        "functions": "equivalence rehearsal answers stages",
        "symbolic_answers": "equivalence answers sentences stages units differences",
        "equations": "equivalence answers symbolic_answers differences",
        "probes": "",
        "mechanisms": "answers probes",
        "machine_reading": "answers equivalence mechanisms rehearsal sentences symbolic_answers",
        "machine_trials": "answers mechanisms probes",
        "machine_pictures": "answers machine_trials",
        "machines": (
            "answers equivalence machine_pictures machine_reading machine_trials mechanisms probes"
        ),
        "log": "",
        "exercise": "equivalence log rehearsal sentences stages",
        "review": "answers equivalence exercise functions symbolic_answers",
        "prompts": "equivalence exercise symbolic_answers",
        "capstones": "answers exercise",
        "published": "equivalence answers symbolic_answers equations exercise units",
    },
    "verification": {
        "numbers": "",
        "record": "",
        "subject": "numbers",
        "telling": "record subject",
        "dimensions": "record subject telling",
        "matrices": "record subject telling",
        "motions": "numbers record subject telling",
        "forcing": "numbers record subject telling",
        "bodies": "forcing numbers record subject telling",
        "loops": "motions numbers record subject telling",
        "symmetries": "bodies numbers record subject telling",
        "limits": "record subject telling",
        "joints": "bodies numbers subject telling",
        "peer": "bodies joints numbers record subject telling",
        "small": "motions record subject telling",
        "ladder": (
            "bodies dimensions forcing limits loops matrices motions peer record small subject "
            "symmetries"
        ),
        "museum": "",
        "exhibition": "museum",
        "found": "ladder",
    },
    "commands": {
        "files": "",
        "installed": "",
        "copies": "files",
        "chapters": "copies files",
        "doctor": "installed",
        "review": "copies files",
        "log": "copies files",
        "answers": "files log",
        "verifying": "files",
        "starting": "copies files",
        "reporting": "copies files verifying",
    },
}
# The arrow that turns back: an unknown number answers sin by the formulas that are made of such.
TURNS_BACK = ("assignments", "functions")
# What a reader never calls is not on the page of the package.
NOT_ON_THE_PAGE = {
    "exercises.differences",
    "exercises.machine_pictures",
    "exercises.machine_reading",
    "exercises.machine_trials",
    "exercises.mechanisms",
    "exercises.probes",
    "exercises.units",
    "methods.checks",
    "models.calls",
    "models.meanings",
    "page.arguments",
    "page.bundle",
    "page.compared",
    "page.controls",
    "page.copied",
    "page.printed",
    "page.sources",
    "page.written",
    "page.in_the_plane",
    "page.outputs",
    "page.maps",
    "page.packing",
    "page.places",
    "page.specification",
    "page.zooms",
    "pictures.frames",
    "pictures.goals",
    "pictures.interpolation",
    "pictures.packing",
    "pictures.svg",
    "pictures.arrows",
    "pictures.layout",
    "pictures.lettering",
    "pictures.marks",
    "pictures.placement",
    "pictures.pose",
    "pictures.telling",
    "pictures.space",
    "programs.arguments",
    "programs.files",
    "programs.floats",
    "programs.functions",
    "programs.lowering",
    "programs.passes",
    "programs.progress",
    "verification.joints",
    "verification.numbers",
    "verification.subject",
    "verification.telling",
}
# What computes with numbers needs no SymPy, but where expressions are read and printed.
NUMBERS = ("programs", "spaces", "methods", "pictures")
EXPRESSIONS = {
    "programs.expressions",
    "programs.linear_solution",
    "programs.outside",
    "programs.names",
    "programs.projection",
    "programs.readable",
}

FILES = {
    path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", "."): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
CODE = {name: path for name, path in FILES.items() if not name.endswith("__init__")}
OUTSIDE = [
    *NOTEBOOKS,
    *PAGES,
    ROOT / "conftest.py",
    *(
        path
        for folder in ("benchmarks", "course_capstones", "course_exercises", "tests", "tools")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ),
]


@cache
def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path):
    """Return every module of tutlib that a file imports, inside functions too."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            asked = {alias.name: "" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            asked = {f"{node.module}.{alias.name}": node.module for alias in node.names}
        else:
            continue
        for name, base in asked.items():
            if (name + ".").startswith("tutlib."):
                held = [n for n in (name, base) if n.removeprefix("tutlib.") in CODE]
                assert held, f"{path} imports {name}, and not from the module that holds it"
                found.add(held[0].removeprefix("tutlib."))
    return found


def folder_of(module):
    return module.partition(".")[0]


def row(name, found):
    return f'"{name}": "{" ".join(sorted(found))}",'


def code_lines(path):
    """Count the lines that hold code: no docstrings, comments or blank lines."""
    text = path.read_text(encoding="utf-8")
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, documented) and ast.get_docstring(node) is not None
        for line in range(node.body[0].lineno, node.body[0].end_lineno + 1)
    }
    nothing = {
        tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
        tokenize.ENDMARKER, tokenize.ENCODING,
    }  # fmt: skip
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in nothing:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


class TestMap:
    def test_it_holds_every_folder_and_every_module(self):
        modules = {f"{folder}.{name}" for folder, table in MODULES.items() for name in table}
        assert set(FOLDERS) == set(MODULES)
        assert modules | set(ABOVE) - {"__init__"} == set(CODE)

    @pytest.mark.parametrize("folder", [*FOLDERS, *ABOVE])
    def test_a_folder_imports_what_the_map_allows(self, folder):
        files = [path for name, path in FILES.items() if folder_of(name) == folder]
        found = {folder_of(module) for path in files for module in imports(path)} - {folder}
        assert row(folder, found) == row(folder, (FOLDERS | ABOVE)[folder].split())

    @pytest.mark.parametrize("module", sorted(set(CODE) - set(ABOVE)))
    def test_a_module_imports_what_the_map_allows(self, module):
        folder, _, name = module.partition(".")
        inside = {other for other in imports(CODE[module]) if folder_of(other) == folder}
        found = {other.partition(".")[2] for other in inside}
        assert row(name, found) == row(name, MODULES[folder][name].split())

    def test_arrows_go_one_way(self):
        for table in [FOLDERS, *MODULES.values()]:
            graph = {name: set(allowed.split()) for name, allowed in table.items()}
            if TURNS_BACK[0] in graph:
                graph[TURNS_BACK[0]].remove(TURNS_BACK[1])
            assert set(graphlib.TopologicalSorter(graph).static_order()) == set(table)

    def test_symbols_and_numbers_meet_in_programs_only(self):
        """Nothing that mechanics needs needs spaces or methods, and nothing of these mechanics."""
        assert not needed("mechanics") & {"spaces", "methods"}
        assert not (needed("spaces") | needed("methods")) & {"mechanics", "models"}
        assert needed("programs") == set()

    @pytest.mark.parametrize("module", [m for m in CODE if folder_of(m) in NUMBERS])
    def test_what_computes_with_numbers_needs_no_sympy(self, module):
        text = CODE[module].read_text(encoding="utf-8")
        uses = bool(re.search(r"^\s*(import|from) sympy", text, re.MULTILINE))
        assert uses == (module in EXPRESSIONS)

    def test_one_module_calls_the_runtime(self):
        """So that another runtime, or none, is a matter of one file."""
        runtime = re.compile(r"^\s*(import|from) wasmtime", re.MULTILINE)
        found = [m for m in CODE if runtime.search(CODE[m].read_text(encoding="utf-8"))]
        assert found == ["programs.machine"]


def needed(folder):
    """Return the folders that a folder imports, by way of others too."""
    direct = set(FOLDERS[folder].split())
    return direct.union(*map(needed, direct))


class TestDoors:
    """A folder's ``__init__`` names what is public; others import it from there."""

    @pytest.mark.parametrize("folder", ["", *FOLDERS])
    def test_a_folder_names_what_is_public(self, folder):
        path = PACKAGE / folder / "__init__.py"
        assert ast.get_docstring(tree(path))
        package = importlib.import_module(f"tutlib.{folder}".strip("."))
        assert sorted(set(package.__all__)) == sorted(package.__all__)
        assert set(package.__all__) == set(origins(path))

    @pytest.mark.parametrize("folder", ["", *FOLDERS])
    def test_what_is_public_is_explained(self, folder):
        package = importlib.import_module(f"tutlib.{folder}".strip("."))
        for name, module in origins(PACKAGE / folder / "__init__.py").items():
            value = getattr(package, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                assert ast.get_docstring(definition(module, name)), f"{module}.{name}"
            else:
                assert comment_for_the_book(module, name), f"{module}.{name} has no comment #:"

    @pytest.mark.parametrize("path", OUTSIDE, ids=lambda p: p.relative_to(ROOT).as_posix())
    def test_what_is_public_is_imported_from_its_folder(self, path):
        for module, names in imported_from_modules(path):
            held = importlib.import_module(f"tutlib.{module}")
            folder = importlib.import_module(f"tutlib.{folder_of(module)}")
            for name in names:
                public = name in folder.__all__ and getattr(folder, name) is getattr(held, name)
                assert not public, f"{name} is imported from tutlib.{module}, not from its folder"


def origins(path):
    """Return the public names that an ``__init__`` imports, each with the module that holds it."""
    return {
        alias.asname or alias.name: node.module.removeprefix("tutlib.")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def definition(module, name):
    """Return the class or function of that name in a module."""
    kinds = (ast.ClassDef, ast.FunctionDef)
    (found,) = [n for n in tree(CODE[module]).body if isinstance(n, kinds) and n.name == name]
    return found


def comment_for_the_book(module, name):
    """Tell whether a constant has the comment that Sphinx prints: ``#:``, above or behind it."""
    assignment = rf"{name}(: [^=\n]+)? = "
    text = CODE[module].read_text(encoding="utf-8")
    return re.search(rf"^#: .*\n(#: .*\n)*{assignment}|^{assignment}.*  #: ", text, re.MULTILINE)


def imported_from_modules(path):
    """Return module and names of each import from a module of tutlib, in text of any kind."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join(cell.source for cell in cells(path) if cell.cell_type == "code")
    for found in re.finditer(r"^ *from tutlib\.(\w+\.\w+) import (\([^)]*\)|.*)", text, re.M):
        plain = re.sub(r"#.*| as \w+", "", found[2])
        yield found[1], re.findall(r"\w+", plain)


class TestSize:
    @pytest.mark.parametrize("module", FILES)
    def test_a_module_is_small(self, module):
        assert code_lines(FILES[module]) <= 250

    def test_the_package_is_small(self):
        """What computes; what draws and moves; and what checks answers, or exercises, and helps."""
        lines = {module: code_lines(path) for module, path in CODE.items()}

        def together(*folders):
            return sum(count for module, count in lines.items() if folder_of(module) in folders)

        # files as other programs write them, folders that were moved, programs that do not end,
        # how a copy ended, and for how long it may compute
        assert together("exercises", "commands", "__main__") < 4050
        assert together("pictures", "page") < 4900
        assert together("verification") < 2100
        # what is called as written has loops of its own, and so have many unknowns
        assert sum(lines.values()) < 22100

    @pytest.mark.parametrize("module", CODE)
    def test_functions_fit_on_a_screen(self, module):
        for node in ast.walk(tree(CODE[module])):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                assert length <= 30, f"{module}.{node.name} has {length} lines"


@pytest.mark.parametrize("module", CODE)
def test_everything_public_is_explained(module):
    assert ast.get_docstring(tree(CODE[module]))
    for node in tree(CODE[module]).body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        text = ast.get_docstring(node)
        assert text, f"{module}.{node.name} has no docstring"
        raises = [n for n in ast.walk(node) if isinstance(n, ast.Raise) and n.exc is not None]
        if raises and isinstance(node, ast.FunctionDef):
            short = len(text.splitlines()) == 1 and text.startswith("Refuse")
            told = "Raises\n" in text or "refuse" in text or short
            assert told, f"{module}.{node.name} raises, and does not say so"


def bibliography():
    text = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
    return set(re.findall(r"^@\w+\{([^,\s]+),", text, re.MULTILINE))


def citations(text):
    keys = re.findall(r"(?::cite(?::\w+)?:|\{cite(?::\w+)?\})`([^`]+)`", text)
    return {key.strip() for group in keys for key in group.split(",")}


def test_every_citation_is_in_the_bibliography_and_every_entry_is_cited():
    sources = [*PACKAGE.rglob("*.py"), *(ROOT / "book").glob("*.md"), *NOTEBOOKS]
    cited = {key: path for path in sources for key in citations(path.read_text(encoding="utf-8"))}
    unknown = {key: path.name for key, path in cited.items() if key not in bibliography()}
    assert not unknown
    assert bibliography() == set(cited)


class TestPage:
    """The book's page of the package."""

    def test_it_lists_every_module_folder_by_folder(self):
        page = (ROOT / "book" / "tutlib.md").read_text(encoding="utf-8")
        listed = re.findall(r"automodule:: tutlib\.([\w.]+)", page)
        assert len(listed) == len(set(listed))
        assert set(listed) == set(CODE) - NOT_ON_THE_PAGE - set(ABOVE)
        assert not NOT_ON_THE_PAGE - set(CODE)
        assert list(dict.fromkeys(map(folder_of, listed))) == list(FOLDERS)
        headings = re.findall(r"^## .*`(\w+)`", page, re.MULTILINE)
        assert headings == list(FOLDERS)
        for part, folder in zip(page.split("\n## ")[1:], FOLDERS):
            assert {folder_of(m) for m in listed if f"tutlib.{m}\n" in part} == {folder}

    def test_its_drawing_shows_every_folder_and_only_arrows_of_the_map(self):
        drawing = ElementTree.parse(ROOT / "book" / "_static" / "tutlib.svg").getroot()
        shapes = list(drawing.iter())
        boxes = [shape.get("data-folder") for shape in shapes if shape.get("data-folder")]
        assert sorted(boxes) == sorted(FOLDERS)
        texts = {"".join(shape.itertext()) for shape in shapes if shape.tag.endswith("}text")}
        assert set(FOLDERS) <= texts
        arrows = [s.get("data-arrow").split() for s in shapes if s.get("data-arrow")]
        assert arrows
        for giver, taker in arrows:
            assert giver in FOLDERS[taker].split() or taker in FOLDERS[giver].split()
