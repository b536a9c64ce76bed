"""Picture of the motions of two machines: each output against time, the reader's and the true.

Exercises that ask for a whole machine show it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course.judge.machine_trials import Trial
from panels.drawing.inline import figure_as_html
from tutlib.methods.trajectory import SimulationError
from tutlib.plots.plotting import legend_above, new_axes
from tutlib.reading.names import listed


def both_motions(trial: Trial) -> str:
    """Return a picture of the outputs of two machines along their motions.

    Parameters
    ----------
    trial : Trial

    Returns
    -------
    str
        HTML.

    Raises
    ------
    ValueError
        If one of them has no motion, with a sentence.
    """
    try:
        mine, right = trial.motions
    except SimulationError as error:
        raise ValueError(f"the motion of your machine ends: {error}") from error
    names = [name for name in right if name != "time"]
    axes = np.atleast_1d(
        new_axes(
            "time [s]", "", nrows=len(names), sharex=True, figsize=(6.4, 1.2 + 1.5 * len(names))
        )
    )
    for ax, name in zip(axes, names):
        unit = trial.units.get(name, "")
        ax.set(xlabel="", ylabel=f"{name} [{unit}]" if unit else name)
        _draw(ax, mine["time"], mine[name], right[name])
    axes[-1].set_xlabel("time [s]")
    legend_above(axes[0])
    return figure_as_html(
        axes[0].figure,
        f"{listed(names)} against time for {trial.duration:g} s, of your machine dashed over that "
        "of the machine asked for.",
    )


def _draw(ax: Any, times: Any, mine: Any, right: Any) -> None:
    ax.plot(times, right, marker="", color="C0", alpha=0.5, lw=4, label="asked for")
    ax.plot(times, mine, marker="", color="C1", ls="--", label="yours")
