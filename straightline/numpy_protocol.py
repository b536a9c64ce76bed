"""NumPy's protocols for unknown numbers: ufuncs, functions, and masks of arrays of unknowns.

Nothing in NumPy is replaced. NumPy itself delegates its functions to an unknown number, or an array
of unknowns, with ``__array_ufunc__`` and ``__array_function__``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

from straightline.aliases import Array
from straightline.arguments import real_array
from straightline.assignments import (
    FLOAT_ADVICE,
    NUMPY,
    Condition,
    Number,
    Refused,
    Truth,
    Unknown,
    where,
)
from straightline.functions import BY_NAME
from straightline.linear_algebra import solve_general
from straightline.operations import divide, equal

_OURS = (Unknown, Condition, bool, int, float, np.number, np.bool_)


class Unknowns(np.ndarray):
    """An array of numbers or conditions, some of which are unknown."""

    def __array_ufunc__(self, ufunc: Any, method: str, *values: Any, **options: Any) -> Any:
        return apply_ufunc(ufunc, method, values, options)

    def __array_function__(self, function: Any, _: object, values: Any, options: Any) -> Any:
        return apply_function(function, values, options)

    def __getitem__(self, key: Any) -> Any:
        return Selected(self, key) if _is_mask(key) else super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if _is_mask(key):
            value = value.where_selected(key) if isinstance(value, Selected) else value
            key, value = slice(None), where(key, value, self)
        super().__setitem__(key, value)

    def astype(self, dtype: Any, *_: object, **__: object) -> Any:
        """Return a copy, with conditions as 0 and 1."""
        _check_dtype(dtype)
        return _wrapped(_entry_by_entry(lambda entry: entry * 1.0, [_plain(self)]))


class Selected(NDArrayOperatorsMixin):
    """The entries of an array where a mask holds; their number is unknown.

    They can be combined with one another and with single numbers, for ``d[mask] = -x[mask]``.

    Parameters
    ----------
    entries : array
        All entries, whether they are selected or not.
    mask : array of conditions
    """

    def __init__(self, entries: Any, mask: Any) -> None:
        self._entries, self._mask = entries, mask

    def where_selected(self, mask: Any) -> Any:
        """Return all entries, if this is the mask that has selected them.

        Raises
        ------
        Refused
        """
        if np.shape(mask) != np.shape(self._mask) or not all(
            a is b or getattr(a, "node_index", a) == getattr(b, "node_index", b)
            for a, b in zip(np.ravel(mask), np.ravel(self._mask))
        ):
            raise Refused(OF_MASK)
        return self._entries

    def __array_ufunc__(self, ufunc: Any, method: str, *values: Any, **options: Any) -> Any:
        options.pop("out", None)
        if method != "__call__" or any(np.ndim(v) for v in values if not isinstance(v, Selected)):
            raise Refused(OF_MASK)
        whole = [v.where_selected(self._mask) if isinstance(v, Selected) else v for v in values]
        return Selected(apply_ufunc(ufunc, method, whole, options), self._mask)

    def __array_function__(self, *_: object) -> NoReturn:
        raise Refused(OF_MASK)

    def __getattr__(self, name: str) -> NoReturn:
        raise Refused(OF_MASK)


OF_MASK = "the number of entries of x[mask] is unknown: write np.where(mask, x, 0.0)"


def unknowns(values: object) -> Unknowns:
    """Return a new array of floats and unknowns."""
    return np.array(values, dtype=object).view(Unknowns)


def is_unknown(value: object) -> bool:
    """Return whether a value is an unknown number, or an array or a list that contains one."""
    if isinstance(value, Unknown | Condition):
        return True
    if isinstance(value, np.ndarray):
        may_hold = value.dtype == object
    else:
        may_hold = isinstance(value, list | tuple)
    entries = np.ravel(np.asarray(value, dtype=object)) if may_hold else ()
    return any(isinstance(entry, Unknown) for entry in entries)


def numbers(values: object, name: str = "an array") -> Array:
    """Return a new array of floats, or of unknowns if the values contain any."""
    if is_unknown(values):
        return np.array(values, dtype=object)
    return np.array(real_array(values, name, finite=False))


def apply_ufunc(ufunc: Any, method: str, values: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Return the value of a ufunc, or of its method such as ``reduce``, for unknown numbers.

    Raises
    ------
    Refused
        If it has no formula.
    """
    arrays, name = [_plain(value) for value in values], ufunc.__name__
    of_others = not all(isinstance(entry, _OURS) for array in arrays for entry in array.flat)
    options = {key: value for key, value in options.items() if key != "casting"}
    (out,) = options.pop("out", None) or (None,)
    dtype = options.pop("dtype", None)
    if not name.startswith("logical"):
        _check_dtype(dtype)
    if name in _LINEAR or of_others or (name in _SUMS and method != "__call__"):
        result = getattr(ufunc, method)(*arrays, **options, dtype=object)
    elif name in _EACH and method == "__call__":
        result = _entry_by_entry(_EACH[name], arrays)
    elif name in _EACH and method == "reduce":
        result = _reduced(_EACH[name], arrays[0], **options)
    else:
        raise _without_formula(_name_of(ufunc))
    if out is None:
        return _wrapped(result)
    if out.dtype != object:
        raise Refused(FLOAT_ADVICE)
    _plain(out)[...] = result
    return out


