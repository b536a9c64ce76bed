"""Comparison of the reader's equations with the true ones in one live simulation.

The exercises of every chapter use it for ``check(..., show=True)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import sympy as sm

from course.judge.sentences import said
from course.judge.symbolic_answers import Reading
from panels.simulations.in_the_plane import energy_rate
from panels.simulations.live import live
from straightline.arguments import instance, several
from straightline.external_functions import ExternalFunction, external_function
from tutlib.models.model import Model
from tutlib.reading.expressions import read_expression
from tutlib.reading.names import agree, label_of, leaves, listed

if TYPE_CHECKING:
    from panels.simulations.widget import LiveWidget


def beside(
    right: Model, yours: Model, x0: Sequence[float], description: str, **options: Any
) -> LiveWidget:
    """Simulate two versions of a model's equations together, from the same initial state.

    The energy strip shows the energy error of both models: the change of the right model's energy
    minus the work of the right model's forces, since a wrong equation creates energy from nothing.

    Parameters
    ----------
    right, yours : Model
        Models with the same coordinates and speeds; drawing, energies, and values are the first's.
    x0 : array, shape (k,)
        Initial state.
    description : str
        What is seen, in a sentence.
    options
        Further arguments of `live`.

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
    """Return the rate of change of a model's energy [W], which is the power of its forces."""
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
    equations, answered = right.equations, yours.equations
    if equations.states != answered.states:
        raise ValueError(f"the states differ: {equations.states} and {answered.states}")
    share = sm.Symbol("yours", nonnegative=True)

    def either(a: sm.MatrixBase, b: sm.MatrixBase) -> sm.MatrixBase:
        """Return entries of either matrix; Piecewise keeps an undefined one from the other."""
        pairs = [x if x == y else sm.Piecewise((y, share > 0), (x, True)) for x, y in zip(a, b)]
        return sm.Matrix(*a.shape, pairs)

    both = replace(
        equations,
        mass_matrix=either(equations.mass_matrix, answered.mass_matrix),
        forcing=either(equations.forcing, answered.forcing),
    )
    values = {**yours.parameters, **right.parameters}
    for model in (right, yours):
        replace(model, parameters=values).compile()
    differ = both != equations  # equal ones have no parameter to choose between them
    return live(
        replace(right, equations=both, parameters={**values, **({share: 0.0} if differ else {})}),
        x0,
        description,
        runs={"right": {}, "yours": {share: 1} if differ else {}},
        power=power,
        **{"height": 726, **options},
    )


@dataclass(frozen=True)
class SideBySide:
    """Animation of a symbolic answer beside the true motion; see `side_by_side`.

    Parameters
    ----------
    model, x0, description, options
        As for `side_by_side`.
    """

    model: Callable[..., Model]
    x0: Sequence[float]
    description: str
    options: Mapping[str, Any]

    def __call__(self, reading: Reading, right: Reading) -> str:
        """Return a page with the reader's motion beside the true one.

        Raises
        ------
        ValueError
            If the answer does not determine a motion.
        """
        answered = set().union(*(leaves(entry) for entry in reading.expressions))
        if unsaid := answered - {*moving_names(right, answered)}:
            names = sorted(map(label_of, unsaid))
            raise ValueError(said("unsaid", names=listed(names), are=agree(names, "is", "are")))
        return str(self._page(right, self.model(*reading.expressions)).page)

    def awaiting(self, right: Reading, names: Sequence[sm.Expr]) -> LiveWidget:
        """Return a simulation that gets the reader's answer from the page.

        The page must provide functions of the names' values: the answer's entries and derivatives
        of them, such as ``answer_0_d_0_2``, the first entry differentiated twice with respect to
        the second name.

        Parameters
        ----------
        right : Reading
            The right answer.
        names : sequence of Expr
            Names that an answer with a motion may contain; see `moving_names`.
        """
        orders = (0,) * len(names)
        entries = [
            external_function(f"answer_{k}", orders)(*names) for k in range(len(right.expressions))
        ]
        return self._page(right, self.model(*entries))

    def _page(self, right: Reading, yours: Model) -> LiveWidget:
        right_model, power = _truth(self.model, right.expressions)
        return _beside(right_model, yours, power, self.x0, self.description, **self.options)


def moving_names(right: Reading, names: Iterable[sm.Expr]) -> list[sm.Expr]:
    """Return the names that an answer with a motion may contain.

    Accelerations are left out if the right answer has none, because nothing else determines them.
    """
    leaves_of_right = set().union(*(leaves(entry) for entry in right.expressions))
    return [
        name
        for name in names
        if name in leaves_of_right or getattr(name, "derivative_count", 0) < 2
    ]


@cache  # the true motion is the same for every answer
def _truth(model: Callable[..., Model], expressions: tuple[sm.Expr, ...]) -> tuple[Model, sm.Expr]:
    right = model(*expressions)
    return right, _power(right)


def side_by_side(
    model: Callable[..., Model], x0: Sequence[float], description: str, **options: Any
) -> SideBySide:
    """Return the ``show`` of an exercise with a symbolic answer.

    Parameters
    ----------
    model : function of the answer's expressions -> Model
        An equation is passed as the expression that must be zero.
    x0, description, options
        As for `beside`.
    """
    return SideBySide(model, x0, description, options)


def solved_for(balance: sm.Expr, accelerations: Sequence[sm.Expr]) -> tuple[sm.MatrixBase, sm.Expr]:
    """Return a row of M and an entry of F from an expression that is zero.

    Parameters
    ----------
    balance : Expr
        Linear in the accelerations; an answer from the page is assumed to be.
    accelerations : sequence of n Expr

    Returns
    -------
    Matrix, shape (1, n), and Expr

    Raises
    ------
    TypeError
        If an argument is not an expression.
    ValueError
        If it does not determine the accelerations.
    """
    balance = read_expression(balance, "balance")
    accelerations = several(
        accelerations, "accelerations", lambda item: instance(item, "an acceleration", sm.Expr)
    )
    row = sm.Matrix([[balance.diff(acceleration) for acceleration in accelerations]])
    nonlinear = row.has(*accelerations) and not balance.has(ExternalFunction)
    if nonlinear or row.is_zero_matrix:
        what = agree(accelerations, "acceleration is", "accelerations are")
        raise ValueError(said("no acceleration", accelerations=what))
    at_rest = dict.fromkeys(accelerations, sm.S.Zero)
    return row.subs(at_rest), -balance.subs(at_rest)
