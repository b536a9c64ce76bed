"""One look for every figure of the course: Matplotlib's, with our style sheet.

Angles are shown in degrees to people and kept in radians in code.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tutlib.methods.trajectory import Trajectory
from tutlib.programs.right_hand_side import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Trajectories = Trajectory | Mapping[str, Trajectory]


class HasEnergies(Protocol):
    """Whatever gives kinetic and potential energy along a trajectory, such as a model."""

    def energies(self, t: Array, x: Array) -> Array:
        """Return kinetic and potential energy [J], shape (m, 2)."""
        ...


def use_style() -> None:
    """Give all later figures the look of the course: colors, line styles, sizes, grid."""
    import matplotlib.pyplot as plt

    plt.style.use(str(resources.files("tutlib.pictures") / "course.mplstyle"))


def new_axes(xlabel: str, ylabel: str, **subplots: Any) -> Any:
    """Return fresh axes in the look of the course.

    Parameters
    ----------
    xlabel, ylabel : str
        What the axes show, with the unit.
    **subplots
        Handed to ``matplotlib.pyplot.subplots``.

    Returns
    -------
    matplotlib Axes, or an array of them
    """
    import matplotlib.pyplot as plt

    use_style()
    _, axes = plt.subplots(layout="constrained", **subplots)
    for ax in np.atleast_1d(axes).flat:
        ax.set(xlabel=xlabel, ylabel=ylabel)
    return axes


def figure_as_html(figure: Any, description: str) -> str:
    """Close a figure and return it as HTML, with a description for readers who do not see it."""
    import matplotlib.pyplot as plt

    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=100)
    plt.close(figure)
    data = base64.b64encode(drawn.getvalue()).decode()
    return f'<img alt="{html.escape(description)}" src="data:image/png;base64,{data}">'


def plot_states(
    trajectories: Trajectories,
    states: Sequence[int] = (0,),
    units: Sequence[str] = ("deg",),
    axes: Any = None,
) -> Any:
    """Plot chosen states against time, one panel a state, one line a trajectory.

    Parameters
    ----------
    trajectories : Trajectory or mapping from label to Trajectory
    states : sequence of int
        Which columns of x to show.
    units : sequence of str
        Their units, one for each. A unit that starts with ``deg`` converts from radians.
    axes : sequence of Axes, optional
        Where to draw, one for each state; a new figure unless given.

    Returns
    -------
    array of Axes, shape (len(states),)

    Raises
    ------
    ValueError
        If there is no such state, or units and states differ in number.
    """
    lines = _labelled(trajectories)
    if len(units) != len(states):
        raise ValueError(f"{len(states)} states need {len(states)} units; got {list(units)}")
    first = next(iter(lines.values()))
    if any(not 0 <= state < first.x.shape[1] for state in states):
        raise ValueError(f"there are states 0 to {first.x.shape[1] - 1}; got {list(states)}")
    if axes is None:
        size = (7.0, 1.2 + 2.2 * len(states))
        axes = new_axes("time [s]", "", nrows=len(states), sharex=True, figsize=size)
    panels = np.atleast_1d(axes)
    for ax, state, unit in zip(panels, states, units, strict=True):
        for label, trajectory in lines.items():
            values = trajectory.x[:, state]
            shown = np.rad2deg(values) if unit.startswith("deg") else values
            ax.plot(trajectory.t, shown, label=label or None)
        name = f"${first.names[state]}$" if first.names else f"state {state}"
        ax.set(ylabel=f"{name} [{unit}]")
    _finish(panels, lines)
    return panels


def plot_energy(
    trajectories: Trajectories, model: HasEnergies, parts: bool = False, ax: Axes | None = None
) -> Axes:
    """Plot the total energy against time, and its parts if asked.

    Parameters
    ----------
    trajectories : Trajectory or mapping from label to Trajectory
    model : object with ``energies(t, x)``
        Such as those of ``tutlib.models``.
    parts : bool
        Whether to draw kinetic and potential energy as well.
    ax : Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    Axes
    """
    lines = _labelled(trajectories)
    ax = new_axes("time [s]", "energy [J]", figsize=(7.0, 3.2)) if ax is None else ax
    for label, trajectory in lines.items():
        kinetic, potential = model.energies(trajectory.t, trajectory.x).T
        prefix = f"{label}: " if label else ""
        ax.plot(trajectory.t, kinetic + potential, label=(prefix + "total") if parts else label)
        if parts:
            ax.plot(trajectory.t, kinetic, label=prefix + "kinetic $T$")
            ax.plot(trajectory.t, potential, label=prefix + "potential $V$")
    ax.set(xlabel="time [s]", ylabel="energy [J]")
    _finish([ax], lines if not parts else {"parts": None})
    return ax


def _labelled(trajectories: Trajectories) -> Mapping[str, Trajectory]:
    return {"": trajectories} if isinstance(trajectories, Trajectory) else trajectories


def _finish(panels: Any, labels: Mapping[str, Any]) -> None:
    panels[-1].set(xlabel="time [s]")
    if any(labels):
        panels[0].legend()
