"""See your mistake move: the reader's equations and the true ones in one live simulation.

The exercises of every chapter use this for ``check(..., show=True)``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import sympy as sm

from tutlib.exercises.symbolic_answers import Reading
from tutlib.models.model import Model
from tutlib.page.in_the_plane import energy_rate
from tutlib.page.live import live

if TYPE_CHECKING:
    from tutlib.page.widget import LiveWidget


def beside(
    right: Model, yours: Model, x0: Sequence[float], description: str, **options: Any
) -> LiveWidget:
    """Run two versions of a model's equations in one live simulation, from the same start.

    The energy drift of both is what remains of the right model's energy once the power of the right
    model's forces is accounted for: a wrong equation makes energy from nothing.

    Parameters
    ----------
    right, yours : Model
        With the same coordinates and speeds; drawing, energies and values are the first one's.
    x0 : array, shape (k,)
        Initial state.
    description : str
        What is seen, in a sentence.
    options
        Of `live`.

    Returns
    -------
    LiveWidget

    Raises
    ------
    ValueError
        If the states differ, or one of the two cannot be simulated.
    """
    return _beside(right, yours, _power(right), x0, description, **options)


def _power(model: Model) -> sm.Expr:
    """Return what changes a model's energy [W]: the power of its forces."""
    eom = model.equations
    rates = [*eom.rates, *eom.accelerations(), *(rate for _, rate in eom.auxiliary)]
    energy = eom.in_states([model.kinetic_energy + model.potential_energy])[0]
    return energy_rate(energy, eom.states, rates)


def _beside(
    right: Model,
    yours: Model,
    power: sm.Expr,
    x0: Sequence[float],
    description: str,
    **options: Any,
) -> LiveWidget:
    one, other = right.equations, yours.equations
    if one.states != other.states:
        raise ValueError(f"the states differ: {one.states} and {other.states}")
    share = sm.Symbol("yours", nonnegative=True)
    both = replace(
        one,
        mass_matrix=(1 - share) * one.mass_matrix + share * other.mass_matrix,
        forcing=(1 - share) * one.forcing + share * other.forcing,
    )
    values = {**yours.parameters, **right.parameters}
    for model in (right, yours):
        replace(model, parameters=values).compile()
    return live(
        replace(right, equations=both, parameters={**values, share: 0.0}),
        x0,
        description,
        runs={"right": {share: 0}, "yours": {share: 1}},
        power=power,
        **{"height": 620, **options},
    )


def side_by_side(
    model: Callable[..., Model], x0: Sequence[float], description: str, **options: Any
) -> Callable[[Reading, Reading], str]:
    """Make the ``show`` of an exercise whose answer has symbols.

    Parameters
    ----------
    model : function of the answer's expressions -> Model
        An equation comes as what must be zero.
    x0, description, options
        As for `beside`.
    """

    @cache  # the true motion is the same for every answer
    def truth(*expressions: sm.Expr) -> tuple[Model, sm.Expr]:
        right = model(*expressions)
        return right, _power(right)

    def show(reading: Reading, right: Reading) -> str:
        true, power = truth(*right.expressions)
        yours = model(*reading.expressions)
        return str(_beside(true, yours, power, x0, description, **options).page)

    return show
