"""A program as Python: to read, to debug, and to run where WebAssembly cannot.

Slower by far, and the same to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from straightline.assignments import Assignments
from straightline.lowering import Lowered
from straightline.passes import needed
from straightline.routines import (
    Assign,
    Comparison,
    Leave,
    Repeat,
    Routine,
    SetWhole,
    Test,
    When,
    WholeExpression,
)

_TEXTS = {
    "add": "{} + {}",
    "sub": "{} - {}",
    "mul": "{} * {}",
    "div": "divide({}, {})",
    "neg": "-{}",
    "abs": "abs({})",
    "sqrt": "square_root({})",
    "floor": "floor({})",
    "lt": "{} < {}",
    "le": "{} <= {}",
    "gt": "{} > {}",
    "ge": "{} >= {}",
    "eq": "{} == {}",
    "and": "{} and {}",
    "or": "{} or {}",
    "not": "not {}",
    "select": "{1} if {0} else {2}",
    "power_of_two": "power_of_two({})",
    "exponent": "exponent({})",
    "mantissa": "mantissa({})",
}
_WHOLE = {"add": "({} + {})", "mul": "{} * {}", "lt_s": "{} < {}", "ge_s": "{} >= {}"}


def python_text(lowered: Lowered) -> str:
    """Return a program as Python functions over one array of floats, ``memory``.

    Parameters
    ----------
    lowered : Lowered
        Without numbers side by side.

    Returns
    -------
    str
    """
    return "\n\n".join(_Writer(lowered, routine).text() for routine in lowered.routines)


def python_lines(
    assignments: Assignments, roots: Sequence[int], texts: Mapping[str, str] | None = None
) -> tuple[list[str], list[str]]:
    """Return lines that compute values from variables and by functions with names of their own.

    Parameters
    ----------
    assignments : Assignments
        Without sines, inputs and memory.
    roots : sequence of int
        Places of the values.
    texts : mapping from str to str, optional
        How operations are written for people, by calls where none is here; the lines are counted.

    Returns
    -------
    lines : list of str
    names : list of str
        What the values are called in them.
    """
    nodes = SimpleNamespace(nodes=assignments.nodes, layout={}, prepared={}, outputs={})
    statement = _Statement(nodes, texts)
    return statement.values(roots)[0], [statement.names[root] for root in roots]


class _Writer:
    """Writes the text of one routine."""

    def __init__(self, lowered: Lowered, routine: Routine) -> None:
        self.routine, self.layout, self.prepared = routine, lowered.layout, lowered.known(routine)
        self.nodes, self.outputs = lowered.program.assignments.nodes, lowered.program.outputs
        self.systems = set(lowered.program.assignments.systems.values())

    def text(self) -> str:
        """Return the whole function."""
        lines = [f"def {self.routine.name}({', '.join(self.routine.arguments)}):"]
        lines += _indented(self._block(self.routine.body))
        if self.routine.result:
            lines.append("    return 0")
        return "\n".join([*lines, ""])

    def _block(self, body: Sequence[object]) -> list[str]:
        lines: list[str] = []
        for statement in body:
            if isinstance(statement, Assign):
                lines += _Statement(self).assign(statement)
            elif isinstance(statement, SetWhole):
                lines += self._set_whole(statement)
            elif isinstance(statement, Repeat):
                before, test = self._test(statement.test)
                asked = [*before, f"if not ({test}):", "    break"]
                lines += ["while True:", *_indented([*asked, *self._block(statement.body)])]
            elif isinstance(statement, When):
                before, test = self._test(statement.test)
                lines += [*before, f"if {test}:", *_indented(self._block(statement.body))]
                lines += ["else:", *_indented(self._block(statement.otherwise))]
            elif isinstance(statement, Leave):
                value = "" if statement.value is None else f" {_whole(statement.value)}"
                lines.append(f"return{value}")
        return lines or ["pass"]

    def _set_whole(self, statement: SetWhole) -> list[str]:
        if not isinstance(statement.value, int):
            return [f"{statement.name} = {_whole(statement.value)}"]
        before, value = _Statement(self).values([statement.value])
        return [*before, f"{statement.name} = int({value})"]

    def _test(self, test: Test) -> tuple[list[str], str]:
        if isinstance(test, Comparison):
            text = _WHOLE[test.operation]
            return [], text.format(_whole(test.left), _whole(test.right))
        return _Statement(self).values([test])


def _indented(lines: Sequence[str]) -> list[str]:
    return ["    " + line for line in lines]


def _whole(expression: WholeExpression) -> str:
    operation, *operands = expression
    if operation in ("variable", "constant"):
        return str(operands[0])
    return _WHOLE[operation].format(*map(_whole, operands))


class _Statement:
    """Prints one statement: a line for each node, then its values."""

    def __init__(
        self, writer: _Writer | SimpleNamespace, texts: Mapping[str, str] | None = None
    ) -> None:
        self.texts, self.to_read = texts or _TEXTS, texts is not None
        self.writer, self.layout, self.nodes = writer, writer.layout, writer.nodes
        self.names: dict[int, str] = {}
        self.sites: dict[str, dict[int, int]] = {}
        self.lines: list[str] = []

    def values(self, roots: Sequence[int]) -> tuple[list[str], str]:
        """Return the lines that compute values, and the values."""
        for place in needed(self.nodes, roots, self.writer.prepared):
            self._node(place)
        return self.lines, ", ".join(self.names[root] for root in roots)

    def assign(self, statement: Assign) -> list[str]:
        """Return the lines of an assignment: all values first, then where they belong."""
        lines, values = self.values(statement.roots)
        if not statement.targets:
            return lines
        places = []
        for target in statement.targets:
            places.append(target[1] if target[0] == "variable" else self._memory(*target[1:]))
        return [*lines, f"{', '.join(places)} = {values}"]

    def _node(self, place: int) -> None:
        operation, *rest = self.nodes[place]
        if place in self.writer.prepared:
            self.names[place] = f"memory[{self.writer.prepared[place]}]"
        elif operation == "constant":
            value = float.fromhex(rest[0])
            text = repr(value) if math.isfinite(value) else f"float('{value}')"
            self.names[place] = f"({text})" if text[0] == "-" and not self.to_read else text
        elif operation == "input":
            self.names[place] = f"memory[{self.layout[rest[0]] + rest[1]}]"
        elif operation == "local":
            self.names[place] = rest[0]
        elif operation == "load":
            self.names[place] = self._memory(*rest)
        elif operation == "result":
            self.names[place] = self._result(place, *rest)
        elif operation == "call":
            self._call(place, *rest)
        else:
            entries = [self.names[argument] for argument in rest]
            called = f"{operation}({', '.join(entries)})"
            text = self.texts.get(operation, called).format(*entries)
            self.names[place] = f"_{len(self.lines) + 1 if self.to_read else place}"
            self.lines.append(f"{self.names[place]} = {text}")

    def _call(self, place: int, name: str, *arguments: int) -> None:
        """Call a routine of the program, by memory, or a function by its name."""
        values = [self.names[argument] for argument in arguments]
        if name not in self.writer.outputs:
            self.names[place] = f"_{place}"
            self.lines.append(f"_{place} = {name}({', '.join(values)})")
            return
        start, lanes = self.layout[f"{name} of"], ", 1" * (name in self.writer.systems)
        self.lines.append(f"memory[{start}:{start + len(values)}] = floats([{', '.join(values)}])")
        self.lines.append(f"{name}({self._site(place)}{lanes})")

    def _result(self, place: int, call: int, number: int) -> str:
        if self.nodes[call][1] in self.writer.outputs:
            return f"memory[{self._site(call) + number}]"
        self.lines.append(f"_{place} = _{call}[{number}]")
        return f"_{place}"

    def _memory(self, array: str, row: WholeExpression, offset: int) -> str:
        start = offset + (self.layout[array] if array else 0)
        if row[0] == "constant":
            return f"memory[{start + row[1]}]"
        return f"memory[{_whole(row)} + {start}]"

    def _site(self, place: int) -> int:
        name = self.nodes[place][1]
        sites = self.sites.setdefault(name, {})
        site = sites.setdefault(place, len(sites))
        return self.layout[f"{name} gives"] + site * self.writer.outputs[name]
