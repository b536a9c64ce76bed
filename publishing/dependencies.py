"""Import closure of code, computed from the files: what an execution can depend on.

Nothing is imported. Imports inside functions count, and so do modules that a string names, as in
``import_module("course.capstones")``. A name behind a lazy door (`straightline.doors`) leads to the
module that defines it, and to no other module behind that door. A module brings the data files of
its folder, and a script the files that it imports. An exercise that a string names, such as
``"pendulum-3"``, brings the module of its chapter.
"""

from __future__ import annotations

import ast
import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

PACKAGES = ("straightline", "tutlib", "panels", "verification", "course", "publishing")
DATA = (".js", ".css", ".html", ".json", ".mplstyle", ".gz", ".txt")
EXERCISES = "course/exercises"
_SCRIPT_IMPORT = re.compile(r'\bfrom "(\.[^"]+)"')
_TYPES_ONLY = ast.dump(ast.parse("TYPE_CHECKING", mode="eval").body)
_EXERCISE = re.compile(r"([a-z-]+)-\d+")


class Dependencies:
    """Files of the project, by their paths in its folder, and which files each of them needs.

    Parameters
    ----------
    root : Path
        The folder of the project.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._needed: dict[str, set[str]] = {}
        self._digests: dict[str, bytes] = {}

    @cached_property
    def files(self) -> frozenset[str]:
        """Modules and data files of the packages."""
        paths = (path for package in PACKAGES for path in (self.root / package).rglob("*"))
        kinds = (".py", *DATA)
        return frozenset(p.relative_to(self.root).as_posix() for p in paths if p.suffix in kinds)

    @cached_property
    def _data(self) -> dict[str, set[str]]:
        """Data files, by folder; those of a folder without modules belong to the folder above."""
        folders: dict[str, set[str]] = {}
        with_modules = {posixpath.dirname(file) for file in self.files if file.endswith(".py")}
        for file in self.files:
            if not file.endswith(".py"):
                folder = posixpath.dirname(file)
                if folder not in with_modules:
                    folder = posixpath.dirname(folder)
                folders.setdefault(folder, set()).add(file)
        return folders

    @cached_property
    def _doors(self) -> dict[str, dict[str, str]]:
        """Lazy doors by package: the module of each name that is imported on its first use."""
        doors = {}
        for file in self.files:
            package, _, name = file.rpartition("/")
            for node in ast.parse(self._text(file)).body if name == "__init__.py" else ():
                if isinstance(node, ast.Assign) and _is_door(node.value):
                    doors[package.replace("/", ".")] = ast.literal_eval(node.value.args[1])
        return doors

    def of(self, code: Iterable[str], files: Iterable[str] = ()) -> list[str]:
        """Return the files that code can depend on, with those that further files need."""
        waiting, found = [*files], set[str]()
        for text in code:
            waiting += self._named_in(text)
        while waiting:
            file = waiting.pop()
            if file not in found:
                found.add(file)
                waiting += self._needed_by(file)
        return sorted(found)

    def digest(self, files: Iterable[str]) -> bytes:
        """Return a digest of names and contents of files."""
        whole = hashlib.sha256()
        for file in files:
            if file not in self._digests:
                content = (self.root / file).read_bytes()
                self._digests[file] = hashlib.sha256(content).digest()
            whole.update(file.encode() + b"\n" + self._digests[file])
        return whole.digest()

    def _text(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    def _needed_by(self, file: str) -> set[str]:
        if file not in self._needed:
            needed, folder = set[str](), posixpath.dirname(file)
            if file.endswith(".py"):
                needed = self._named_in(self._text(file)) | self._data.get(folder, set())
            elif file.endswith(".js"):
                named = _SCRIPT_IMPORT.findall(self._text(file))
                paths = (posixpath.normpath(posixpath.join(folder, path)) for path in named)
                needed = {*paths} & self.files
            self._needed[file] = needed
        return self._needed[file]

    def _named_in(self, code: str) -> set[str]:
        """Return the files that code imports or names; all files if Python cannot read it."""
        try:
            tree = ast.parse(code)
        except SyntaxError:
            return {*self.files}
        found: set[str] = set()
        for node in _executed(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    bound = alias.name if alias.asname else alias.name.partition(".")[0]
                    found |= self._module(alias.name) | self._behind(bound)
            elif isinstance(node, ast.ImportFrom):
                if node.module is None or node.level:
                    return {*self.files}  # relative to something that is not known here
                for alias in node.names:
                    found |= self._imported(node.module, alias.name)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= self._in_string(node.value)
        return found

    def _module(self, name: str) -> set[str]:
        """Return the files that run when a module is imported: of its packages, and its own."""
        found, path = set[str](), ""
        for part in name.split("."):
            path += part
            found |= {f"{path}.py", f"{path}/__init__.py"} & self.files
            path += "/"
        return found

    def _imported(self, module: str, name: str) -> set[str]:
        """Return the files that run for ``from module import name``."""
        door, inner = self._doors.get(module, {}), f"{module}.{name}"
        if name in door:
            return self._module(module) | self._module(door[name])
        whole = self._module(inner) | self._behind(inner)
        if name == "*":
            whole |= self._behind(module)
        if inner == "course.exercises.every_exercise":
            whole |= {file for file in self.files if file.startswith(f"{EXERCISES}/")}
        return whole

    def _behind(self, package: str) -> set[str]:
        """Return all files behind the door of a package that is at hand as a whole."""
        homes = self._doors.get(package, {}).values()
        return {file for home in homes for file in self._module(home)}

    def _in_string(self, text: str) -> set[str]:
        if text in self.files:
            return {text}
        if exercise := _EXERCISE.fullmatch(text):
            return {f"{EXERCISES}/{exercise[1].replace('-', '_')}.py"} & self.files
        package, dot, _ = text.partition(".")
        return self._module(text) | self._behind(text) if dot and package in PACKAGES else set()


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of code, but for those of doors and of imports for type checkers alone."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.dump(node.test) == _TYPES_ONLY:
            waiting += node.orelse
        elif not _is_door(node):
            yield node
            waiting += ast.iter_child_nodes(node)


def _is_door(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "lazy"