def apply_function(function: Any, values: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Return the value of a NumPy function for unknown numbers.

    Raises
    ------
    Refused
        If it has no formula.
    """
    if function in _FUNCTIONS:
        return _wrapped(_FUNCTIONS[function](*values, **options))
    name = _name_of(function)
    if function in _NEEDS_VALUES:
        raise _without_formula(name)
    some = np.empty(0).view(Unknowns)
    try:
        result = np.ndarray.__array_function__(some, function, (Unknowns,), values, options)
    except Exception as error:
        if str(error) == OF_MASK or (isinstance(error, Refused) and "dtype" in options):
            raise
        raise _without_formula(name) from error
    return _wrapped(result)


def _is_mask(key: Any) -> bool:
    holds = isinstance(key, np.ndarray) and key.dtype == object
    return isinstance(key, Condition) or (
        holds and any(isinstance(entry, Condition) for entry in np.ravel(key))
    )


def name_in_numpy(name: str, module: str = "numpy") -> str:
    """Return a function's name as in user code, such as ``np.linalg.inv``."""
    if not module.startswith("numpy"):
        library = module.partition(".")[0]
        if library == "builtins":
            return "a generated function"
        return f"a function of {library}'s" if name.startswith("_") else f"{library}'s {name}"
    name = name.removeprefix("_")
    homes = {"np": np, "np.linalg": np.linalg}
    return next((f"{home}.{name}" for home, it in homes.items() if hasattr(it, name)), name)


def _name_of(function: Any) -> str:
    return name_in_numpy(function.__name__, getattr(function, "__module__", None) or "numpy")


def _without_formula(name: str) -> Refused:
    return Refused(
        f"{name} does not accept unknown numbers: {INSTEAD.get(name, 'leave out compiled')}"
    )


#: Replacements for functions that have no formula.
INSTEAD = {
    "np.divmod": "write x // y and x % y",
    "np.exp2": "write 2**x",
    "np.fmax": "write np.maximum",
    "np.fmin": "write np.minimum",
    "np.linalg.inv": "write np.linalg.solve(M, b) for M⁻¹b, or leave out compiled",
    "np.log2": "write np.log(x) / np.log(2)",
    "np.log10": "write np.log(x) / np.log(10)",
    "np.reciprocal": "write 1 / x",
}


def _plain(value: object) -> NDArray[np.object_]:
    """Return a base array of objects, without a copy of an array."""
    return np.asarray(value, dtype=object).view(np.ndarray)


def _wrapped(value: Any) -> Any:
    """Return arrays of objects as arrays of unknown numbers, and a single entry unchanged."""
    if isinstance(value, tuple | list):
        return type(value)(map(_wrapped, value))
    if isinstance(value, np.ndarray) and value.dtype == object:
        return value.view(Unknowns) if value.ndim else value.item()
    return value


def _check_dtype(dtype: Any) -> None:
    if dtype is not None and np.dtype(dtype) not in (np.dtype(float), np.dtype(object)):
        raise Refused(f"dtype {np.dtype(dtype)} would round unknown numbers: leave out dtype")


def _entry_by_entry(
    function: Callable[..., Any], arrays: Sequence[NDArray[np.object_]]
) -> NDArray[np.object_]:
    wide = np.broadcast_arrays(*arrays)
    result = np.empty(wide[0].shape, dtype=object)
    for index in np.ndindex(result.shape):
        entries = [array[index] for array in wide]
        result[index] = function(*(e.item() if isinstance(e, np.generic) else e for e in entries))
    return result


def _reduced(
    function: Callable[..., Any],
    array: NDArray[np.object_],
    axis: int | tuple[int, ...] | None = 0,
    keepdims: bool = False,
    **_: object,
) -> Any:
    axes = tuple(range(array.ndim)) if axis is None else np.atleast_1d(axis)
    axes = tuple(int(i) % array.ndim for i in axes)
    rest = tuple(n for i, n in enumerate(array.shape) if i not in axes)
    rows = np.moveaxis(array, axes, range(len(axes))).reshape(-1, *rest)
    result = reduce(lambda a, b: _entry_by_entry(function, [_plain(a), _plain(b)]), rows)
    return np.expand_dims(_plain(result), axes) if keepdims else _plain(result)


def _equal(a: Number, b: Number) -> Truth:
    if isinstance(b, Unknown):
        return b.condition("eq", a)
    return equal(a, b)


def _not(condition: Truth) -> Truth:
    return ~condition if isinstance(condition, Condition) else not condition


def _clip(x: Any, low: Any, high: Any) -> Any:
    x = x if low is None else where(x < low, low, x)
    return x if high is None else where(x > high, high, x)


#: Ufuncs for single numbers and conditions, by name.
_EACH: dict[str, Callable[..., Any]] = BY_NAME | {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": lambda a, b: divide(a * 1.0, b * 1.0),
    "negative": operator.neg,
    "positive": operator.pos,
    "conjugate": operator.pos,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": _equal,
    "not_equal": lambda a, b: _not(_equal(a, b)),
    "isnan": lambda a: _not(_equal(a, a)),
    "isfinite": lambda a: abs(a) < np.inf,
    "logical_and": operator.and_,
    "bitwise_and": operator.and_,
    "logical_or": operator.or_,
    "bitwise_or": operator.or_,
    "logical_not": _not,
    "invert": _not,
    "clip": _clip,
    "heaviside": lambda x, at_zero: where(x < 0, 0.0, where(x > 0, 1.0, at_zero)),
}
_SUMS, _LINEAR = ("add", "multiply"), ("matmul", "vecdot", "matvec", "vecmat")


def _clipped(
    x: Any,
    a_min: Any = None,
    a_max: Any = None,
    *,
    min: Any = None,
    max: Any = None,
) -> Any:
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    return _entry_by_entry(_clip, [*map(_plain, (x, low, high))])


def _chosen(condition: Any, *choices: Any) -> Any:
    if len(choices) != 2:
        raise Refused("np.where(mask) needs known numbers: write np.where(mask, this, that)")
    return where(condition, *choices)


def _selected(conditions: Sequence[Any], choices: Sequence[Any], default: Any = 0.0) -> Any:
    for condition, choice in reversed([*zip(conditions, choices)]):
        default = where(condition, choice, default)
    return default


def _by_pieces(x: Any, conditions: Sequence[Any], functions: Sequence[Any], *rest: Any) -> Any:
    values = [f(x, *rest) if callable(f) else f for f in functions]
    default = values[-1] if len(values) > len(conditions) else 0.0
    return _selected(conditions, values, default * np.ones(np.shape(x)) if np.ndim(x) else default)


def _filled_with(value: Any) -> Callable[..., Any]:
    def make(a: Any, dtype: Any = None, **_: object) -> Any:
        _check_dtype(dtype)
        return np.full(np.shape(a), value, dtype=object)

    return make


def _solution(M: Any, b: Any) -> Any:
    right = _plain(b)
    if np.ndim(M) != 2:
        raise Refused("np.linalg.solve takes one matrix of unknown numbers: write a loop")
    columns = [solve_general(list(np.ravel(_plain(M))), list(c)) for c in np.atleast_2d(right.T)]
    return np.array(columns, dtype=object).T.reshape(right.shape)


#: Functions whose NumPy code does not work with unknown numbers.
_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.where: _chosen,
    np.select: _selected,
    np.piecewise: _by_pieces,
    np.clip: _clipped,
    np.linalg.solve: _solution,
    np.zeros_like: _filled_with(0.0),
    np.empty_like: _filled_with(0.0),
    np.ones_like: _filled_with(1.0),
    np.full_like: lambda a, value, *dtype, **options: _filled_with(value)(a, *dtype, **options),
}
#: Functions whose NumPy code would accept unknown numbers, but give a different result.
_NEEDS_VALUES = (np.nan_to_num, np.isrealobj, np.iscomplexobj, np.result_type, np.can_cast)
NUMPY.update(ufunc=apply_ufunc, function=apply_function, array=unknowns)
