"""Compilation of programs to WebAssembly: routines become instructions."""

from __future__ import annotations

from collections.abc import Sequence

from straightline.lowering import Lowered
from straightline.routines import (
    Assign,
    Repeat,
    Return,
    Routine,
    SetWhole,
    Test,
    When,
    WholeComparison,
)
from straightline.statements import RoutineFrame, StatementWriter
from straightline.webassembly import module


def webassembly(lowered: Lowered) -> bytes:
    """Return a program as the bytes of a WebAssembly module.

    Parameters
    ----------
    lowered : Lowered

    Returns
    -------
    bytes
    """
    functions = [
        _InstructionWriter(lowered, routine).frame.function for routine in lowered.routines
    ]
    imported = list(lowered.program.assignments.imported)
    return module(functions, 8 * lowered.layout[""], imported)


class _InstructionWriter:
    """Writer of the instructions of one routine."""

    def __init__(self, lowered: Lowered, routine: Routine) -> None:
        self.frame = RoutineFrame(lowered, routine)
        self.code = self.frame.code
        self._block(routine.body)
        if routine.result:
            self.code.append(("i32.const", 0))

    def _block(self, body: Sequence[object]) -> None:
        """Write a list of statements."""
        for statement in body:
            if isinstance(statement, Assign):
                StatementWriter(self.frame, statement).write()
            elif isinstance(statement, SetWhole):
                self._set_whole(statement)
            elif isinstance(statement, Repeat):
                self.code += [("block",), ("loop",)]
                self._test(statement.test, statement.lanes)
                self.code += [("i32.eqz",), ("br_if", 1)]
                self._block(statement.body)
                self.code += [("br", 0), ("end",), ("end",)]
            elif isinstance(statement, When):
                self._test(statement.test, statement.lanes)
                self.code.append(("if",))
                self._block(statement.body)
                if statement.otherwise:
                    self.code.append(("else",))
                    self._block(statement.otherwise)
                self.code.append(("end",))
            elif isinstance(statement, Return):
                if statement.value is not None:
                    self.frame.whole(statement.value)
                self.code.append(("return",))

    def _set_whole(self, statement: SetWhole) -> None:
        """Write an assignment to a whole variable."""
        if isinstance(statement.value, int):
            StatementWriter(self.frame, Assign([], [statement.value])).write()
            self.code.append(("i32.trunc_sat_f64_s",))
        else:
            self.frame.whole(statement.value)
        self.code.append(("local.set", self.frame.variables[statement.name]))

    def _test(self, test: Test, lanes: int) -> None:
        """Write a test, which leaves its value on the stack."""
        if isinstance(test, WholeComparison):
            self.frame.whole(test.left)
            self.frame.whole(test.right)
            self.code.append((f"i32.{test.operation}",))
        else:
            StatementWriter(self.frame, Assign([], [test], lanes)).write()
            if lanes == 2:
                self.code.append(("v128.any_true",))
