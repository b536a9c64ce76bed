"""Several motions in one panel, and named settings: `runs` and `presets` of `live`.

Chapter 3 shows two chains in one panel, chapter 4 five integrators, and chapter 7 a ghost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from panels.simulations.name_index import NameIndex
from panels.simulations.outputs import Outputs
from straightline.aliases import Array
from straightline.arguments import instance, mapping, several, shown, text
from tutlib.models.model import Model
from tutlib.reading.motions import initial_state
from tutlib.reading.names import plain_name

if TYPE_CHECKING:
    import sympy as sm


#: Parts of a panel that a preset may show or hide.
VIEWS = ("trace", "portrait")


@dataclass(frozen=True)
class RunModel:
    """A run with its own model.

    Parameters
    ----------
    model : Model
    start : array, optional
        Its initial state; None if the states are those of the panel's own model.
    """

    model: Model
    start: Array | None

    @property
    def outputs(self) -> Outputs:
        """The outputs of the states."""
        return Outputs(self.model)


def model_of_run(
    label: object, settings: Mapping[sm.Expr | str, object], first: Model
) -> RunModel | None:
    """Return the model of a run; None if it uses the model of the panel.

    Parameters
    ----------
    label : str
    settings : mapping
        Its entry in ``runs``, with ``"model"`` and ``"start"``, among others.
    first : Model
        The model of the panel.

    Raises
    ------
    TypeError, ValueError
        If it is not a model, has another drawing, or needs an initial state.
    """
    if "model" not in settings:
        if "start" in settings:
            raise ValueError(f'the run {label} has a "start", but no "model" of its own')
        return None
    model = instance(settings["model"], f"the model of the run {label}", Model)
    model.compile()  # rejects what cannot be simulated, with a clear sentence
    drawn = [(len(s.points), s.lines, s.bodies) for s in (first.skeleton, model.skeleton)]
    if drawn[0] != drawn[1]:
        raise ValueError(f"the run {label} must have the points, lines and bodies of {first.name}")
    names = [[plain_name(s) for s in each.equations.states] for each in (first, model)]
    if "start" not in settings:
        if names[0] != names[1]:
            raise ValueError(
                f'the run {label} needs a "start": its states {", ".join(names[1])} are not '
                f"{', '.join(names[0])}"
            )
        return RunModel(model, None)
    start = initial_state(settings["start"])
    if len(start) != len(names[1]):
        raise ValueError(f"{model.name} has {len(names[1])} states; got {len(start)}")
    return RunModel(model, np.asarray(start, dtype=float))


def run_data(label: object, settings: object, name_index: NameIndex) -> dict[str, Any]:
    """Return a run's own parameters, states, method, step size, and ghost, for the page."""
    settings = mapping(settings, f"the run {label}", '{"h": 0.001}')
    rest = {k: v for k, v in settings.items() if k not in ("model", "start", "ghost")}
    run = name_index.setting(rest, f"the run {label}")
    data = {"label": text(label, "a label of runs"), "parameters": run["p"], "state": run["x0"]}
    data |= {key: run[key] for key in ("method", "h") if key in run}
    return data | ({"ghost": True} if settings.get("ghost") else {})


def preset_data(
    label: object, settings: object, name_index: NameIndex, arrows: Sequence[Mapping[str, str]]
) -> dict[str, object]:
    """Return a setting with a name, for the page.

    Parameters
    ----------
    label : str
    settings : mapping
        Parameters, states, ``"method"``, ``"h"``, ``"trace"``, ``"portrait"``, and ``"arrows"``:
        the labels of those that are shown.
    name_index : NameIndex
    arrows : sequence of mappings with ``name`` and ``label``

    Raises
    ------
    TypeError, ValueError
        With the name of the invalid setting.
    """
    of = f"the preset {label}"
    settings = mapping(settings, of, '{"method": "euler", "h": 0.05}')
    rest = {k: v for k, v in settings.items() if k not in (*VIEWS, "arrows")}
    data = {"label": text(label, "a label of presets"), **name_index.setting(rest, of)}
    data |= {view: bool(settings[view]) for view in VIEWS if view in settings}
    if "arrows" in settings:
        wanted = several(settings["arrows"], f"arrows of {of}", lambda label: label)
        names = {arrow["label"]: arrow["name"] for arrow in arrows}
        for unknown in (label for label in wanted if label not in names):
            raise ValueError(f"{of} has no arrows {shown(unknown)}; choose from {[*names]}")
        data |= {name: label in wanted for label, name in names.items()}
    return data
