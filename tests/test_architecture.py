"""The shape of the packages: who imports whom, what is public, and that everything is explained."""

import ast
import graphlib
import importlib
import inspect
import re
from functools import cache

import pytest

from tests.texts import NOTEBOOKS, PAGES, ROOT, cells

#: The packages, from the ground up: each imports those before it, and none behind.
PACKAGES = ("straightline", "tutlib", "panels", "verification", "course", "publishing")
#: The packages and folders with public names, in the order in which the book describes them.
FOLDERS = (
    "tutlib",
    "straightline",
    "tutlib.mechanics",
    "tutlib.spaces",
    "tutlib.methods",
    "tutlib.models",
    "tutlib.identification",
    "tutlib.plots",
    "tutlib.reading",
    "panels",
    "verification",
    "course.judge",
    "course.boxes",
    "course.desk",
    "course.figures",
)
#: Every door: the file `__init__` of a package or folder that has public names.
DOORS = ("course", *FOLDERS)
#: Imports of a door that are not public names.
MAKES_DOORS = ("typing", "straightline.doors", "tutlib.installed")
#: Where symbols and numbers meet: f(t, x), with its space.
WAIST = {"tutlib.fields", "tutlib.aliases"}
FILES = {
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}
CODE = {name: path for name, path in FILES.items() if not name.endswith("__init__")}
#: Modules that the book describes; `publishing` is for maintainers.
EXPLAINED = [name for name in CODE if name.startswith(tuple(f"{f}." for f in FOLDERS))]
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
#: A dotted module name in a string: a lazy import, which no statement shows.
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
    """Return the folder of a module, such as ``tutlib.methods``, or its package if it is in none.

    The modules at the top of ``tutlib`` lie below its folders, and its door lies above them.
    """
    package, *folders, last = module.split(".")
    if package == "tutlib" and not folders and last != "__init__":
        return module
    return ".".join([package, *folders[:1]])


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
        # the door of a package lies above all of its folders
        graphlib.TopologicalSorter(arrows(folder_of)).prepare()

    def test_a_package_imports_only_those_below(self):
        for package, others in arrows(package_of).items():
            assert all(PACKAGES.index(other) < PACKAGES.index(package) for other in others)

    @pytest.mark.parametrize("package", PACKAGES[:-1])
    def test_a_package_does_not_name_those_above(self, package):
        """Neither in code nor in text, such as an error message."""
        word = rf"({'|'.join(PACKAGES[PACKAGES.index(package) + 1 :])})"
        above = re.compile(rf"\b{word}(\.(?!mplstyle)[a-z_]| import\b)|-m {word}\b")
        for name, path in FILES.items():
            if package_of(name) == package:
                assert not above.search(path.read_text(encoding="utf-8")), name

    def test_symbols_and_numbers_meet_at_the_waist_only(self):
        """Mechanics needs no spaces and no methods, and these need no mechanics and no models."""
        symbols = {"tutlib.mechanics", "tutlib.models"}
        numbers = {"tutlib.spaces", "tutlib.methods"}
        assert not needed("tutlib.mechanics") & numbers
        assert not needed("tutlib.methods") & symbols
        assert not needed("tutlib.spaces") & symbols
        for module in WAIST:
            assert not needed(module) & symbols
        assert needed("tutlib.reading") == {"straightline"}


def package_of(module):
    """Return the package of a module."""
    return module.partition(".")[0]


def needed(folder):
    """Return the folders that a folder imports, also through others, except through the waist."""
    direct = arrows(folder_of)[folder]
    return direct.union(*map(needed, direct - WAIST))


class TestDoors:
    """The ``__init__`` of a folder names what is public; users import it from there."""

    @pytest.mark.parametrize("folder", DOORS)
    def test_a_folder_names_what_is_public(self, folder):
        path = FILES[f"{folder}.__init__"]
        assert ast.get_docstring(tree(path))
        package = importlib.import_module(folder)
        assert sorted(set(package.__all__)) == sorted(package.__all__)
        assert set(package.__all__) == set(origins(path))

    @pytest.mark.parametrize("folder", DOORS)
    def test_what_is_public_is_explained(self, folder):
        package = importlib.import_module(folder)
        for name, module in public_names(folder).items():
            value = getattr(package, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                assert ast.get_docstring(definition(module, name)), f"{module}.{name}"
            else:
                assert comment_for_the_book(module, name), f"{module}.{name} has no comment #:"

    def test_what_is_public_is_imported_from_its_folder(self):
        for path in OUTSIDE:
            for module, names in imported_from_modules(path):
                if module in DOORS:
                    continue
                held = importlib.import_module(module)
                for name in names:
                    doors = [
                        door
                        for door in DOORS
                        if name in public_names(door)
                        if getattr(importlib.import_module(door), name) is getattr(held, name)
                    ]
                    assert not doors, f"{path}: import {name} from {doors}"


def public_names(door):
    """Return the public names of a door, each with the module that holds it."""
    return origins(FILES[f"{door}.__init__"])


@cache
def origins(path):
    """Return the public names that an ``__init__`` imports, each with the module that holds it."""
    return {
        alias.asname or alias.name: node.module
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module not in MAKES_DOORS
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
    """Return module and names of each import from a module of a package, in text of any kind."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join(cell.source for cell in cells(path) if cell.cell_type == "code")
    for found in re.finditer(rf"^ *from ({NAMED.pattern}) import (\([^)]*\)|.*)", text, re.M):
        names = re.sub(r"#.*| as \w+", "", found[4])
        yield found[1], re.findall(r"\w+", names)


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
    """The pages of the packages in the book: an overview, and a page for each folder."""

    def test_they_list_every_module_folder_by_folder(self):
        """A folder of `tutlib` has a page; a folder of `course` has a part of a page."""
        overview = (ROOT / "book" / "tutlib.md").read_text(encoding="utf-8")
        linked = re.findall(r"^- \[`[\w.]+`\]\(([\w-]+)\.md\)", overview, re.MULTILINE)
        contents = (ROOT / "_toc.yml").read_text("utf-8")
        page = r"file: book/(tutlib-\w+|straightline|panels|verification|course)$"
        assert linked == re.findall(page, contents, re.MULTILINE)
        pages = [(ROOT / "book" / f"{name}.md").read_text("utf-8") for name in ("tutlib", *linked)]
        heading = rf"##? .*`({'|'.join(map(re.escape, sorted(FOLDERS, reverse=True)))})`"
        parts = [part for text in pages for part in re.split(rf"(?m)^(?={heading})", text)]
        parts = [part for part in parts if re.match(heading, part)]
        headings = [re.match(heading, part)[1] for part in parts]
        assert tuple(headings) == FOLDERS
        listed = [re.findall(r"automodule:: ([\w.]+)", part) for part in parts]
        for modules, folder in zip(listed, FOLDERS):
            assert all(part_of_book(module) == folder for module in modules), folder
        every = [module for modules in listed for module in modules]
        assert len(every) == len(set(every))
        public = {m for f in FOLDERS for m in public_names(f).values()}
        assert public <= set(every) <= set(EXPLAINED)


def part_of_book(module):
    """Return the folder under whose heading the book describes a module."""
    return folder_of(module) if folder_of(module) in FOLDERS else package_of(module)
