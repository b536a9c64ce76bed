"""Modules of the page's scripts as one plain script, each still in a scope of its own.

The answer boxes of the book's pages are served so: a page opened from a disk may load no modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tutlib.pictures.frames import resource

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";\n', re.MULTILINE)
_NAMED = re.compile(r"^export ((?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_LISTED = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)
_IDLE = re.compile(r"^[ \t]*//.*\n|^[ \t]+", re.MULTILINE)


def bundled(*names: str, then: str) -> str:
    """Return modules of this folder as a plain script.

    Parameters
    ----------
    names : str
        Without ``.js``; each after those that it imports. Comments and indents stay at home.
    then : str
        What follows them. It has what a module exports by its name behind a dollar sign, such as
        ``$progress.progress``.
    """
    return f"(() => {{\n{_scopes(names)}{then}\n}})();\n"


def _scopes(names: Iterable[str]) -> str:
    return "".join(_in_its_scope(name) for name in names)


def _exports(text: str) -> list[str]:
    """Return what a module exports, as an object's entries: a name, or public: local."""
    listed = [entry.strip() for group in _LISTED.findall(text) for entry in group.split(",")]
    renamed = [": ".join(entry.split(" as ")[::-1]) for entry in listed if entry]
    return [name for _, name in _NAMED.findall(text)] + renamed


def _in_its_scope(name: str) -> str:
    text = resource(f"page/{name}.js")
    exports = ", ".join(_exports(text))
    body = _LISTED.sub("", _NAMED.sub(r"\1", text))
    body = _IMPORT.sub(
        lambda found: f"const {found[1].replace(' as ', ': ')} = ${found[2]};\n", body
    )
    return f"const ${name} = (() => {{\n{_IDLE.sub('', body)}return {{ {exports} }};\n}})();\n"
