"""Formulas as straight-line programs: single assignments that run as WebAssembly, or print as text.

The package does not depend on mechanics or numerical methods.
"""

from typing import TYPE_CHECKING

from straightline.doors import lazy

if TYPE_CHECKING:
    from straightline.assignments import Number, Unknown, where
    from straightline.expressions import from_sympy
    from straightline.formulas import Formula, trace
    from straightline.linear_algebra import solve
    from straightline.machine import Machine
    from straightline.routines import Program
    from straightline.tracing import CannotTrace

__all__ = [
    "CannotTrace",
    "Formula",
    "Machine",
    "Number",
    "Program",
    "Unknown",
    "from_sympy",
    "solve",
    "trace",
    "where",
]

__getattr__ = lazy(
    __name__,
    {
        "CannotTrace": "straightline.tracing",
        "Formula": "straightline.formulas",
        "Machine": "straightline.machine",
        "Number": "straightline.assignments",
        "Program": "straightline.routines",
        "Unknown": "straightline.assignments",
        "from_sympy": "straightline.expressions",
        "solve": "straightline.linear_algebra",
        "trace": "straightline.formulas",
        "where": "straightline.assignments",
    },
)
