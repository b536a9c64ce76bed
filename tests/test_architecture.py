"""The shape of the packages: who imports whom, what is public, and that everything is explained."""

import ast
import graphlib
import importlib
import inspect
import re
from functools import cache
from xml.etree import ElementTree

import pytest

from tests.texts import NOTEBOOKS, PAGES, ROOT, cells

#: The packages, from the ground up: each imports those before it, and none behind.
PACKAGES = ("tutlib", "course", "publishing")
#: The folders of what a reader imports, in the order in which the book describes them.
FOLDERS = (
    "tutlib.mechanics",
    "tutlib.programs",
    "tutlib.spaces",
    "tutlib.methods",
    "tutlib.models",
    "tutlib.pictures",
    "tutlib.live",
    "tutlib.verification",
    "tutlib.reading",
    "course.judge",
    "course.boxes",
    "course.desk",
)
# What computes with numbers needs no SymPy, but where expressions are read and printed.
NUMBERS = ("tutlib.programs", "tutlib.spaces", "tutlib.methods", "tutlib.pictures")
EXPRESSIONS = {
    "straightline.expressions",
    "tutlib.mechanics.linear_solution",
    "straightline.external_functions",
    "tutlib.mechanics.equation_source",
}
FILES = {
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}
CODE = {name: path for name, path in FILES.items() if not name.endswith("__init__")}
#: What is told of on the page, and explained; what publishes is for maintainers.
EXPLAINED = [name for name in CODE if name.startswith(FOLDERS)]
OUTSIDE = [
    *NOTEBOOKS,
    *PAGES,
    ROOT / "conftest.py",
    *(
        path
        for folder in ("benchmarks", "course/capstones", "course/exercises", "publishing", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ),
]
#: A module named in a text that is imported by name, which no statement shows.
NAMED = re.compile(rf"({'|'.join(PACKAGES)})(\.\w+)+")


@cache
def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path):
    """Return all nodes of a file's syntax."""
    return [*ast.walk(tree(path))]


@cache
def imports(path):
    """Return every module of the packages that a file imports, inside functions and by name too."""
    asked = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            asked |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                asked.add(whole if {whole, f"{whole}.__init__"} & {*FILES} else node.module)
        elif isinstance(node, ast.Constant) and NAMED.fullmatch(str(node.value)):
            asked.add(node.value)
    return {name if name in FILES else f"{name}.__init__" for name in asked} & {*FILES}


def folder_of(module):
    """Return the folder of a module, such as ``tutlib.methods``; ``tutlib`` of what is above."""
    return ".".join(module.split(".")[:-1][:2])


def arrows(level):
    """Return who imports whom: modules without doors, folders, or packages."""
    graph = {}
    for name, path in FILES.items():
        if level is not None or name in CODE:
            one = level(name) if level else name
            others = {level(other) if level else other for other in imports(path)}
            graph.setdefault(one, set()).update(others - {one})
    return graph


class TestMap:
    """Who imports whom, computed from the files: doors, functions and names in texts too."""

    def test_modules_import_each_other_in_one_direction(self):
        graphlib.TopologicalSorter(arrows(None)).prepare()

    def test_folders_import_each_other_in_one_direction(self):
        # what stands at the top of a package is above all of its folders
        graphlib.TopologicalSorter(arrows(folder_of)).prepare()

    def test_a_package_imports_those_below(self):
        for one, others in arrows(lambda name: name.partition(".")[0]).items():
            assert all(PACKAGES.index(other) < PACKAGES.index(one) for other in others)

    def test_what_is_below_does_not_name_what_is_above(self):
        """In a text neither, but where a command says which other command there is."""
        word = r"(course|publishing)"
        above = re.compile(rf"\b{word}(\.(?!mplstyle)[a-z_]| import\b)|-m {word}")
        for name, path in FILES.items():
            if name.startswith("tutlib.") and name != "tutlib.__main__":
                assert not above.search(path.read_text(encoding="utf-8")), name

    def test_symbols_and_numbers_meet_in_programs_only(self):
        """Nothing that mechanics needs needs spaces or methods, and nothing of these mechanics."""
        symbols, numbers = needed("tutlib.mechanics"), needed("tutlib.methods")
        assert not symbols & {"tutlib.spaces", "tutlib.methods"}
        assert not numbers & {"tutlib.mechanics", "tutlib.models"}
        assert needed("tutlib.programs") == {"tutlib.reading"}
        assert needed("tutlib.reading") == set()

    def test_few_modules_need_what_the_others_can_do_without(self):
        """So that another runtime, or none, is a matter of one file."""
        assert {m for m in using("sympy") if folder_of(m) in NUMBERS} == EXPRESSIONS
        assert using("wasmtime") == {"straightline.machine"}


def using(package):
    """Return the modules that import a package."""
    pattern = re.compile(rf"^\s*(import|from) {package}", re.MULTILINE)
    return {m for m in EXPLAINED if pattern.search(CODE[m].read_text(encoding="utf-8"))}


