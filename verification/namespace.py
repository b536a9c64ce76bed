"""The machines among the names of a notebook, verified one after another.

``python -m course verify`` runs it where the notebook was executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from straightline.arguments import instance
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.models.model import Model
from verification.ladder import verify


def machines_in(names: Mapping[str, object]) -> dict[str, object]:
    """Return the models that names are bound to, each once; the equations, if there is none.

    Parameters
    ----------
    names : mapping from name to anything
        Such as ``globals()``.

    Returns
    -------
    dict from name to machine
    """
    bindings = instance(names, "names", Mapping, "such as globals()")  # type: ignore[type-abstract]
    for kinds in (Model, ConstrainedEquations, EquationsOfMotion):
        machines: dict[str, Any] = {}
        for name, value in bindings.items():
            fits = isinstance(value, kinds) and not str(name).startswith("_")
            if fits and not any(value is other or value == other for other in machines.values()):
                machines[str(name)] = value
        if machines:
            return machines
    return {}


def verify_names(names: Mapping[str, object]) -> list[tuple[str, bool, str]]:
    """Verify the machines that names are bound to.

    Parameters
    ----------
    names : mapping from name to anything

    Returns
    -------
    list of (str, bool, str)
        For each its name, whether no check failed, and the table; one that cannot be verified
        has failed, and the sentence says why.
    """
    results = []
    for name, machine in machines_in(names).items():
        try:
            verification = verify(machine)
        except (TypeError, ValueError) as error:
            results.append((name, False, f"It cannot be verified: {error}"))
            continue
        results.append((name, verification.passed, repr(verification)))
    return results
