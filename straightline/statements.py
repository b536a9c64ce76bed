"""WebAssembly instructions of one statement: each value is computed once, where it is needed.

In two lanes every float is a pair; a branch of a ``where`` is skipped if no lane takes it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from straightline.assignments import CONDITIONS, SOURCES, Node
from straightline.lowering import Lowered
from straightline.passes import Region, arguments, branch_regions, dependencies, paired_nodes
from straightline.routines import Assign, Routine, WholeExpression
from straightline.webassembly import F64, I32, V128, Instruction, WasmFunction

_MANTISSA_BITS = (1 << 52) - 1
_SCALAR_INSTRUCTIONS: dict[str, list[Instruction]] = {
    "power_of_two": [
        ("i64.trunc_sat_f64_s",),
        ("i64.const", 1023),
        ("i64.add",),
        ("i64.const", 52),
        ("i64.shl",),
        ("f64.reinterpret_i64",),
    ],
    "exponent": [
        ("i64.reinterpret_f64",),
        ("i64.const", 52),
        ("i64.shr_u",),
        ("i64.const", 2047),
        ("i64.and",),
        ("i64.const", 1023),
        ("i64.sub",),
        ("f64.convert_i64_s",),
    ],
    "mantissa": [
        ("i64.reinterpret_f64",),
        ("i64.const", _MANTISSA_BITS),
        ("i64.and",),
        ("i64.const", 1023 << 52),
        ("i64.or",),
        ("f64.reinterpret_i64",),
    ],
    "and": [("i32.and",)],
    "or": [("i32.or",)],
    "not": [("i32.eqz",)],
}
# 1.5 · 2⁵² + 1023: adding it to k leaves k + 1023 in the lowest bits
_WHOLE_BITS = 6755399441055744.0 + 1023


def _float(bits: int) -> float:
    """Return the float with given bits."""
    return float(struct.unpack("<d", struct.pack("<q", bits))[0])


_PAIR_INSTRUCTIONS: dict[str, list[Instruction]] = {
    "power_of_two": [
        ("v128.const", _WHOLE_BITS),
        ("f64x2.add",),
        ("i32.const", 52),
        ("i64x2.shl",),
    ],
    "exponent": [
        ("i32.const", 52),
        ("i64x2.shr_u",),
        ("v128.const", _float(2047)),
        ("v128.and",),
        ("v128.const", 2.0**52),
        ("v128.or",),
        ("v128.const", 2.0**52 + 1023),
        ("f64x2.sub",),
    ],
    "mantissa": [
        ("v128.const", _float(_MANTISSA_BITS)),
        ("v128.and",),
        ("v128.const", 1.0),
        ("v128.or",),
    ],
    "and": [("v128.and",)],
    "or": [("v128.or",)],
    "not": [("v128.not",)],
}


class RoutineFrame:
    """The variables, addresses, and instructions that the statements of a routine share.

    Parameters
    ----------
    lowered : Lowered
    routine : Routine
    """

    def __init__(self, lowered: Lowered, routine: Routine) -> None:
        self.layout, self.prepared = lowered.layout, lowered.prepared_in(routine)
        self.nodes, self.outputs = lowered.program.assignments.nodes, lowered.program.outputs
        self.systems = set(lowered.program.assignments.systems.values())
        self.function = WasmFunction(routine.name, len(routine.arguments), routine.result)
        self.variables = {name: i for i, name in enumerate(routine.arguments)}
        for name in routine.wholes:
            self.variables[name] = self.function.local(I32)
        for name in routine.numbers:
            self.variables[name] = self.function.local(F64)
        self.code = self.function.code

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


class StatementWriter:
    """Writer of the instructions of one statement.

    Parameters
    ----------
    frame : RoutineFrame
    statement : Assign
    """

    def __init__(self, frame: RoutineFrame, statement: Assign) -> None:
        self.frame, self.code, self.nodes = frame, frame.code, frame.nodes
        self.statement, self.prepared, self.lanes = statement, frame.prepared, statement.lanes
        roots = statement.roots
        self.order = dependencies(self.nodes, roots, self.prepared)
        unprepared = [index for index in self.order if index not in self.prepared]
        paired = paired_nodes(self.nodes, self.order)
        self.region = branch_regions(self.nodes, unprepared, roots, paired)
        self.pairs = set(self.order) if self.lanes == 2 else paired
        self.arms = {
            region[:depth] for region in self.region.values() for depth in range(1, len(region) + 1)
        }
        self.locals: dict[int, int] = {}
        self.rows: dict[WholeExpression, int] = {}
        self.sites: dict[str, dict[int, int]] = {}
        self.shared_nodes = self._shared_nodes(roots, unprepared)

    def _shared_nodes(
        self, roots: Sequence[int], unprepared: Sequence[int]
    ) -> dict[Region, list[int]]:
        """Return, for each region, the nodes used several times there; they become variables."""
        uses = dict.fromkeys(self.order, 0)
        for index in unprepared:
            for argument in arguments(self.nodes[index]):
                uses[argument] += 1
        for root in roots:
            uses[root] += 1
        shared: dict[Region, list[int]] = {}
        for index in self.order:
            operation = self.nodes[index][0]
            if operation in ("constant", "local") or (uses[index] < 2 and operation != "call"):
                continue
            shared.setdefault(self.region.get(index, ()), []).append(index)
        return shared

    def write(self) -> None:
        """Write the statement: compute every value, then store each in its target."""
        self._region(())
        targets, roots = self.statement.targets, self.statement.roots
        if not targets:  # the value of a test stays on the stack
            for root in roots:
                self._value(root)
        if self._may_overwrite():
            for root in roots:
                if root not in self.locals and self.nodes[root][0] != "constant":
                    self._to_local(root)
        for target, root in zip(targets, roots):
            if target[0] == "variable":
                self._value(root)
                self.code.append(("local.set", self.frame.variables[target[1]]))
            else:
                _, array, row, offset = target
                address = self._address(array, row, offset)
                self._value(root)
                self.code.append((self._store, address))

    def _may_overwrite(self) -> bool:
        """Whether a target may be read by a later value."""
        targets = {target[1] for target in self.statement.targets}
        nodes = (self.nodes[index] for index in self.order)
        return any(node[0] in ("load", "local") and node[1] in targets for node in nodes)

    def _region(self, region: Region) -> None:
        """Compute the shared nodes of a region."""
        for index in self.shared_nodes.get(region, ()):
            if self.nodes[index][0] == "call":
                self._call(index)
            elif index not in self.locals:
                self._to_local(index)

    def _to_local(self, index: int) -> None:
        """Compute a node into a local variable."""
        self._value(index)
        condition = self.nodes[index][0] in CONDITIONS
        kind = V128 if index in self.pairs else I32 if condition else F64
        self.locals[index] = self.frame.function.local(kind)
        self.code.append(("local.set", self.locals[index]))

    def _value(self, root: int) -> None:
        """Push a value; the stack holds nodes that are still to be pushed, and instructions."""
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

    def _push(self, index: int, stack: list[object]) -> None:
        """Push a node, or put its arguments and its instruction onto the stack."""
        node = self.nodes[index]
        operation = node[0]
        if operation in SOURCES or operation == "pair constant":
            self._source(node)
        elif operation == "result":
            self.code += [("i32.const", 0), (self._load_entry, 8 * self._result(node))]
        elif operation == "pack":
            stack += [("f64x2.replace_lane", 1), node[2], ("f64x2.splat",), node[1]]
        elif operation == "lane":
            stack += [("f64x2.extract_lane", node[2]), node[1]]
        elif operation == "select":
            self._select(index, stack)
        else:
            is_pair = index in self.pairs
            instructions = [(f"f64x2.{operation}" if is_pair else f"f64.{operation}",)]
            stack += reversed(
                (_PAIR_INSTRUCTIONS if is_pair else _SCALAR_INSTRUCTIONS).get(
                    operation, instructions
                )
            )
            stack += reversed(node[1:])

    def _source(self, node: Node) -> None:
        """Push a node without arguments."""
        operation, *rest = node
        if operation == "constant":
            kind = "v128.const" if self.lanes == 2 else "f64.const"
            self.code.append((kind, float.fromhex(rest[0])))
        elif operation == "pair constant":
            self.code.append(("v128.const", float.fromhex(rest[0])))
        elif operation == "local":
            self.code.append(("local.get", self.frame.variables[rest[0]]))
        elif operation == "input":
            self._load(self.frame.layout[rest[0]] + rest[1])
        else:
            address = self._address(*rest)
            self.code.append((self._load_entry, address))

    def _load(self, address: int) -> None:
        """Push a float that is the same for all lanes."""
        load = "v128.load64_splat" if self.lanes == 2 else "f64.load"
        self.code += [("i32.const", 0), (load, 8 * address)]

    @property
    def _load_entry(self) -> str:
        """The instruction that loads an entry of an array."""
        return "v128.load" if self.lanes == 2 else "f64.load"

    @property
    def _store(self) -> str:
        """The instruction that stores an entry of an array."""
        return "v128.store" if self.lanes == 2 else "f64.store"

    def _address(self, array: str, row: WholeExpression, offset: int) -> int:
        """Push the variable part of an address; return the constant part, in bytes."""
        start = offset * self.lanes + (self.frame.layout[array] if array else 0)
        if row[0] == "constant":
            self.code.append(("i32.const", 0))
            return 8 * (start + int(row[1]) * self.lanes)
        if row not in self.rows:
            self.frame.whole(row)
            self.rows[row] = self.frame.function.local(I32)
            self.code += [
                ("i32.const", 2 + self.lanes),
                ("i32.shl",),
                ("local.tee", self.rows[row]),
            ]
        else:
            self.code.append(("local.get", self.rows[row]))
        return 8 * start

    def _select(self, index: int, stack: list[object]) -> None:
        """Push a select, with branches if they hold enough operations."""
        _, condition, this, that = self.nodes[index]
        region = self.region.get(index, ())
        arms = [(*region, (index, 2)), (*region, (index, 3))]
        if not any(arm in self.arms for arm in arms):
            is_pair = index in self.pairs
            stack += [("v128.bitselect" if is_pair else "select",), condition, that, this]
            return
        if self.lanes == 2:
            self._select_in_lanes(condition, (this, that), arms)
            return
        self._value(condition)
        self.code.append(("if", F64))
        rows = dict(self.rows)
        for arm, value, end in zip(arms, (this, that), ("else", "end")):
            self._region(arm)
            self._value(value)
            self.code.append((end,))
            self.rows = dict(rows)  # a row that one branch computed is not available after it

    def _select_in_lanes(
        self, condition: int, values: Sequence[int], arms: Sequence[Region]
    ) -> None:
        """Compute each branch that a lane needs, and select for each lane."""
        mask, rows = self.frame.function.local(V128), dict(self.rows)
        self._value(condition)
        self.code.append(("local.set", mask))
        for arm, value, inversion in zip(arms, values, ([], [("v128.not",)])):
            if arm not in self.arms:
                self._value(value)
                continue
            self.code += [("local.get", mask), *inversion, ("v128.any_true",), ("if", V128)]
            self._region(arm)
            self._value(value)
            self.code += [("else",), ("v128.const", 0.0), ("end",)]
            self.rows = dict(rows)
        self.code += [("local.get", mask), ("v128.bitselect",)]

    def _call(self, index: int) -> None:
        """Store a call's arguments, and call its routine with the address of its results."""
        _, name, *values = self.nodes[index]
        start = self.frame.layout[f"{name} of"]
        for i, value in enumerate(values):
            self.code.append(("i32.const", 0))
            self._value(value)
            self.code.append((self._store, 8 * (start + i * self.lanes)))
        self.code.append(("i32.const", self._result_address(index) // self.lanes))
        self.code += [*[("i32.const", self.lanes)] * (name in self.frame.systems), ("call", name)]

    def _result(self, node: Node) -> int:
        """Return the address of a result."""
        return self._result_address(node[1]) + int(node[2]) * self.lanes

    def _result_address(self, index: int) -> int:
        """Return the address of a call's results in this statement."""
        name = self.nodes[index][1]
        sites = self.sites.setdefault(name, {})
        site = sites.setdefault(index, len(sites))
        return self.frame.layout[f"{name} gives"] + site * self.frame.outputs[name]
