"""Interactive elements of a page: animations, live simulations, maps, and labeled sketches."""

from typing import TYPE_CHECKING

from straightline.doors import lazy

if TYPE_CHECKING:
    from panels.animations.animation import animate
    from panels.drawing.inline import figure_as_html
    from panels.simulations.chart import Chart, EndTimes
    from panels.simulations.compare import compare
    from panels.simulations.explore import explore
    from panels.simulations.live import live, live_one_of
    from panels.simulations.live_space import live_in_space
    from panels.sketches.diagram import in_a_row
    from panels.sketches.sketch import Arrow, sketch, unit_vectors
    from panels.sketches.sketch_in_space import sketch_in_space

__all__ = [
    "Arrow",
    "Chart",
    "EndTimes",
    "animate",
    "compare",
    "explore",
    "figure_as_html",
    "in_a_row",
    "live",
    "live_in_space",
    "live_one_of",
    "sketch",
    "sketch_in_space",
    "unit_vectors",
]

__getattr__ = lazy(
    __name__,
    {
        "Arrow": "panels.sketches.sketch",
        "Chart": "panels.simulations.chart",
        "EndTimes": "panels.simulations.chart",
        "animate": "panels.animations.animation",
        "compare": "panels.simulations.compare",
        "explore": "panels.simulations.explore",
        "figure_as_html": "panels.drawing.inline",
        "in_a_row": "panels.sketches.diagram",
        "live": "panels.simulations.live",
        "live_in_space": "panels.simulations.live_space",
        "live_one_of": "panels.simulations.live",
        "sketch": "panels.sketches.sketch",
        "sketch_in_space": "panels.sketches.sketch_in_space",
        "unit_vectors": "panels.sketches.sketch",
    },
)
