"""How a call was answered: whose sentence it was, and whether something was wrong in silence."""

from __future__ import annotations

import dis
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import TracebackType

import numpy as np
import sympy as sm

import course
import panels
import straightline
import tutlib
import verification
from tests.fuzz import corruptions, things
from tests.fuzz.targets import OURS

FINE = "fine"
REFUSED = "refused by a sentence of ours"
RAW = "raw message of Python, NumPy or SymPy"
INTERNAL = "internal error"
NOT_FINITE = "not finite, in silence"
HANG = "hang"
CRASH = "crash"
NO_CALL = "no call"
VERDICTS = (FINE, REFUSED, RAW, INTERNAL, NOT_FINITE, HANG, CRASH)
#: What must not happen at all.
BAD = (INTERNAL, NOT_FINITE, HANG, CRASH)

_OURS = tuple(
    str(Path(package.__file__).parent)
    for package in (course, straightline, tutlib, panels, verification)
)
_READERS = (things.__file__, corruptions.__file__)
_PLAIN = (TypeError, ValueError, OverflowError, OSError, ModuleNotFoundError)


def of_error(error: BaseException) -> str:
    """Return the verdict on what was raised."""
    last = _last(error.__traceback__)
    if last is None or last.tb_frame.f_code.co_filename in _READERS:
        return FINE  # the call's own signature, or the reader's own function
    own = type(error).__module__.startswith(OURS)
    if last.tb_frame.f_code.co_filename.startswith(_OURS) and _is_raised(last):
        plain = isinstance(error, (*_PLAIN, UserWarning))
        return REFUSED if str(error) and (own or plain) else INTERNAL
    exact = type(error) in (TypeError, ValueError, OverflowError, UnicodeDecodeError)
    inside = "/sympy/" in last.tb_frame.f_code.co_filename
    return RAW if isinstance(error, OSError) or (exact and not inside) else INTERNAL


def _last(traceback: TracebackType | None) -> TracebackType | None:
    """Return where something was raised; None where that is the call itself."""
    last = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename != "<call>":
            last = traceback
        elif traceback.tb_next is None:
            return None
        traceback = traceback.tb_next
    return last


def _is_raised(last: TracebackType) -> bool:
    """Tell whether a ``raise`` is written there, and not what raises by itself."""
    code = last.tb_frame.f_code.co_code
    return code[last.tb_lasti] == dis.opmap["RAISE_VARARGS"]


def of_result(result: object, finite: bool, said: bool) -> str:
    """Return the verdict on what was returned, for arguments that are finite or not."""
    return NOT_FINITE if finite and not said and not is_finite(result) else FINE


def is_finite(result: object, depth: int = 4) -> bool:
    """Tell whether no number in a result is nan or infinite."""
    if isinstance(result, float | complex | np.number):
        return bool(np.isfinite(result))
    if isinstance(result, np.ndarray) and result.dtype.kind in "fc":
        return bool(np.isfinite(result).all())
    if isinstance(result, sm.Basic | sm.MatrixBase):
        return not result.has(sm.nan, sm.zoo, sm.oo, -sm.oo)
    entries: list[object] = []
    if isinstance(result, dict):
        entries = [*result.values()]
    elif isinstance(result, list | tuple) or (
        isinstance(result, np.ndarray) and result.dtype == object
    ):
        entries = list(np.ravel(result)) if isinstance(result, np.ndarray) else [*result]
    elif is_dataclass(result) and not isinstance(result, type):
        entries = [getattr(result, field.name, None) for field in fields(result)]
    return not depth or all(is_finite(entry, depth - 1) for entry in entries[:1000])
