"""Pictures with ipywidgets controls above them: each change makes Python draw again."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from IPython import get_ipython
from IPython.display import display
from IPython.utils.capture import capture_output
from ipywidgets import interactive

from tutlib.progress import without_bars

Shown = list[dict[str, Any]]


class Explored(interactive):  # type: ignore[misc]
    """A picture that follows its controls, made by `explore`.

    Parameters
    ----------
    function : callable
    controls : mapping from argument to control
        Controls of ipywidgets, or their abbreviations.
    """

    def __init__(self, function: Callable[..., object], controls: dict[str, object]) -> None:
        self.first: dict[str, Any] | None = None
        super().__init__(function, **controls)
        for control in self.kwargs_widgets:
            control.style.description_width = "initial"  # show names and units in full
            control.layout.width = "min(30rem, 95%)"
            if control.has_trait("continuous_update"):
                control.continuous_update = False  # Python is called only when a slider is released

    def update(self, *_: object) -> None:
        """Call the function with the values of the controls, and show its picture."""
        self.kwargs = {w._kwarg: w.get_interact_value() for w in self.kwargs_widgets}
        if self.first is None:
            shown = self.drawn()
            self.first = next((output["data"] for output in shown if "data" in output), {})
        else:
            try:
                shown = self.drawn()
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
                shown = [{"output_type": "error", "ename": "", "evalue": "", "traceback": [text]}]
        self.out.outputs = tuple(shown)

    def drawn(self) -> Shown:
        """Return the single picture that the function draws, its printed output, and warnings."""
        with without_bars(), warnings.catch_warnings(), capture_output() as captured:
            self.result = self.f(**self.kwargs)
            _show(self.result, bool(captured.outputs))
        pictures = [o for o in captured.outputs if {*o.data} - {"text/plain"}]
        pictures = pictures or captured.outputs
        if len(pictures) > 1:
            raise ValueError(
                f"the function must show one picture; it showed {len(pictures)}: draw them in one "
                "figure, such as with plt.subplots"
            )
        if not pictures and not captured.stdout and get_ipython():
            raise ValueError(
                "the function showed no picture: draw one and end with plt.show(), or return an "
                "object to display, such as a sketch or a table"
            )
        return [
            *_printed("stdout", captured.stdout),
            *(
                {"output_type": "display_data", "data": o.data, "metadata": o.metadata or {}}
                for o in pictures
            ),
            *_printed("stderr", captured.stderr),
        ]

    def _repr_mimebundle_(self, **options: object) -> Any:
        """Show controls and picture with a kernel, and the first picture without one."""
        return {**super()._repr_mimebundle_(**options), **(self.first or {})}


def _show(result: object, shown: bool) -> None:
    """Display the figures that were drawn and not shown, and what the function returned."""
    pyplot, figures = sys.modules.get("matplotlib.pyplot"), _figures_in(result)
    if pyplot and pyplot.get_fignums():
        pyplot.show()
        return
    for thing in figures or [result]:
        if thing is not None and not (shown and figures):
            display(thing)  # type: ignore[no-untyped-call]


def _figures_in(result: Any) -> list[object]:
    """Return the figures of returned axes, lines, and other artists, each once."""
    if isinstance(result, np.ndarray) and result.dtype == object:
        result = [*result.flat]
    if isinstance(result, list | tuple):
        return list({id(f): f for item in result for f in _figures_in(item)}.values())
    artist = sys.modules.get("matplotlib.artist")
    if not artist or not isinstance(result, artist.Artist):
        return []
    return [figure] if (figure := result.get_figure(root=True)) else []


def _printed(stream: str, text: str) -> Shown:
    """Return the output of what was printed, if anything was."""
    return [{"output_type": "stream", "name": stream, "text": text}] if text else []
