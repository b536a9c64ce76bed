"""Picture of one Runge-Kutta step: the position of each stage, and its slope.

It is drawn from the tableau, so it works for every explicit method, including a reader's own.
Chapter 4 shows Euler, the midpoint method, and RK4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from straightline.arguments import instance, real_number
from tutlib.aliases import Function
from tutlib.fields import as_field
from tutlib.methods.adaptive import integrate_adaptive
from tutlib.methods.checks import check_step_size
from tutlib.methods.tableaus import DOP853, ButcherTableau
from tutlib.plots.plotting import legend_above, new_axes, read_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_stages(
    f: Function,
    t: float,
    x: float,
    h: float,
    tableau: ButcherTableau,
    ax: Axes | None = None,
) -> Axes:
    """Draw one step of x' = f(t, x) for a single unknown: the stages, their slopes, the result.

    Parameters
    ----------
    f : function (t, x) -> array of shape (1,)
        x has shape (1,), too.
    t, x : float
        Start of the step.
    h : float
        Step size [s].
    tableau : ButcherTableau
        An explicit method.
    ax : Axes, optional
        Axes to draw in; new ones unless given.

    Returns
    -------
    Axes

    Raises
    ------
    TypeError
        If t, x, or h is not a number, or the tableau or the axes are of another type.
    ValueError
        If the tableau is implicit or h is not positive.
    """
    t, x, h = real_number(t, "t"), real_number(x, "x"), check_step_size(h)
    pair = instance(tableau, "the tableau", ButcherTableau, "such as RK4").pair
    axes = read_axes(new_axes("time [s]", "x", figsize=(5.5, 4.6)) if ax is None else ax, "ax")
    times = np.linspace(t, t + 1.15 * h, 60)
    exact = integrate_adaptive(f, times, [x], 1e-9, 1e-12, DOP853)
    axes.plot(exact.t, exact.x[:, 0], color="0.4", linestyle="-", marker="", label="true motion")
    field, slopes = as_field(f), list[float]()
    for i, (c, row) in enumerate(zip(pair.c, pair.A)):
        at, here = t + c * h, x + h * float(row[:i] @ slopes)
        slopes.append(float(field(at, np.array([here]))[0]))
        _draw_stage(axes, i, at, here, slopes[-1], h)
        if i:
            axes.plot([t, at], [x, here], ":", color=f"C{i % 8}", marker="", linewidth=1.2)
    result = x + h * float(pair.b @ slopes)
    axes.plot([t, t + h], [x, result], "--k", marker="", linewidth=1.2)
    axes.plot(t + h, result, "k*", markersize=12, label="the step's result")
    axes.set(title=tableau.name)
    legend_above(axes)
    return axes


def _draw_stage(axes: Axes, i: int, t: float, x: float, slope: float, h: float) -> None:
    reach = 0.13 * h
    color = f"C{i % 8}"
    axes.plot(
        *([t - reach, t + reach], [x - slope * reach, x + slope * reach]),
        *("-",),
        color=color,
        marker="",
        linewidth=3,
    )
    axes.plot(t, x, "o", color=color, label=f"stage {i + 1}: slope {slope:.3g}".replace("-", "−"))
