"""The ladder of `verify`: independent checks of a machine, in the order an expert would choose.

No check repeats the derivation; each computes the same numbers with a different method. A machine
that passes all checks is not proven right, but one that fails a check is wrong, and the first rung
that fails shows where to look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from tutlib.reading.parameters import Values
from verification.constraints import constraints, why_no_state
from verification.differentiation import NoNumberError
from verification.energy import energy
from verification.mass_matrix import mass_matrix
from verification.momentum import momentum
from verification.newton import newton
from verification.results import Rung, Verification
from verification.small_motions import orders, small_motions
from verification.subject import Subject
from verification.units import units as check_units
from verification.verification_input import read_subject

if TYPE_CHECKING:
    import sympy as sm


#: The checks, in their order.
LADDER: dict[str, Callable[[Subject], Rung]] = {
    "units": check_units,
    "mass matrix": mass_matrix,
    "energy and power": energy,
    "Newton's laws": newton,
    "momentum": momentum,
    "constraints": constraints,
    "small motions": small_motions,
    "order of a method": orders,
}


def verify(
    machine: object,
    values: Values | None = None,
    units: Mapping[sm.Expr | str, str] | None = None,
    near: ArrayLike | None = None,
    gravity: sm.Expr | str | float | None = None,
) -> Verification:
    """Check a machine with many independent methods, and report the results.

    Newton's laws, Lagrange's equations, and energies are evaluated independently of how the
    machine was derived.

    Parameters
    ----------
    machine : Model, EquationsOfMotion, ConstrainedEquations, KanesMethod or LagrangesMethod
        More information allows more checks: a `Model` has energies, and may have bodies, loads
        and units.
    values : mapping from parameter (or its name) to number, optional
        The values around which numbers are drawn; a model's own unless given.
    units : mapping from symbol (or its name) to str, optional
        Such as ``{"m": "kg", "k": "N/m"}``, in addition to those of the model.
    near : array, shape (number of states,), optional
        A state around which others are drawn; zero unless given. Small motions are checked about
        a state of rest near it or, if it moves, about a steady motion, such as a circular orbit.
    gravity : Symbol, str or float, optional
        The gravitational acceleration [m/s²]: a parameter, or a number. Unless given, it is a
        parameter g or one in m/s² in the potential energy, or it is inferred from V and the
        heights of the bodies.

    Returns
    -------
    Verification
        The results: print them, or read ``passed`` and ``failed``, the first check that failed.

    Raises
    ------
    TypeError, ValueError
        If the machine cannot be verified; the message gives the reason.

    References
    ----------
    :cite:p:`GoldsteinPooleSafko2002`, chapters 1 and 2.
    """
    subject = read_subject(machine, values, units, near, gravity)
    if not subject.states:
        raise ValueError(f"no state of the {subject.name} was found {why_no_state(subject)}")
    return Verification(subject.name, tuple(climb(name, subject) for name in LADDER))


def climb(name: str, subject: Subject) -> Rung:
    """Return the result of one check; it does not apply to functions without a derivative."""
    try:
        return LADDER[name](subject)
    except NoNumberError as error:
        return Rung(name, None, f"It cannot be checked: {error}.")
