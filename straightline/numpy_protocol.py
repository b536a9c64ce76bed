"""NumPy, math, and builtin functions that take unknown numbers while a function is traced.

A function that would ask for a value, print, or draw random numbers raises an error instead.
"""

from __future__ import annotations

import builtins
import math
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from straightline.aliases import Array
from straightline.arguments import real_array
from straightline.assignments import Condition, Unknown, refusal, where
from straightline.functions import BY_NAME
from straightline.hyperbolic import error_function
from straightline.linear_algebra import solve_general


def is_unknown(value: object) -> bool:
    """Tell whether a value is an unknown number, or an array or a list that holds one."""
    if isinstance(value, Unknown | Condition):
        return True
    entries = np.ravel(np.asarray(value, dtype=object)) if _may_hold(value) else ()
    return any(isinstance(entry, Unknown) for entry in entries)


def numbers(values: object, name: str = "an array") -> Array:
    """Return a fresh array of floats; of unknown numbers, if there are any among the values."""
    if is_unknown(values):
        return np.array(values, dtype=object)
    return np.array(real_array(values, name, finite=False))


def _may_hold(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return bool(value.dtype == object)
    return isinstance(value, list | tuple)


class _OpenModule:
    """A module whose functions take unknown numbers, too, where this module knows them."""

    def __init__(self, module: object, others: dict[str, object]) -> None:
        self._module, self._others = module, others

    def __getattr__(self, name: str) -> object:
        return self._others.get(name) or getattr(self._module, name)


def _each(function: Callable[..., object], known: Callable[..., object]) -> Callable[..., object]:
    """Apply a function to numbers or to the entries of arrays; leave known numbers to NumPy."""

    def apply(*values: object, **options: object) -> object:
        if not any(map(is_unknown, values)):
            return known(*values, **options)
        if options:
            raise refusal(f"{', '.join(options)}= is not possible with unknown numbers")
        wide = np.broadcast_arrays(*(np.asarray(v, dtype=object) for v in values))
        entries = np.empty(wide[0].shape, dtype=object)
        for place in np.ndindex(wide[0].shape):
            entries[place] = function(*(array[place] for array in wide))
        return entries if entries.ndim else entries[()]

    return apply


def _any_numbers(make: Callable[..., object]) -> Callable[..., object]:
    """Make arrays that may hold unknown numbers, though a text says float."""
    place = 2 if "full" in make.__name__ else 1

    def made(*values: object, dtype: Any = None, **options: object) -> object:
        values, dtype = values[:place], values[place] if len(values) > place else dtype
        if any(map(is_unknown, values)):
            if dtype is not None and np.dtype(dtype) not in (np.dtype(float), np.dtype(object)):
                raise refusal(f"an array of dtype {np.dtype(dtype)} would round unknown numbers")
            return make(*values, dtype=object, **options)
        result: Any = make(*values, dtype=dtype, **options)
        floats = isinstance(result, np.ndarray) and result.dtype == np.float64
        return result.astype(object) if floats and make in _EMPTY else result

    return made


_EMPTY: tuple[Any, ...] = (
    np.zeros,
    np.ones,
    np.empty,
    np.full,
    np.zeros_like,
    np.ones_like,
    np.empty_like,
)


def _solve(matrix: Array, right: Array) -> NDArray[np.floating]:
    if not (is_unknown(matrix) or is_unknown(right)):
        return np.linalg.solve(matrix, right)
    solution = solve_general(list(np.ravel(matrix)), list(np.ravel(right)))
    return np.array(solution, dtype=object)


def _length(vector: Array, *rest: Any, **options: Any) -> Any:
    if not is_unknown(vector) or rest or options:
        return np.linalg.norm(vector, *rest, **options)
    return np.sqrt((np.asarray(vector, dtype=object).ravel() ** 2).sum())


def _clip(value: object, low: object, high: object) -> object:
    above = _each(lambda a, b: where(a < b, b, a), np.maximum)(value, low)
    return _each(lambda a, b: where(b < a, b, a), np.minimum)(above, high)


def _strict(name: str, reason: str) -> Callable[..., object]:
    """Return what stands for a function that would fix a value: it refuses."""

    def refused(*_: object, **__: object) -> NoReturn:
        raise refusal(f"{name} {reason}")

    return refused


def _of_known(function: Callable[..., object], advice: str) -> Callable[..., object]:
    """Return a function of Python's that refuses unknown numbers."""

    def known(value: object, *rest: object) -> object:
        if is_unknown(value):
            raise refusal(f"{function.__name__}() of an unknown number: {advice}")
        return function(value, *(_KINDS.get(id(one), one) for one in rest))

    return known


KIND = "all are floats when the formula runs"


class _Changing:
    """A module whose functions give something else at every call, or write something down."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Callable[..., object]:
        return _strict(f"{self._name}.{name}", "gives something else at every call, or writes")


_BY_NAME = {
    name: _each(function, getattr(np, name))
    for name, function in BY_NAME.items()
    if hasattr(np, name)
}
_NUMPY = _OpenModule(
    np,
    {
        **_BY_NAME,
        **{make.__name__: _any_numbers(make) for make in (np.array, np.asarray, *_EMPTY)},
        "where": where,
        "clip": _clip,
        "random": _Changing("np.random"),
        **{f.__name__: _of_known(f, KIND) for f in (np.isscalar, np.result_type, np.isrealobj)},
        "linalg": _OpenModule(np.linalg, {"solve": _solve, "norm": _length}),
    },
)
_MATH_NAMES = {
    **{f"a{name}": f"arc{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "atan2": "arctan2",
}
_MATH = _OpenModule(
    math,
    {
        name: _each(BY_NAME[other], getattr(math, name))
        for name, other in {**{n: n for n in BY_NAME}, **_MATH_NAMES}.items()
        if hasattr(math, name)
        and other in BY_NAME
        and name != "remainder"  # math's own is that to the nearest multiple
    }
    | {"erf": _each(error_function, math.erf)},
)


_ONCE = "would happen only once, while the formula is followed"
BUILTINS: dict[str, Any] = vars(builtins) | {
    name: _strict(f"{name}()", _ONCE)
    for name in ("print", "input", "open", "exec", "eval", "globals", "setattr", "delattr", "next")
}
BUILTINS |= {
    function.__name__: _of_known(function, KIND)
    for function in (isinstance, type, hasattr, getattr, dir, vars, repr, ascii, id, callable)
} | {
    "round": _each(BY_NAME["rint"], round),
}
_KINDS = {id(BUILTINS["type"]): type}
_CHANGING = ("random", "time", "datetime", "secrets", "uuid", "logging")


def instead() -> dict[int, object]:
    """Return by identity what stands for modules and functions while a formula is followed."""
    substitutes: dict[int, Any] = {}
    for module in filter(None, map(sys.modules.get, _CHANGING)):
        substitutes[id(module)] = changing = _Changing(module.__name__)
        for name, value in vars(module).items():
            if callable(value) and not isinstance(value, type) and not name.startswith("_"):
                substitutes[id(value)] = getattr(changing, name)
    substitutes |= {id(builtins): types.SimpleNamespace(**BUILTINS)}
    known_now = vars(builtins)
    substitutes |= {id(known_now[name]): one for name, one in BUILTINS.items() if name in known_now}
    substitutes |= {id(np): _NUMPY, id(math): _MATH, id(np.linalg): _NUMPY.linalg}
    for known, others in ((np, _NUMPY), (math, _MATH)):
        substitutes |= {id(getattr(known, name)): other for name, other in others._others.items()}
    return substitutes
