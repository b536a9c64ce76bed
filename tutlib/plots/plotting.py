"""Plots in the style of the course: Matplotlib with a style sheet that affects no other figures.

Angles are in degrees in plots and in radians in code; all other states are not converted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from straightline.aliases import Array
from straightline.arguments import instance, several, shown, whole_number
from tutlib.methods.trajectory import Trajectory
from tutlib.plots.energies import total_energy
from tutlib.plots.state_units import in_degrees, state_unit, unit_by_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tutlib.reading.parameters import Named

#: SVG metadata to leave out, so that the same figure always gives the same text.
UNDATED = {"Creator": None, "Date": None, "Format": None, "Type": None}
#: Scales of an axis.
SCALES = ("linear", "log")
_STYLE = str(resources.files("tutlib.plots") / "course.mplstyle")
#: Whether all figures of this session have the style.
_SESSION = {"style": False}
#: Units in degrees (of angle, not Celsius).
_DEGREES = re.compile(r"(deg(ree)?s?|°)(?![A-Za-z])")
Trajectories = Trajectory | Mapping[str, Trajectory] | Sequence[Trajectory]


class HasEnergies(Protocol):
    """Object with energies along a trajectory, such as a model."""

    def energies(self, t: Array, x: Array) -> Any:
        """Return the total energy [J], shape (m,), or its parts, shape (m, n), such as T and V."""
        ...


class HasMeanings(Protocol):
    """Object with the meanings of its states, such as a model."""

    @property
    def equations(self) -> Any:
        """Equations with ``states``."""
        ...

    def meaning(self, symbol: Named) -> str:
        """Return the meaning of a symbol; empty if unknown."""
        ...


def use_style() -> None:
    """Apply the style of the course to all further figures of this session.

    The notebooks of the course do so, so that figures drawn directly with Matplotlib have it, too.
    Otherwise only the figures of this module have the style, and other settings are unchanged.
    """
    _SESSION["style"] = True


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the course's style: colors, line styles, sizes, grid.

    Notebooks show figures as SVG, which is sharp at any size, and small.
    """
    import matplotlib.style

    if _SESSION["style"]:
        matplotlib.style.use(_STYLE)
    _show_as_svg()
    with matplotlib.style.context(_STYLE):
        yield