def needed(folder):
    """Return the folders that a folder imports, by way of others too."""
    direct = arrows(folder_of)[folder]
    return direct.union(*map(needed, direct))


class TestDoors:
    """A folder's ``__init__`` names what is public; others import it from there."""

    @pytest.mark.parametrize("folder", ["tutlib", "course", *FOLDERS])
    def test_a_folder_names_what_is_public(self, folder):
        path = FILES[f"{folder}.__init__"]
        assert ast.get_docstring(tree(path))
        package = importlib.import_module(folder)
        assert sorted(set(package.__all__)) == sorted(package.__all__)
        assert set(package.__all__) == set(origins(path))

    @pytest.mark.parametrize("folder", ["tutlib", "course", *FOLDERS])
    def test_what_is_public_is_explained(self, folder):
        package = importlib.import_module(folder)
        for name, module in origins(FILES[f"{folder}.__init__"]).items():
            value = getattr(package, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                assert ast.get_docstring(definition(module, name)), f"{module}.{name}"
            else:
                assert comment_for_the_book(module, name), f"{module}.{name} has no comment #:"

    def test_what_is_public_is_imported_from_its_folder(self):
        for path in OUTSIDE:
            for module, names in imported_from_modules(path):
                held = importlib.import_module(module)
                folder = importlib.import_module(folder_of(module))
                doors = getattr(folder, "__all__", ())
                for name in names:
                    public = name in doors and getattr(folder, name) is getattr(held, name)
                    assert not public, f"{path}: import {name} from {module}'s folder"


def origins(path):
    """Return the public names that an ``__init__`` imports, each with the module that holds it."""
    return {
        alias.asname or alias.name: node.module
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def definition(module, name):
    """Return the class or function of that name in a module."""
    kinds = (ast.ClassDef, ast.FunctionDef)
    *_, last = [n for n in tree(CODE[module]).body if isinstance(n, kinds) and n.name == name]
    return last  # behind its overloads


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
    for found in re.finditer(
        r"^ *from ((?:tutlib|course)\.\w+\.\w+) import (\([^)]*\)|.*)", text, re.M
    ):
        plain = re.sub(r"#.*| as \w+", "", found[2])
        yield found[1], re.findall(r"\w+", plain)


def test_everything_public_is_explained():
    assert [module for module in EXPLAINED if not ast.get_docstring(tree(CODE[module]))] == []
    for module, node in ((m, node) for m in EXPLAINED for node in tree(CODE[m]).body):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if "overload" in map(ast.unparse, node.decorator_list):
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
    sources = [*FILES.values(), *(ROOT / "book").glob("*.md"), *NOTEBOOKS]
    cited = {key: path for path in sources for key in citations(path.read_text(encoding="utf-8"))}
    unknown = {key: path.name for key, path in cited.items() if key not in bibliography()}
    assert not unknown
    assert bibliography() == set(cited)


class TestPages:
    """The book's pages of the packages: one that leads to the others, one for each folder."""

    def test_they_list_every_module_folder_by_folder(self):
        """A folder of the package has a page, one of the course a part of a page."""
        top = (ROOT / "book" / "tutlib.md").read_text(encoding="utf-8")
        linked = re.findall(r"^- \[`[\w.]+`\]\(([\w-]+)\.md\)", top, re.MULTILINE)
        assert linked == re.findall(
            r"file: book/(tutlib-\w+|course)$", (ROOT / "_toc.yml").read_text("utf-8"), re.MULTILINE
        )
        pages = [(ROOT / "book" / f"{name}.md").read_text(encoding="utf-8") for name in linked]
        parts = [
            part for page in pages for part in re.split(r"(?m)^(?=##? .*`\w+\.\w+`)", page)[1:]
        ]
        headings = [re.search(r"`([\w.]+)`", part)[1] for part in parts]
        assert tuple(headings) == FOLDERS
        listed = [re.findall(r"automodule:: ([\w.]+)", part) for part in parts]
        for modules, folder in zip(listed, FOLDERS):
            assert {*map(folder_of, modules)} == {folder}
        every = [module for modules in listed for module in modules]
        assert len(every) == len(set(every))
        public = {m for f in FOLDERS for m in origins(FILES[f"{f}.__init__"]).values()}
        assert public <= set(every) <= set(EXPLAINED)

    def test_their_drawing_shows_every_folder_and_only_arrows_of_the_map(self):
        drawing = ElementTree.parse(ROOT / "book" / "_static" / "tutlib.svg").getroot()
        shapes = list(drawing.iter())
        boxes = {shape.get("data-folder") for shape in shapes} - {None}
        assert boxes == {folder.removeprefix("tutlib.") for folder in FOLDERS if "tutlib" in folder}
        texts = {"".join(shape.itertext()) for shape in shapes if shape.tag.endswith("}text")}
        assert boxes <= texts
        drawn = [s.get("data-arrow").split() for s in shapes if s.get("data-arrow")]
        assert drawn
        for giver, taker in drawn:
            one, other = f"tutlib.{giver}", f"tutlib.{taker}"
            assert one in arrows(folder_of)[other] or other in arrows(folder_of)[one]
