"""A program as WebAssembly: its routines become instructions.

The same program printed as Python stands in ``python_text``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tutlib.programs.assignments import CONDITIONS, SOURCES
from tutlib.programs.lowering import Lowered
from tutlib.programs.passes import Region, arguments, needed, pairs, regions
from tutlib.programs.routines import (
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
from tutlib.programs.webassembly import F64, I32, V128, Function, Instruction, module

_BITS = (1 << 52) - 1
_INSTEAD: dict[str, list[Instruction]] = {
    "power_of_two": [("i64.trunc_sat_f64_s",), ("i64.const", 1023), ("i64.add",),
                     ("i64.const", 52), ("i64.shl",), ("f64.reinterpret_i64",)],
    "exponent": [("i64.reinterpret_f64",), ("i64.const", 52), ("i64.shr_u",), ("i64.const", 2047),
                 ("i64.and",), ("i64.const", 1023), ("i64.sub",), ("f64.convert_i64_s",)],
    "mantissa": [("i64.reinterpret_f64",), ("i64.const", _BITS), ("i64.and",),
                 ("i64.const", 1023 << 52), ("i64.or",), ("f64.reinterpret_i64",)],
    "and": [("i32.and",)],
    "or": [("i32.or",)],
    "not": [("i32.eqz",)],
}  # fmt: skip
_OF_PAIRS: dict[str, list[Instruction]] = {
    "and": [("v128.and",)],
    "or": [("v128.or",)],
    "not": [("v128.not",)],
}


def webassembly(lowered: Lowered) -> bytes:
    """Return a program as the bytes of a WebAssembly module.

    Parameters
    ----------
    lowered : Lowered

    Returns
    -------
    bytes
    """
    functions = [_Writer(lowered, routine).function for routine in lowered.routines]
    return module(functions, 8 * lowered.layout[""])


class _Writer:
    """Writes the instructions of one routine."""

    def __init__(self, lowered: Lowered, routine: Routine) -> None:
        self.layout, self.prepared = lowered.layout, lowered.known(routine)
        self.nodes, self.outputs = lowered.program.assignments.nodes, lowered.program.outputs
        self.function = Function(routine.name, len(routine.arguments), routine.result)
        self.variables = {name: i for i, name in enumerate(routine.arguments)}
        for name in routine.wholes:
            self.variables[name] = self.function.local(I32)
        for name in routine.numbers:
            self.variables[name] = self.function.local(F64)
        self.code = self.function.code
        self._block(routine.body)
        if routine.result:
            self.code.append(("i32.const", 0))

    def _block(self, body: Sequence[Any]) -> None:
        for statement in body:
            if isinstance(statement, Assign):
                _Assignment(self, statement).write()
            elif isinstance(statement, SetWhole):
                self.whole(statement.value)
                self.code.append(("local.set", self.variables[statement.name]))
            elif isinstance(statement, Repeat):
                self.code += [("block",), ("loop",)]
                self._test(statement.test)
                self.code += [("i32.eqz",), ("br_if", 1)]
                self._block(statement.body)
                self.code += [("br", 0), ("end",), ("end",)]
            elif isinstance(statement, When):
                self._test(statement.test)
                self.code.append(("if",))
                self._block(statement.body)
                if statement.otherwise:
                    self.code.append(("else",))
                    self._block(statement.otherwise)
                self.code.append(("end",))
            elif isinstance(statement, Leave):
                if statement.value is not None:
                    self.whole(statement.value)
                self.code.append(("return",))

    def _test(self, test: Test) -> None:
        if isinstance(test, Comparison):
            self.whole(test.left)
            self.whole(test.right)
            self.code.append((f"i32.{test.operation}",))
        else:
            _Assignment(self, Assign([], [test])).write()

    def whole(self, expression: WholeExpression) -> None:
        """Push a whole number."""
        operation, *operands = expression
        if operation == "variable":
            self.code.append(("local.get", self.variables[operands[0]]))
        elif operation == "constant":
            self.code.append(("i32.const", operands[0]))
        else:
            for operand in operands:
                self.whole(operand)
            self.code.append((f"i32.{operation}",))


class _Assignment:
    """Writes the instructions of one statement: what it needs, then its values."""

    def __init__(self, writer: _Writer, statement: Assign) -> None:
        self.writer, self.code, self.nodes = writer, writer.code, writer.nodes
        self.statement, self.prepared = statement, writer.prepared
        roots = statement.roots
        self.order = needed(self.nodes, roots, self.prepared)
        fresh = [place for place in self.order if place not in self.prepared]
        self.pairs = pairs(self.nodes, self.order)
        self.region = regions(self.nodes, fresh, roots, self.pairs)
        self.arms = {arms[:d] for arms in self.region.values() for d in range(1, len(arms) + 1)}
        self.locals: dict[int, int] = {}
        self.rows: dict[WholeExpression, int] = {}
        self.sites: dict[int, int] = {}
        self.named = self._named(roots, fresh)

    def _named(self, roots: Sequence[int], fresh: Sequence[int]) -> dict[Region, list[int]]:
        """Return for each region what is used more than once there: it gets a local variable."""
        uses = dict.fromkeys(self.order, 0)
        for place in fresh:
            for argument in arguments(self.nodes[place]):
                uses[argument] += 1
        for root in roots:
            uses[root] += 1
        named: dict[Region, list[int]] = {}
        for place in self.order:
            operation = self.nodes[place][0]
            if operation in ("constant", "local") or (uses[place] < 2 and operation != "call"):
                continue
            named.setdefault(self.region.get(place, ()), []).append(place)
        return named

    def write(self) -> None:
        """Write the statement: compute every value, then put each where it belongs."""
        self._region(())
        targets, roots = self.statement.targets, self.statement.roots
        if not targets:  # a test: it stays on the stack
            for root in roots:
                self._value(root)
        if self._may_overwrite():
            for root in roots:
                if root not in self.locals and self.nodes[root][0] != "constant":
                    self._to_local(root)
        for target, root in zip(targets, roots):
            if target[0] == "variable":
                self._value(root)
                self.code.append(("local.set", self.writer.variables[target[1]]))
            else:
                _, array, row, offset = target
                address = self._address(array, row, offset)
                self._value(root)
                self.code.append(("f64.store", address))

    def _may_overwrite(self) -> bool:
        written = {target[1] for target in self.statement.targets}
        nodes = (self.nodes[place] for place in self.order)
        return any(node[0] in ("load", "local") and node[1] in written for node in nodes)

    def _region(self, region: Region) -> None:
        """Compute what is used more than once, in its arm."""
        for place in self.named.get(region, ()):
            if self.nodes[place][0] == "call":
                self._call(place)
            elif place not in self.locals:
                self._to_local(place)

    def _to_local(self, place: int) -> None:
        self._value(place)
        condition = self.nodes[place][0] in CONDITIONS
        kind = V128 if place in self.pairs else I32 if condition else F64
        self.locals[place] = self.writer.function.local(kind)
        self.code.append(("local.set", self.locals[place]))

    def _value(self, root: int) -> None:
        """Push a value; the stack holds places that are still to be pushed, and instructions."""
        stack: list[Any] = [root]
        while stack:
            item = stack.pop()
            if isinstance(item, tuple):
                self.code.append(item)
            elif item in self.locals:
                self.code.append(("local.get", self.locals[item]))
            elif item in self.prepared:
                self._load(self.prepared[item])
            else:
                self._push(item, stack)

    def _push(self, place: int, stack: list[Any]) -> None:
        """Push a node, or what comes before it and its instruction onto the stack."""
        node = self.nodes[place]
        operation = node[0]
        if operation in SOURCES or operation == "pair constant":
            self._source(node)
        elif operation == "result":
            self._load(self._site(node[1]) + node[2])
        elif operation == "pack":
            stack += [("f64x2.replace_lane", 1), node[2], ("f64x2.splat",), node[1]]
        elif operation == "lane":
            stack += [("f64x2.extract_lane", node[2]), node[1]]
        elif operation == "select":
            self._select(place, stack)
        else:
            both = place in self.pairs
            plain = [(f"f64x2.{operation}" if both else f"f64.{operation}",)]
            stack += reversed((_OF_PAIRS if both else _INSTEAD).get(operation, plain))
            stack += reversed(node[1:])

    def _source(self, node: tuple[Any, ...]) -> None:
        operation, *rest = node
        if operation == "constant":
            self.code.append(("f64.const", float.fromhex(rest[0])))
        elif operation == "pair constant":
            self.code.append(("v128.const", float.fromhex(rest[0])))
        elif operation == "local":
            self.code.append(("local.get", self.writer.variables[rest[0]]))
        elif operation == "input":
            self._load(self.writer.layout[rest[0]] + rest[1])
        else:
            address = self._address(*rest)
            self.code.append(("f64.load", address))

    def _load(self, at: int) -> None:
        self.code += [("i32.const", 0), ("f64.load", 8 * at)]

    def _address(self, array: str, row: WholeExpression, offset: int) -> int:
        """Push what varies of an address; return the rest of it, in bytes."""
        start = offset + (self.writer.layout[array] if array else 0)
        if row[0] == "constant":
            self.code.append(("i32.const", 0))
            return 8 * (start + int(row[1]))
        if row not in self.rows:
            self.writer.whole(row)
            self.rows[row] = self.writer.function.local(I32)
            self.code += [("i32.const", 3), ("i32.shl",), ("local.tee", self.rows[row])]
        else:
            self.code.append(("local.get", self.rows[row]))
        return 8 * start

    def _select(self, place: int, stack: list[Any]) -> None:
        _, condition, this, that = self.nodes[place]
        if place in self.pairs:
            stack += [("v128.bitselect",), condition, that, this]
            return
        here = self.region.get(place, ())
        arms = [(*here, (place, 2)), (*here, (place, 3))]
        if not any(arm in self.arms for arm in arms):
            stack += [("select",), condition, that, this]
            return
        self._value(condition)
        self.code.append(("if", F64))
        rows = dict(self.rows)
        for arm, value, end in zip(arms, (this, that), ("else", "end")):
            self._region(arm)
            self._value(value)
            self.code.append((end,))
            self.rows = dict(rows)  # what one arm computed is not there after it

    def _call(self, place: int) -> None:
        """Put the arguments into the routine's array, and call it with a place for its results."""
        _, name, *values = self.nodes[place]
        start = self.writer.layout[f"{name} of"]
        for i, value in enumerate(values):
            self.code.append(("i32.const", 0))
            self._value(value)
            self.code.append(("f64.store", 8 * (start + i)))
        self.code += [("i32.const", self._site(place)), ("call", name)]

    def _site(self, place: int) -> int:
        """Return where a call of this statement leaves its results."""
        name = self.nodes[place][1]
        site = self.sites.setdefault(place, len(self.sites))
        return self.writer.layout[f"{name} gives"] + site * self.writer.outputs[name]
