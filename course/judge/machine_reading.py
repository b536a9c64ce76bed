"""Reader of a machine as an answer: equations or a model, and outputs by name.

A missing or unknown part is reported in a sentence. Used by exercises that ask for a whole machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sm
from sympy.core.function import AppliedUndef

from course.judge.mechanisms import Mechanism
from course.judge.rehearsal import StopError
from course.judge.sentences import said
from course.judge.symbolic_answers import nearest_name
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.models.machines import equations_of, with_known
from tutlib.models.model import Model
from tutlib.reading.expressions import read_expression
from tutlib.reading.names import UnreadableError, agree, label_of, listed, plain_name


@dataclass(frozen=True)
class Asked:
    """Names in a prompt.

    Parameters
    ----------
    outputs : tuple of str
    symbols : tuple of str
        Names of parameters and inputs.
    inputs : tuple of str, optional
        Forces and torques from outside; any of the symbols unless given.
    units : mapping from name to str
        Units of outputs; those in ``"rad"`` are angles.
    energies : tuple of str
        Outputs that are not positions.
    others : tuple of str, optional
        All outputs that are not positions; energies and those with speeds unless given.
    """

    outputs: tuple[str, ...]
    symbols: tuple[str, ...]
    inputs: tuple[str, ...] | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    energies: tuple[str, ...] = ()
    others: tuple[str, ...] | None = None


def read_machine(answer: Any, asked: Asked) -> Mechanism:
    """Return the mechanism in an answer; raise UnreadableError if it cannot be read.

    Parameters
    ----------
    answer : (machine, outputs), or function () that returns them
        The machine is an `EquationsOfMotion`, `ConstrainedEquations`, `Model`, `KanesMethod` or
        `LagrangesMethod`; the outputs are a mapping from name to expression.
    asked : Asked

    Returns
    -------
    Mechanism

    Raises
    ------
    UnreadableError
        With a sentence for the reader.
    """
    machine, outputs = pair_of(answer, asked.outputs)
    try:
        equations = equations_of(machine)
    except UnreadableError:
        raise
    except (TypeError, ValueError) as error:
        raise UnreadableError(f"Your equations cannot be read: {error}.") from error
    cut = equations.equations if isinstance(equations, ConstrainedEquations) else equations
    _refuse_unfinished(cut)
    expressions = _outputs(outputs, asked, cut)
    moving = {name for name, e in expressions.items() if any(map(e.has, cut.u))}
    others = {*asked.energies} | moving if asked.others is None else {*asked.others}
    _refuse_speeds(moving - others, expressions, cut)
    constant = _inputs(cut, expressions, asked)
    defaults = machine.parameters if isinstance(machine, Model) else {}
    mechanism = Mechanism(
        with_known(equations, constant),
        {name: e.xreplace(constant) for name, e in expressions.items() if name not in others},
        {name: e.xreplace(constant) for name, e in expressions.items() if name in others},
        asked.units,
        {plain_name(symbol): value for symbol, value in defaults.items()},
        tuple(plain_name(r) for r in cut.inputs),
    )
    _refuse_strangers(mechanism.names - {*mechanism.values}, asked.symbols)
    return mechanism


def pair_of(answer: Any, names: Iterable[str] = ("x", "y")) -> tuple[Any, Mapping[Any, Any]]:
    """Return a machine and its outputs; raise UnreadableError if they are not a pair.

    Parameters
    ----------
    answer : (machine, outputs), or function () that returns them
    names : iterable of str
        Names of the outputs, for an example.

    Raises
    ------
    UnreadableError
        With a sentence for the reader.
    """
    match _called(answer):
        case (machine, Mapping() as outputs):
            return machine, outputs
    example = ", ".join(f'"{name}": ...' for name in names)
    raise UnreadableError(
        f"Give two things, your equations or model and its outputs, as (equations, {{{example}}})."
    )


def _called(answer: Any) -> Any:
    """Return the result of a function without arguments, and any other object unchanged."""
    if not callable(answer) or isinstance(answer, type | sm.Basic):
        return answer
    try:
        return answer()
    except (StopError, MemoryError):
        raise
    except BaseException as error:
        cause = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise UnreadableError(f"Called without arguments, your function raised {cause}.") from error


def _refuse_unfinished(cut: EquationsOfMotion) -> None:
    if cut.multipliers:
        raise UnreadableError(
            "Your equations contain multipliers already, so the constraints cannot be read. "
            "Give ConstrainedEquations(equations, constraints), without with_multipliers."
        )
    if cut.auxiliary:
        names = listed([label_of(z) for z, _ in cut.auxiliary])
        raise UnreadableError(
            f"Your machine has additional states, {names}, which the exercise does not have."
        )


def _outputs(
    outputs: Mapping[Any, Any], asked: Asked, cut: EquationsOfMotion
) -> dict[str, sm.Expr]:
    """Return the required outputs in terms of coordinates and speeds."""
    named = {plain_name(k) if isinstance(k, sm.Basic) else str(k): v for k, v in outputs.items()}
    missing = [name for name in asked.outputs if name not in named]
    if missing:
        raise UnreadableError(
            f"The {agree(missing, 'output', 'outputs')} {listed(missing)} "
            f"{agree(missing, 'is', 'are')} missing. Give "
            f"{listed(asked.outputs)}."
        )
    terms = {}
    for name in asked.outputs:
        try:
            (terms[name],) = cut.in_states([read_expression(named[name], f"the output {name}")])
        except (TypeError, ValueError) as error:
            raise UnreadableError(f"Your output {name} cannot be read: {error}.") from error
        if terms[name].atoms(sm.Derivative) - {*cut.states}:
            raise UnreadableError(
                f"Your output {name} contains a derivative that is not one of your speeds. "
                f"Express it in terms of {listed([label_of(s) for s in cut.states])}."
            )
    return terms


def _inputs(
    cut: EquationsOfMotion, outputs: Mapping[str, sm.Expr], asked: Asked
) -> dict[sm.Expr, sm.Expr]:
    """Return a symbol for each input, which is constant in the tests."""
    functions = set(cut.inputs).union(*(e.atoms(AppliedUndef) for e in outputs.values()))
    functions -= {*cut.q, *(s.expr if isinstance(s, sm.Derivative) else s for s in cut.u)}
    allowed = asked.symbols if asked.inputs is None else asked.inputs
    _refuse_strangers({plain_name(f) for f in functions}, allowed, "input")
    return {function: sm.Symbol(plain_name(function)) for function in functions}


def _refuse_speeds(
    names: Iterable[str], outputs: Mapping[str, sm.Expr], cut: EquationsOfMotion
) -> None:
    for name in sorted(names):
        speeds = [label_of(speed) for speed in cut.u if outputs[name].has(speed)]
        raise UnreadableError(
            f"Your output {name} contains {listed(speeds)}, but it is a position, so it depends "
            "only on coordinates."
        )


def _refuse_strangers(
    names: Iterable[str], allowed: Iterable[str], what: str = "parameter"
) -> None:
    """Reject names that the prompt does not have, and suggest similar ones."""
    allowed = {*allowed}
    for name in sorted({*names} - allowed):
        if near := nearest_name(name, allowed):
            sentence = said("nearest", names=name, are="is", advice=f"{near} for {name}")
            raise UnreadableError(sentence)
        belong = listed(sorted(allowed)) or "nothing"
        raise UnreadableError(f"{name} is not a {what} named in the prompt. You can use {belong}.")
