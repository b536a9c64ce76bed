"""JavaScript modules bundled into one script, each in its own scope, in order of imports.

A page that is opened from a disk cannot load modules, and a frame must contain all that it needs.
"""

from __future__ import annotations

import json
import posixpath
import re
from importlib import resources

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.[^"]*/(\w+)\.js)";\n', re.MULTILINE)
_JSON = re.compile(r'^import (\w+) from "(\.[^"]*\.json)" with \{ type: "json" \};\n', re.MULTILINE)
_NAMED = re.compile(r"^export ((?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_LISTED = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)
_COMMENT_OR_INDENT = re.compile(r"^[ \t]*//.*\n|^[ \t]+", re.MULTILINE)


def resource(name: str) -> str:
    """Return the text of a file in a package, such as ``panels/drawing/drawing.js``."""
    package, _, file = name.partition("/")
    return (resources.files(package) / file).read_text(encoding="utf-8")


def script(*names: str) -> str:
    """Return modules, with the modules that they import, as one script.

    Parameters
    ----------
    names : str
        Such as ``"panels/simulations/live.js"``. A script that follows can use their exports by
        name. Comments and indentation are removed.
    """
    order: dict[str, None] = {}
    for name in names:
        _add_in_order(name, order)
    exported = (f"const {{ {', '.join(_exports(resource(n)))} }} = {_scope(n)};\n" for n in names)
    return "".join(map(_in_own_scope, order)) + "".join(exported)


def _add_in_order(name: str, order: dict[str, None]) -> None:
    """Add a module to the order, after the modules that it imports."""
    if name in order:
        return
    for _, path, _ in _IMPORT.findall(resource(name)):
        _add_in_order(_resolved(name, path), order)
    order[name] = None


def _resolved(name: str, path: str) -> str:
    """Return the full name of a file that a module imports by a relative path."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _scope(name: str) -> str:
    """Return the name of a module's scope."""
    return "$" + posixpath.basename(name).removesuffix(".js")


def _exports(text: str) -> list[str]:
    """Return what a module exports, as entries of an object: a name, or public: local."""
    listed = [entry.strip() for group in _LISTED.findall(text) for entry in group.split(",")]
    renamed = [": ".join(entry.split(" as ")[::-1]) for entry in listed if entry]
    return [name for _, name in _NAMED.findall(text)] + renamed


def _data(name: str) -> str:
    """Return a JSON file as a literal."""
    return json.dumps(json.loads(resource(name)), ensure_ascii=False, separators=(",", ":"))


def _in_own_scope(name: str) -> str:
    """Return a module as a function that is called at once and returns its exports."""
    text = resource(name)
    exports = ", ".join(_exports(text))
    text = _JSON.sub(lambda m: f"const {m[1]} = {_data(_resolved(name, m[2]))};\n", text)
    body = _LISTED.sub("", _NAMED.sub(r"\1", text))
    body = _IMPORT.sub(
        lambda match: f"const {match[1].replace(' as ', ': ')} = ${match[3]};\n", body
    )
    body = _COMMENT_OR_INDENT.sub("", body)
    return f"const {_scope(name)} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