@cache
def _show_as_svg() -> None:
    """Set SVG as the format of figures in notebooks, once, so that readers can choose another."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats(  # type: ignore[no-untyped-call]
            "svg", bbox_inches=None, metadata=UNDATED
        )


def new_axes(xlabel: str, ylabel: str, **subplots: object) -> Any:
    """Return new axes in the course's style.

    Parameters
    ----------
    xlabel, ylabel : str
        Labels of the axes, with the unit.
    **subplots
        Passed to ``matplotlib.pyplot.subplots``.

    Returns
    -------
    matplotlib Axes, or an array of them
    """
    import matplotlib.pyplot as plt

    with styled():
        _, axes = plt.subplots(layout="constrained", **subplots)
        for ax in np.atleast_1d(axes).flat:
            ax.set(xlabel=xlabel, ylabel=ylabel)
            _keep_style(ax, plt.rcParams)
    return axes


def _keep_style(ax: Axes, style: Mapping[str, Any]) -> None:
    """Fix what Matplotlib would read from its settings later: lines, and ticks drawn on demand."""
    cycle = style["axes.prop_cycle"]
    widths = len(cycle) * [style["lines.linewidth"]]
    ax.set_prop_cycle(**cycle.by_key(), linewidth=widths)
    grid = {f"grid_{name}": style[f"grid.{name}"] for name in ("color", "linewidth")}
    ax.tick_params(labelsize=style["xtick.labelsize"], which="both")
    ax.tick_params(**grid)


def plot_curves(
    xlabel: str,
    ylabel: str,
    curves: dict[str, tuple[Array, Array]],
    title: str = "",
    xscale: str = "linear",
    yscale: str = "linear",
    **style: Any,
) -> Axes:
    """Plot curves in new axes, with a legend above.

    Parameters
    ----------
    xlabel, ylabel : str
        Labels of the axes, with the unit.
    curves : dict from label to (x, y)
        Two arrays of the same length for each curve.
    title : str, optional
    xscale, yscale : str
        "linear" or "log".
    **style
        Passed to ``Axes.plot``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError
        If the curves are not a dict.
    ValueError
        If a curve is not two arrays of the same length, or a scale is unknown.
    """
    for scale in (xscale, yscale):
        if not isinstance(scale, str) or scale not in SCALES:
            raise ValueError(f"a scale must be one of {', '.join(SCALES)}; got {shown(scale)}")
    ax: Axes = new_axes(xlabel, ylabel)
    for label, (x, y) in instance(curves, "curves", dict).items():
        ax.plot(x, y, label=label, **style)
    ax.set(xscale=xscale, yscale=yscale)
    ax.set_title(title, fontsize=12)
    legend_above(ax)
    return ax


def legend_above(ax: Axes, title: str = "") -> None:
    """Put the legend between axes and title, where it covers nothing, in as many columns as fit.

    Parameters
    ----------
    ax : Axes
        Axes with labeled lines.
    title : str, optional
        Title of the legend: the quantity that the labels are values of, with its unit.

    Raises
    ------
    TypeError
        If the argument is not axes.
    """
    figure, labels = _figure_of(ax), ax.get_legend_handles_labels()[1]
    if not labels:
        return
    size = ax.xaxis.label.get_fontsize()
    for columns in range(min(len(labels), 4), 0, -1):
        legend = ax.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1.01),
            ncols=columns,
            title=title or None,
            alignment="left",
            frameon=False,
            borderaxespad=0,
            columnspacing=1.4,
            fontsize=size,
            title_fontsize=size,
        )
        legend.set_in_layout(False)  # otherwise a trial would shrink the axes
        figure.draw_without_rendering()
        box = legend.get_window_extent()
        if box.width <= ax.get_window_extent().width:
            break
    legend.set_in_layout(True)
    if ax.get_title():
        ax.set_title(ax.get_title(), pad=box.height * 72 / figure.dpi + 8)


def label_lines(ax: Axes) -> None:
    """Write the label of each line at its right end, instead of a legend.

    Overlapping labels are moved apart; a thin line connects each one with its curve.

    Parameters
    ----------
    ax : Axes
        Axes with all lines, scales, and limits in place.

    Raises
    ------
    TypeError
        If the argument is not axes.
    """
    figure = _figure_of(ax)
    figure.draw_without_rendering()
    into_axes = ax.transData + ax.transAxes.inverted()
    lines = [line for line in ax.lines if not str(line.get_label()).startswith("_")]
    ends = [line.get_xydata()[-1] for line in lines]  # type: ignore[index]
    if not lines:
        return
    heights = np.array([into_axes.transform(end)[1] for end in ends])
    apart = 1.3 * 12 / 72 * figure.dpi / ax.get_window_extent().height
    for i, height in zip(np.argsort(heights), _spread(np.sort(heights), apart)):
        ax.annotate(
            str(lines[i].get_label()),
            (float(ends[i][0]), float(ends[i][1])),
            (1.04, height),
            textcoords="axes fraction",
            va="center",
            fontsize=ax.xaxis.label.get_fontsize(),
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": lines[i].get_color(), "shrinkA": 1},
        )


def _figure_of(ax: object) -> Any:
    from matplotlib.axes import Axes

    return instance(ax, "ax", Axes, "it comes from new_axes").get_figure()


def _spread(heights: Array, apart: float) -> Array:
    """Return increasing heights at least ``apart`` from each other, close to the given ones."""
    offsets = np.arange(len(heights)) * apart
    free = np.maximum.accumulate(np.clip(heights, 0, 1) - offsets)
    spread: Array = np.minimum(free, max(1 - offsets[-1], 0)) + offsets
    return spread


def read_axes(value: object, name: str) -> Axes:
    """Return the argument if it is Matplotlib axes.

    Parameters
    ----------
    value : Axes
    name : str
        Its name in messages.

    Raises
    ------
    TypeError
        If it is another object.
    """
    from matplotlib.axes import Axes

    return instance(value, name, Axes, "create them with new_axes")


def plot_states(
    trajectories: Trajectories,
    states: int | Sequence[int] = (0,),
    units: str | Sequence[str] | None = None,
    axes: object = None,
    model: HasMeanings | None = None,
) -> NDArray[np.object_]:
    """Plot selected states against time: one panel per state, one line per trajectory.

    Parameters
    ----------
    trajectories : Trajectory, mapping from label to Trajectory, or list of Trajectory
    states : sequence of int
        Columns of x to show.
    units : sequence of str, optional
        Units of the states, one for each, or one for all. One in degrees, such as ``deg`` or
        ``deg/s``, converts from radians. Unless given, they are those of the model, with degrees
        instead of radians. A state without a unit is drawn as it is; without a model, angles and
        their derivatives are recognized by names such as ``theta``.
    axes : sequence of Axes, optional
        Axes to draw in, one for each state; a new figure unless given.
    model : object with ``equations`` and ``meaning(symbol)``, optional
        A model of ``tutlib.models``, for example: it provides the meanings and units of the states.

    Returns
    -------
    array of Axes, shape (len(states),)

    Raises
    ------
    TypeError
        If an argument is not a trajectory, an index of a state, or a unit.
    ValueError
        If a state does not exist, or the numbers of units and states differ.
    """
    lines = labelled(trajectories)
    first = next(iter(lines.values()))
    states = _columns(states, min(line.x.shape[1] for line in lines.values()))
    if units is None:
        units = [_usual_unit(first, state, model) for state in states]
    units = [units] * len(states) if isinstance(units, str) else several(units, "units", _unit)
    if len(units) != len(states):
        raise ValueError(f"{len(states)} states need {len(states)} units; got {units}")
    if axes is None:
        size = (5.5, 1.4 + 2.0 * len(states))
        axes = new_axes("time [s]", "", nrows=len(states), sharex=True, figsize=size)
    panels = [read_axes(ax, "an entry of axes") for ax in np.ravel(np.array(axes, dtype=object))]
    if len(panels) != len(states):
        raise ValueError(f"{len(states)} states need {len(states)} axes; got {len(panels)}")
    for ax, state, unit in zip(panels, states, units, strict=True):
        degrees = _DEGREES.match(unit)
        for label, trajectory in lines.items():
            values = trajectory.x[:, state]
            ax.plot(trajectory.t, np.rad2deg(values) if degrees else values, label=label or None)
        name = _called(first, state, model)
        ax.set(ylabel=f"{name} [{unit}]" if unit else name)
    _finish(panels, lines)
    return np.array(panels, dtype=object)


def _usual_unit(trajectory: Trajectory, state: int, model: HasMeanings | None) -> str:
    """Return the unit of a state, with degrees for radians; empty if it is unknown."""
    if model is not None and _in_model(state, model):
        unit = state_unit(model, model.equations.states[state])
    else:
        unit = unit_by_name(trajectory.names[state]) if trajectory.names else ""
    return in_degrees(unit)


def _in_model(state: int, model: HasMeanings) -> bool:
    """Whether a model has a state of this number: a controller may have added others."""
    if not hasattr(model, "meaning"):
        raise TypeError(f"plot_states needs a model, which has meaning(symbol); got {shown(model)}")
    return hasattr(model, "equations") and state < len(model.equations.states)


def _called(trajectory: Trajectory, state: int, model: HasMeanings | None) -> str:
    """Return the axis label of a state: its meaning, if a model has one, and its symbol."""
    symbol = f"${trajectory.names[state]}$" if trajectory.names else f"state {state}"
    if model is None or not _in_model(state, model):
        return symbol
    return f"{model.meaning(model.equations.states[state])} {symbol}".strip()


def plot_energy(
    trajectories: Trajectories,
    model: HasEnergies | Callable[[Array, Array], Any],
    ax: Axes | None = None,
) -> Axes:
    """Plot the total energy against time.

    Parameters
    ----------
    trajectories : Trajectory, mapping from label to Trajectory, or list of Trajectory
    model : object with ``energies(t, x)``, or that function itself
        A model of ``tutlib.models``, for example. The function is called with all times, shape
        (m,), and states, shape (m, k); if that fails, with one time and its state. It returns the
        total energy [J], or its parts, such as kinetic and potential energy, which are added.
    ax : Axes, optional
        Axes to draw in; a new figure unless given.

    Returns
    -------
    Axes

    Raises
    ------
    TypeError
        If an argument is not a trajectory, or the model has no energies.
    ValueError
        If the energies are not one number, or a few parts, for each time.
    """
    lines = labelled(trajectories)
    energies = getattr(model, "energies", model)
    if not callable(energies):
        raise TypeError(f"plot_energy needs a model, which has energies(t, x); got {shown(model)}")
    totals = {label: total_energy(energies, line) for label, line in lines.items()}
    ax = read_axes(new_axes("time [s]", "energy [J]") if ax is None else ax, "ax")
    for label, trajectory in lines.items():
        ax.plot(trajectory.t, totals[label], label=label)
    ax.set(xlabel="time [s]", ylabel="energy [J]")
    _finish([ax], lines)
    return ax


def labelled(trajectories: object) -> dict[str, Trajectory]:
    """Return trajectories by label; those of a list are numbered, a single one has no label.

    Raises
    ------
    TypeError
        If an argument is not a trajectory.
    ValueError
        If there is no trajectory.
    """
    if isinstance(trajectories, Mapping):
        named = {str(label): trajectory for label, trajectory in trajectories.items()}
    elif isinstance(trajectories, list | tuple):
        numbers = map(str, range(1, len(trajectories) + 1))
        named = dict(zip(numbers if len(trajectories) > 1 else [""], trajectories))
    else:
        named = {"": trajectories}
    if not named:
        raise ValueError("trajectories is empty: there is no trajectory to show")
    for trajectory in named.values():
        instance(trajectory, "each entry of trajectories", Trajectory, "it comes from integrate")
    return named


def _columns(states: Any, count: int) -> list[int]:
    """Return the selected columns of x, also if a single one is given."""
    chosen = [states] if np.ndim(states) == 0 else list(states)
    if any(isinstance(state, str) for state in chosen):
        raise TypeError(f"states must be column numbers of x, from 0; got {shown(states)}")
    numbers = [whole_number(state, "a state's number") for state in chosen]
    if not numbers or any(not 0 <= state < count for state in numbers):
        raise ValueError(f"states must be from 0 to {count - 1}; got {numbers}")
    return numbers


def _unit(value: object) -> str:
    return instance(value, "a unit", str)


def _finish(panels: Sequence[Axes], labels: Mapping[str, object]) -> None:
    panels[-1].set(xlabel="time [s]")
    if any(labels):
        legend_above(panels[0])
