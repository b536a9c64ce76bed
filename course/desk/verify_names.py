"""Verification of all machines in a namespace, such as a notebook's.

The command ``verify`` of the course runs it where the notebook was executed.
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
    """Return the models in a namespace, each once; if there are none, the equations.

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
            if fits and not any(value is held or value == held for held in machines.values()):
                machines[str(name)] = value
        if machines:
            return machines
    return {}


def verify_names(names: Mapping[str, object]) -> list[tuple[str, bool, str]]:
    """Verify the machines in a namespace.

    Parameters
    ----------
    names : mapping from name to anything

    Returns
    -------
    list of (str, bool, str)
        For each machine, its name, whether no check failed, and the table. A machine that cannot
        be verified counts as failed, and the text says why.
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
