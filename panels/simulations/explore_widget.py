"""Pictures with ipywidgets controls above them: each change makes Python draw again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
            control.style.description_width = "initial"  # a name with its unit is shown whole
            control.layout.width = "min(30rem, 95%)"
            if control.has_trait("continuous_update"):
                control.continuous_update = False  # Python is asked once, when the hand rests

    def update(self, *_: object) -> None:
        """Call the function with the values of the controls, and show its picture."""
        self.kwargs = {w._kwarg: w.get_interact_value() for w in self.kwargs_widgets}
        if self.first is None:
            shown = self.drawn()
            self.first = shown[0]["data"] if shown else {}
        else:
            try:
                shown = self.drawn()
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
                shown = [{"output_type": "error", "ename": "", "evalue": "", "traceback": [text]}]
        self.out.outputs = tuple(shown)

    def drawn(self) -> Shown:
        """Return the one picture that the function draws for the values of the controls."""
        with without_bars(), capture_output() as captured:
            self.result = self.f(**self.kwargs)
            if self.result is not None:
                display(self.result)  # type: ignore[no-untyped-call]
        if captured.stdout or captured.stderr or len(captured.outputs) > 1:
            raise ValueError(
                "the function must show one picture, or return one thing that shows itself, and "
                f"print nothing; it showed {len(captured.outputs)}, and printed "
                f"{captured.stdout + captured.stderr!r}"
            )
        return [
            {"output_type": "display_data", "data": output.data, "metadata": output.metadata or {}}
            for output in captured.outputs
        ]

    def _repr_mimebundle_(self, **options: object) -> Any:
        """Show controls and picture with a kernel, and the first picture without one."""
        return {**super()._repr_mimebundle_(**options), **(self.first or {})}
