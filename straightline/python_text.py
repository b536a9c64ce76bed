"""Programs as Python text: for reading, for debugging, and where WebAssembly is missing.

It is much slower, and the same to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from straightline.assignments import Assignments
from straightline.lowering import Lowered
from straightline.passes import dependencies
from straightline.routines import (
    Assign,
    Repeat,
    Return,
    Routine,
    SetWhole,
    Test,
    When,
    WholeComparison,
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
_WHOLE_TEXTS = {"add": "({} + {})", "mul": "{} * {}", "lt_s": "{} < {}", "ge_s": "{} >= {}"}


def python_text(lowered: Lowered) -> str:
    """Return a program as Python functions over one array of floats, ``memory``.

    Parameters
    ----------
    lowered : Lowered
        Without pairs of numbers.

    Returns
    -------
    str
    """
    return "\n\n".join(_PythonWriter(lowered, routine).text() for routine in lowered.routines)


def python_lines(
    assignments: Assignments, roots: Sequence[int], texts: Mapping[str, str] | None = None
) -> tuple[list[str], list[str]]:
    """Return lines that compute values from variables, with calls for functions.

    Parameters
    ----------
    assignments : Assignments
        Without sines, inputs, and memory.
    roots : sequence of int
        Indices of the values.
    texts : mapping from str to str, optional
        Templates of operations in readable text; others are written as calls, and lines are
        numbered.

    Returns
    -------
    lines : list of str
    names : list of str
        The names of the values in these lines.
    """
    nodes = SimpleNamespace(nodes=assignments.nodes, layout={}, prepared={}, outputs={})
    statement = _StatementText(nodes, texts)
    return statement.values(roots)[0], [statement.names[root] for root in roots]


class _PythonWriter:
    """Writer of the text of one routine."""

    def __init__(self, lowered: Lowered, routine: Routine) -> None:
        self.routine, self.layout, self.prepared = (
            routine,
            lowered.layout,
            lowered.prepared_in(routine),
        )
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
        """Return the lines of a list of statements."""
        lines: list[str] = []
        for statement in body:
            if isinstance(statement, Assign):
                lines += _StatementText(self).assign(statement)
            elif isinstance(statement, SetWhole):
                lines += self._set_whole(statement)
            elif isinstance(statement, Repeat):
                before, test = self._test(statement.test)
                exit_lines = [*before, f"if not ({test}):", "    break"]
                lines += ["while True:", *_indented([*exit_lines, *self._block(statement.body)])]
            elif isinstance(statement, When):
                before, test = self._test(statement.test)
                lines += [*before, f"if {test}:", *_indented(self._block(statement.body))]
                lines += ["else:", *_indented(self._block(statement.otherwise))]
            elif isinstance(statement, Return):
                value = "" if statement.value is None else f" {_whole(statement.value)}"
                lines.append(f"return{value}")
        return lines or ["pass"]

    def _set_whole(self, statement: SetWhole) -> list[str]:
        """Return the lines of an assignment to a whole variable."""
        if not isinstance(statement.value, int):
            return [f"{statement.name} = {_whole(statement.value)}"]
        before, value = _StatementText(self).values([statement.value])
        return [*before, f"{statement.name} = int({value})"]

    def _test(self, test: Test) -> tuple[list[str], str]:
        """Return the lines before a test, and its text."""
        if isinstance(test, WholeComparison):
            text = _WHOLE_TEXTS[test.operation]
            return [], text.format(_whole(test.left), _whole(test.right))
        return _StatementText(self).values([test])


def _indented(lines: Sequence[str]) -> list[str]:
    """Return indented lines."""
    return ["    " + line for line in lines]


def _whole(expression: WholeExpression) -> str:
    """Return the text of a whole number."""
    operation, *operands = expression
    if operation in ("variable", "constant"):
        return str(operands[0])
    return _WHOLE_TEXTS[operation].format(*map(_whole, operands))


class _StatementText:
    """Writer of one statement: a line for each node, then its values."""

    def __init__(
        self, writer: _PythonWriter | SimpleNamespace, texts: Mapping[str, str] | None = None
    ) -> None:
        self.texts, self.to_read = texts or _TEXTS, texts is not None
        self.writer, self.layout, self.nodes = writer, writer.layout, writer.nodes
        self.names: dict[int, str] = {}
        self.sites: dict[str, dict[int, int]] = {}
        self.lines: list[str] = []

    def values(self, roots: Sequence[int]) -> tuple[list[str], str]:
        """Return the lines that compute values, and the text of the values."""
        for index in dependencies(self.nodes, roots, self.writer.prepared):
            self._node(index)
        return self.lines, ", ".join(self.names[root] for root in roots)

    def assign(self, statement: Assign) -> list[str]:
        """Return the lines of an assignment: all values first, then the targets."""
        lines, values = self.values(statement.roots)
        if not statement.targets:
            return lines
        indices = []
        for target in statement.targets:
            indices.append(target[1] if target[0] == "variable" else self._memory(*target[1:]))
        return [*lines, f"{', '.join(indices)} = {values}"]

    def _node(self, index: int) -> None:
        """Name a node, after writing a line for it if it needs one."""
        operation, *rest = self.nodes[index]
        if index in self.writer.prepared:
            self.names[index] = f"memory[{self.writer.prepared[index]}]"
        elif operation == "constant":
            value = float.fromhex(rest[0])
            text = repr(value) if math.isfinite(value) else f"float('{value}')"
            self.names[index] = f"({text})" if text[0] == "-" and not self.to_read else text
        elif operation == "input":
            self.names[index] = f"memory[{self.layout[rest[0]] + rest[1]}]"
        elif operation == "local":
            self.names[index] = rest[0]
        elif operation == "load":
            self.names[index] = self._memory(*rest)
        elif operation == "result":
            self.names[index] = self._result(index, *rest)
        elif operation == "call":
            self._call(index, *rest)
        else:
            entries = [self.names[argument] for argument in rest]
            as_call = f"{operation}({', '.join(entries)})"
            text = self.texts.get(operation, as_call).format(*entries)
            self.names[index] = f"_{len(self.lines) + 1 if self.to_read else index}"
            self.lines.append(f"{self.names[index]} = {text}")

    def _call(self, index: int, name: str, *arguments: int) -> None:
        """Call a routine of the program through memory, or a function by its name."""
        values = [self.names[argument] for argument in arguments]
        if name not in self.writer.outputs:
            self.names[index] = f"_{index}"
            self.lines.append(f"_{index} = {name}({', '.join(values)})")
            return
        start, lanes = self.layout[f"{name} of"], ", 1" * (name in self.writer.systems)
        self.lines.append(f"memory[{start}:{start + len(values)}] = floats([{', '.join(values)}])")
        self.lines.append(f"{name}({self._result_address(index)}{lanes})")

    def _result(self, index: int, call: int, number: int) -> str:
        """Return the text of a call's result."""
        if self.nodes[call][1] in self.writer.outputs:
            return f"memory[{self._result_address(call) + number}]"
        self.lines.append(f"_{index} = _{call}[{number}]")
        return f"_{index}"

    def _memory(self, array: str, row: WholeExpression, offset: int) -> str:
        """Return the text of an entry of an array."""
        start = offset + (self.layout[array] if array else 0)
        if row[0] == "constant":
            return f"memory[{start + row[1]}]"
        return f"memory[{_whole(row)} + {start}]"

    def _result_address(self, index: int) -> int:
        """Return the address of a call's results in this statement."""
        name = self.nodes[index][1]
        sites = self.sites.setdefault(name, {})
        site = sites.setdefault(index, len(sites))
        return self.layout[f"{name} gives"] + site * self.writer.outputs[name]
