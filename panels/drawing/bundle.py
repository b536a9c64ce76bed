"""Modules of scripts as one script, each in a scope of its own, each after those that it imports.

A page that is opened from a disk may load no modules, and a frame brings all that it needs.
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
_IDLE = re.compile(r"^[ \t]*//.*\n|^[ \t]+", re.MULTILINE)


def resource(name: str) -> str:
    """Return the text of a file of a package, such as ``panels/drawing/drawing.js``."""
    package, _, file = name.partition("/")
    return (resources.files(package) / file).read_text(encoding="utf-8")


def script(*names: str) -> str:
    """Return modules, with those that they import, as one script.

    Parameters
    ----------
    names : str
        Such as ``"panels/simulations/live.js"``. A script that follows can use their exports by
        name. Comments and indents are left out.
    """
    order: dict[str, None] = {}
    for name in names:
        _put_in_order(name, order)
    exported = (f"const {{ {', '.join(_exports(resource(n)))} }} = {_scope(n)};\n" for n in names)
    return "".join(map(_in_its_scope, order)) + "".join(exported)


def _put_in_order(name: str, order: dict[str, None]) -> None:
    if name in order:
        return
    for _, path, _ in _IMPORT.findall(resource(name)):
        _put_in_order(_beside(name, path), order)
    order[name] = None


def _beside(name: str, path: str) -> str:
    """Return the whole name of what a module names from where it is."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _scope(name: str) -> str:
    return "$" + posixpath.basename(name).removesuffix(".js")


def _exports(text: str) -> list[str]:
    """Return what a module exports, as an object's entries: a name, or public: local."""
    listed = [entry.strip() for group in _LISTED.findall(text) for entry in group.split(",")]
    renamed = [": ".join(entry.split(" as ")[::-1]) for entry in listed if entry]
    return [name for _, name in _NAMED.findall(text)] + renamed


def _data(name: str) -> str:
    return json.dumps(json.loads(resource(name)), ensure_ascii=False, separators=(",", ":"))


def _in_its_scope(name: str) -> str:
    text = resource(name)
    exports = ", ".join(_exports(text))
    text = _JSON.sub(lambda m: f"const {m[1]} = {_data(_beside(name, m[2]))};\n", text)
    body = _LISTED.sub("", _NAMED.sub(r"\1", text))
    body = _IMPORT.sub(
        lambda match: f"const {match[1].replace(' as ', ': ')} = ${match[3]};\n", body
    )
    return (
        f"const {_scope(name)} = (() => {{\n{_IDLE.sub('', body)}return {{ {exports} }};\n}})();\n"
    )
