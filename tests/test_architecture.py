"""The shape of tutlib: who may import whom, how large it is, and that everything is explained."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "tutlib"
MODULES = {
    path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", "."): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__init__.py"
}

# The map: module -> what it may import. The symbolic half and the geometric half meet in one
# place only, at f(t, x), which right_hand_side holds.
SYMBOLIC = {
    "parameters": set(),
    "codegen": set(),
    "derivations": set(),
    "equations": {"parameters", "codegen", "derivations", "right_hand_side"},
    "models.model": {"equations", "parameters", "right_hand_side"},
    "models.pendulum": {"equations", "models.model", "right_hand_side"},
    "models.chain": {"equations", "models.model"},
    "models.chain_recursion": {"codegen", "models.chain", "parameters", "right_hand_side"},
    "models.double_pendulum": {"models.chain", "models.model"},
    "models.four_bar": {"equations", "models.model"},
    "models.rolling_disc": {"equations", "models.model"},
    "assembly": {"right_hand_side"},
    "constraints": {
        "assembly", "codegen", "dae", "derivations", "equations", "parameters", "projection",
        "right_hand_side",
    },
}  # fmt: skip
SYMBOLIC["linearization"] = {
    "codegen", "constraints", "equations", "parameters", "right_hand_side",
}  # fmt: skip
WAIST = {
    "linear_solve": set(),
    "kernels": set(),
    "right_hand_side": {"kernels", "linear_solve"},
    "projection": {"kernels", "linear_solve", "right_hand_side"},
    "dae": {"checks", "right_hand_side", "trajectory"},
}
GEOMETRIC = {
    "tableaus": {"right_hand_side"},
    "stability": {"tableaus"},
    "coefficients": set(),
    "tracing": set(),
    "jets": set(),
    "lie": {"coefficients", "right_hand_side", "tracing"},
    "spaces": {"lie", "right_hand_side"},
    "vector_field": {"right_hand_side", "spaces", "tracing"},
    "commutator_free": {"right_hand_side", "tableaus"},
    "trajectory": {"right_hand_side"},
    "checks": {"right_hand_side", "spaces"},
    "compiled": {"linear_solve"},
    "compiled_spaces": {"compiled"},
    "partitioned": {"checks", "right_hand_side", "trajectory"},
    "integrate": {
        "checks", "commutator_free", "compiled", "compiled_spaces", "partitioned", "projection",
        "right_hand_side", "spaces", "tableaus", "trajectory", "vector_field",
    },
    "adaptive": {
        "checks", "compiled_adaptive", "integrate", "right_hand_side", "spaces", "tableaus",
        "trajectory",
    },
    "compiled_adaptive": {"compiled"},
    "lanes": {"compiled"},
    "trigonometry": set(),
    "ensemble": {"checks", "integrate", "kernels", "lanes", "right_hand_side", "tableaus"},
    "convergence": {"integrate", "right_hand_side", "spaces"},
    "models.spatial": {"lie", "right_hand_side", "spaces", "vector_field"},
    "models.quadrotors": {
        "jets", "lie", "models.spatial", "right_hand_side", "spaces", "vector_field",
    },
}  # fmt: skip
PICTURES = {
    "plotting": {"right_hand_side", "trajectory"},
    "frames": {"right_hand_side"},
    "stage_picture": {"adaptive", "plotting", "right_hand_side", "tableaus"},
    "chart": set(),
    "animation": {"frames", "plotting", "right_hand_side", "trajectory"},
}
# A live simulation needs both: the equations as symbols, the methods as data.
LIVE = {
    "specification": {
        "chart", "codegen", "frames", "integrate", "models.model", "parameters", "right_hand_side",
        "tableaus",
    },
    "live": {
        "chart", "checks", "codegen", "frames", "integrate", "models.model", "specification",
        "tableaus", "widget",
    },
    "widget": set(),
    "live_space": {
        "checks", "coefficients", "frames", "integrate", "models.spatial", "tracing",
    },
}  # fmt: skip
# Answers are compared by their symbols' values; the exercises themselves are data, in a package of
# their own that tutlib finds by name.
EXERCISES = {
    "equivalence": set(),
    "answers": {"equivalence"},
    "symbolic_answers": {"answers", "codegen", "equivalence"},
    "exercises": {"equivalence"},
    "comparison": {"live", "models.model", "specification", "symbolic_answers", "widget"},
}
COMMANDS = {"copies": set(), "doctor": set(), "__main__": {"copies", "doctor"}}
MAP = SYMBOLIC | WAIST | GEOMETRIC | PICTURES | LIVE | EXERCISES | COMMANDS


def imports(path):
    """Return every module of tutlib that a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} has a relative import"
            base = node.module
            names = {f"{base}.{alias.name}" for alias in node.names} | {base}
        elif isinstance(node, ast.Import):
            names = {alias.name for alias in node.names}
        else:
            continue
        found |= {name.removeprefix("tutlib.") for name in names if name.startswith("tutlib.")}
    return found & set(MAP)


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


def test_the_map_holds_every_module():
    assert set(MODULES) == set(MAP)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_what_the_map_allows(module):
    assert imports(MODULES[module]) == MAP[module]


def test_the_halves_never_meet_but_at_the_waist():
    for one, other in [(SYMBOLIC, GEOMETRIC), (GEOMETRIC, SYMBOLIC)]:
        for module in one:
            assert not imports(MODULES[module]) & set(other), module


@pytest.mark.parametrize("module", [*GEOMETRIC, *WAIST, *PICTURES])
def test_what_computes_with_numbers_needs_no_sympy(module):
    assert not re.search(r"^\s*(import|from) sympy", MODULES[module].read_text(), re.MULTILINE)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_small(module):
    assert code_lines(MODULES[module]) <= 250


def test_the_package_is_small():
    """What computes, draws and moves; and apart from it, what checks answers and helps students."""
    lines = {module: code_lines(path) for module, path in MODULES.items()}
    beside = set(EXERCISES) | set(COMMANDS)
    assert sum(lines[module] for module in beside) < 800
    assert sum(lines[module] for module in set(lines) - beside) < 5100


def documented_functions(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node


@pytest.mark.parametrize("module", MODULES)
def test_functions_fit_on_a_screen(module):
    for node in documented_functions(MODULES[module]):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            assert length <= 30, f"{module}.{node.name} has {length} lines"


@pytest.mark.parametrize("module", MODULES)
def test_everything_public_is_explained(module):
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    assert len(ast.get_docstring(tree).splitlines()) >= 1
    for node in tree.body:
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
    sources = [*PACKAGE.rglob("*.py"), *(ROOT / "book").glob("*.md")]
    sources += (ROOT / "notebooks").glob("*.ipynb")
    cited = {key: path for path in sources for key in citations(path.read_text(encoding="utf-8"))}
    unknown = {key: path.name for key, path in cited.items() if key not in bibliography()}
    assert not unknown
    assert bibliography() == set(cited)


def test_the_page_of_the_package_lists_every_module():
    page = (ROOT / "book" / "tutlib.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"automodule:: tutlib\.([\w.]+)", page))
    assert listed == set(MODULES) - {
        "checks",
        "compiled",
        "compiled_adaptive",
        "compiled_spaces",
        "specification",
        "frames",
        "kernels",
        "lanes",
        "trigonometry",
        "__main__",
    }
