"""Animations of the museum's machines: each wrong machine over the right one, from the same state.

Some errors are hidden while all lengths are equal, so each exhibit has parameters that reveal it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from panels.animations.animation import Animation, animate
from straightline.arguments import instance
from tutlib.methods.integration import integrate
from tutlib.methods.trajectory import SimulationError, Trajectory
from tutlib.models.model import Model
from verification.museum import MUSEUM, Exhibit

_STEP = 0.01
WRONG, RIGHT = "wrong", "right"


@dataclass(frozen=True)
class _Setting:
    """Initial coordinates [rad, m], changed parameters and inputs, and duration [s] of a motion."""

    start: tuple[float, ...]
    values: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 6.0


_SETTINGS = dict(
    zip(
        (exhibit.name for exhibit in MUSEUM),
        (
            _Setting((1.2, 1.9), {"l_1": 1.6}),
            _Setting((0.5,)),
            _Setting((0.0, 0.0), inputs={"tau_2": 3.0}),
            _Setting((1.0, 0.0)),
            _Setting((1.2,)),
            _Setting((1.2, 0.6), {"d_2": 0.9}),
            _Setting((0.4,)),
            _Setting((1.2, 0.6)),
            _Setting((0.0, 2.0)),
            _Setting((1.0, -0.5, -1.0), seconds=2.5),
            _Setting((0.6, -0.8)),
            _Setting((0.3,), {"h_s": 0.6}),
        ),
    )
)


def exhibited(exhibit: Exhibit) -> Animation:
    """Return an animation of a wrong machine and, faint, of the right one.

    Parameters
    ----------
    exhibit : Exhibit
        An exhibit of the `MUSEUM`.

    Returns
    -------
    Animation

    Raises
    ------
    TypeError
        If it is not an `Exhibit`.
    """
    runs, models = motions(exhibit), machines(exhibit)
    description = f"{exhibit.name}: a {models[RIGHT].name} with a mistake; the right one is faint."
    return animate(runs, models, description, ghosts=[RIGHT])


def motions(exhibit: Exhibit) -> dict[str, Trajectory]:
    """Return the motions of the wrong machine and of the right one.

    If the wrong machine's simulation fails, its motion ends there.

    Parameters
    ----------
    exhibit : Exhibit

    Returns
    -------
    dict
        From ``"wrong"`` and ``"right"`` to Trajectory.

    Raises
    ------
    TypeError
        If it is not an `Exhibit`.
    """
    return {label: _motion(model, exhibit.name) for label, model in machines(exhibit).items()}


def machines(exhibit: Exhibit) -> dict[str, Model]:
    """Return both machines, with parameters that reveal the error, under the same labels.

    Parameters
    ----------
    exhibit : Exhibit

    Raises
    ------
    TypeError
        If it is not an `Exhibit`.
    """
    piece = instance(exhibit, "exhibit", Exhibit, "such as MUSEUM[0]")
    setting, models = _SETTINGS[piece.name], {}
    for label, model in ((WRONG, piece.wrong()), (RIGHT, piece.right())):
        names = {str(symbol) for symbol in model.parameters}
        values = {name: value for name, value in setting.values.items() if name in names}
        inputs: dict[Any, float] = {
            symbol: setting.inputs.get(str(symbol).removesuffix("(t)"), 0.0)
            for symbol in model.equations.inputs
        }
        models[label] = model.with_parameters(values).with_inputs(inputs)
    return models


def _motion(model: Model, name: str) -> Trajectory:
    """Return the motion of a model with the setting of an exhibit."""
    setting = _SETTINGS[name]
    if model.constraints:
        x0 = model.consistent_state(setting.start)
    else:
        x0 = np.concatenate([setting.start, np.zeros(len(model.equations.u))])
    times = np.linspace(0, setting.seconds, round(setting.seconds / _STEP) + 1)
    try:
        with warnings.catch_warnings():
            # a negative mass is what the animation shows, and so is a wrong independent speed
            warnings.simplefilter("ignore")
            f = model.compile()
            mechanism: Any = f.mechanism
            f = replace(f, mechanism=replace(mechanism, dependence=None))
            return integrate(f, times, x0)
    except SimulationError as error:
        return error.trajectory
