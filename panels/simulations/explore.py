"""Sliders that call Python, for computations that a page cannot do by itself.

Deriving equations again, fitting, or solving with another tolerance requires a kernel. Without a
kernel, as on a page of the book, the picture for the initial values is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from straightline.arguments import function as checked_function

if TYPE_CHECKING:
    from panels.simulations.explore_widget import Explored


def explore(function: Callable[..., object], **controls: object) -> Explored:
    """Show a picture with controls that make Python draw it again.

    Parameters
    ----------
    function : function(**values)
        A function that draws one picture, or returns one object that displays itself, such as axes,
        a sketch, or a table. Its printed output and its warnings are shown with the picture.
    **controls : for each argument of the function
        A control of ipywidgets, such as ``FloatSlider(0.1, description="step [s]")``, or an
        abbreviation: (low, high) or (low, high, step) for a slider, a list of choices, True or
        False. A slider from an abbreviation begins at the default value of the argument. If neither
        is given, the default value determines the kind of control.

    Returns
    -------
    Explored
        In a notebook with a kernel, controls and a picture; elsewhere, the picture for the initial
        values.

    Raises
    ------
    TypeError
        If the function cannot be called with the names of the controls as arguments.
    ValueError
        If an argument has no control, an abbreviation is invalid, or the function shows no picture,
        or more than one.
    """
    checked_function(function, "function", "**controls", controls)
    from panels.simulations.explore_widget import (
        Explored,
    )  # ipywidgets is slow to import, so only when needed

    return Explored(function, controls)
