"""Sliders that call Python, for computations that a page cannot do by itself.

To derive again, to fit, or to solve with another tolerance takes a kernel. Without one, as on a
page of the book, the picture for the initial values is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from straightline.arguments import function as checked_function

if TYPE_CHECKING:
    from panels.simulations.explore_widget import Explored


def explore(function: Callable[..., object], **controls: object) -> Explored:
    """Show a picture below controls that ask Python to draw it again.

    Parameters
    ----------
    function : function(**values)
        Draws one picture, or returns one thing that shows itself, such as axes, a sketch, or a
        table. What it prints, and its warnings, are shown with the picture.
    **controls : for each argument of the function
        A control of ipywidgets, such as ``FloatSlider(0.1, description="step [s]")``, or an
        abbreviation: (low, high) or (low, high, step) of a slider, a list of choices, True or
        False. A slider of an abbreviation begins at the argument's default; without either, a
        default alone says what kind of control it takes.

    Returns
    -------
    Explored
        In a notebook with a kernel: controls and picture. Elsewhere: the picture for the first
        values.

    Raises
    ------
    TypeError
        If the function cannot be called, or not with what the controls are named.
    ValueError
        If an argument has no control, if none can be made of an abbreviation, or if the function
        shows no picture, or more than one.
    """
    checked_function(function, "function", "**controls", controls)
    from panels.simulations.explore_widget import (
        Explored,
    )  # ipywidgets takes its time: only when needed

    return Explored(function, controls)
