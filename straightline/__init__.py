"""Formulas as straight-line programs: single assignments that run as WebAssembly, or print as text.

A program knows neither mechanics nor methods. What writes and runs it stays in the modules.
"""

from typing import TYPE_CHECKING

from straightline.doors import lazy

if TYPE_CHECKING:
    from straightline.assignments import where
    from straightline.formula_source import followed_source, operation_count
    from straightline.machine import SlowWarning
    from straightline.tracing import CannotFollowError, follow

__all__ = [
    "CannotFollowError",
    "SlowWarning",
    "follow",
    "followed_source",
    "operation_count",
    "where",
]

__getattr__ = lazy(
    __name__,
    {
        "CannotFollowError": "straightline.tracing",
        "SlowWarning": "straightline.machine",
        "follow": "straightline.tracing",
        "followed_source": "straightline.formula_source",
        "operation_count": "straightline.formula_source",
        "where": "straightline.assignments",
    },
)
