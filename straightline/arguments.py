"""Validation of arguments: one reader for each kind of number, array, or function.

Each reader accepts reasonable alternatives, such as a NumPy or SymPy number, and rejects anything
else with a message that names the argument, the expected value, and the value received.
"""

from __future__ import annotations

import inspect
import math
import operator
import os
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from straightline.aliases import Array, Kind

if TYPE_CHECKING:
    import sympy as sm


_FLOAT = np.dtype(np.float64)

_NOT_REAL = (str, bytes, bool, np.bool_, complex, np.complexfloating, type(None), np.ndarray)


#: The usual names of time among a function's arguments.
_TIME_NAMES = {"t", "time"}


def shown(value: object) -> str:
    """Return a value as short text on one line, for an error message."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def _as_float(value: Any) -> float | None:
    """Return a real number as a float; None for anything else."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, _NOT_REAL):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return None


def real_number(value: object, name: str, sign: str = "", finite: bool = True) -> float:
    """Return a real number as a float.

    Parameters
    ----------
    value : number
    name : str
        Its name in messages.
    sign : {"", "positive", "zero or positive"}
        The required sign.
    finite : bool
        Whether infinity is rejected, too.

    Raises
    ------
    TypeError
        If it is not a real number: text, a truth value, a complex number, an array.
    ValueError
        If it is nan or not finite, or has another sign.
    """
    if type(value) is float and 0.0 < value < math.inf:  # the usual case, ten times faster
        return value
    number = _as_float(value)
    if number is None:
        raise TypeError(f"{name} must be a real number; got {shown(value)}")
    invalid = math.isnan(number) or (finite and math.isinf(number))
    invalid = invalid or (sign == "positive" and number <= 0) or (bool(sign) and number < 0)
    if invalid:
        needed = " and ".join(filter(None, [sign, "finite" if finite else "no nan"]))
        raise ValueError(f"{name} must be {needed}; got {number:g}")
    return number


def whole_number(
    value: object, name: str, least: int | None = None, most: int | None = None
) -> int:
    """Return a whole number as an int; 3.0 is accepted.

    Parameters
    ----------
    value : number
    name : str
        Its name in messages.
    least, most : int, optional

    Raises
    ------
    TypeError
        If it is not a whole number.
    ValueError
        If it is too small or too large.
    """
    if type(value) is int and least is not None and value >= least and most is None:
        return value
    number = _as_float(value)
    if number is None or not number.is_integer():
        raise TypeError(f"{name} must be a whole number; got {shown(value)}")
    whole = int(number) if isinstance(value, float | np.floating) else _index(value, number)
    if least is not None and whole < least:
        raise ValueError(f"{name} must be at least {least}; got {whole}")
    if most is not None and whole > most:
        raise ValueError(f"{name} must be at most {most}; got {whole}")
    return whole


def _index(value: Any, number: float) -> int:
    """Return a whole number of any type as an int."""
    try:
        return operator.index(value)
    except TypeError:
        return int(number)


def real_array(
    value: object, name: str, shape: Sequence[int | str] | None = None, finite: bool = True
) -> Array:
    """Return an array of real numbers as floats; an array of floats is returned itself.

    Parameters
    ----------
    value : array_like
    name : str
        Its name in messages.
    shape : sequence of int or str, optional
        Lengths, or names for lengths that may be any; ``"..."`` for any leading axes.
    finite : bool
        Whether every entry must be finite.

    Raises
    ------
    TypeError
        If an entry is not a real number.
    ValueError
        If the shape is different, or an entry is not finite.
    """
    array = _floats(value, name)
    if shape is not None and not _fits(array.shape, shape):
        raise ValueError(f"{name} must have shape {_shape_text(shape)}; got shape {array.shape}")
    if finite and not np.isfinite(array).all():
        index = np.argwhere(~np.isfinite(array))[0].tolist()
        where = f"entry {', '.join(map(str, index))} is " if index else ""
        raise ValueError(f"every entry of {name} must be finite; {where}{array[tuple(index)]}")
    return array


def read_only(values: object) -> Array:
    """Return a read-only copy, for values that are compiled into a program."""
    copy = _floats(values, "parameter_values").copy()
    copy.flags.writeable = False
    return copy


def entries(value: object, name: str, shape: Sequence[int | str]) -> Array:
    """Return an array for arithmetic, of floats or of objects that behave like them.

    Unknown numbers, jets, and SymPy expressions are left as they are.

    Parameters
    ----------
    value : array_like
    name : str
        Its name in messages.
    shape : sequence of int or str
        As for `real_array`.

    Raises
    ------
    TypeError
        If an entry does not support arithmetic.
    ValueError
        If the shape is different.
    """
    array = _array(value, name)
    if array.dtype != object:
        array = _floats(array, name)
    elif not all(map(_supports_arithmetic, array.ravel())):
        raise TypeError(f"{name} must contain numbers; got {shown(value)}")
    column = array.ndim == 2 and array.shape[1] == 1
    if column and len(shape) == 1 and shape[0] != "...":  # a column vector of SymPy
        array = array.ravel()
    if not _fits(array.shape, shape):
        raise ValueError(f"{name} must have shape {_shape_text(shape)}; got shape {array.shape}")
    return array


def _supports_arithmetic(entry: object) -> bool:
    """Whether an entry supports arithmetic."""
    return (
        not isinstance(entry, _NOT_REAL) and hasattr(entry, "__sub__") and hasattr(entry, "__mul__")
    )


def truth(value: object, name: str) -> bool:
    """Return a truth value; 0 and 1 are accepted.

    Parameters
    ----------
    value : bool
    name : str
        Its name in messages.

    Raises
    ------
    TypeError
        If it is anything else, such as text or an array.
    """
    scalar = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if isinstance(scalar, bool | np.bool_) or _as_float(scalar) in (0.0, 1.0):
        return bool(scalar)
    raise TypeError(f"{name} must be True or False; got {shown(value)}")


def function(value: Kind, name: str, arguments: str, options: Iterable[str] = ()) -> Kind:
    """Return a callable; explain how to get one from equations and models.

    Parameters
    ----------
    value : function
    name : str
        Its name in messages.
    arguments : str
        Its positional arguments, such as ``"t, x"``; ``"..."`` for any.
    options : iterable of str
        Its arguments by name, which messages call ``**parameters``.

    Raises
    ------
    TypeError
        If it cannot be called, or not with these arguments.
    """
    if callable(value) and not isinstance(value, type):
        if (takes := _other_signature(value, arguments, options)) is None:
            return value
        raise TypeError(f"{name} must be a function ({arguments}); got one that takes {takes}")
    kind = type(value).__name__
    if hasattr(value, "compile") and not isinstance(value, type):
        problem = f"these {kind} are not compiled yet: call their method compile() first"
    elif hasattr(value, "field"):
        problem = f"a {kind} is a model: pass its field, such as model.field"
    else:
        problem = f"got {shown(value)}"
    raise TypeError(f"{name} must be a function ({arguments}); {problem}")


def _other_signature(
    value: Callable[..., object], arguments: str, options: Iterable[str]
) -> str | None:
    """Return the signature of a function; None if it accepts these arguments."""
    is_function = type(value) is types.FunctionType
    code = getattr(value if is_function else type(value).__call__, "__code__", None)
    names_taken: tuple[str, ...] = (
        code.co_varnames[not is_function : code.co_argcount] if code else ()
    )
    if (
        arguments.startswith("t,")
        and _TIME_NAMES & {*names_taken[1:]}
        and names_taken[0] not in _TIME_NAMES
    ):
        return f"({', '.join(names_taken)}): time comes first"
    count = arguments.count(",") + 1
    counts = (code.co_argcount, code.co_kwonlyargcount) if code else ()
    if counts == (count + (not is_function), 0) and "*" not in arguments:
        return None  # the usual case, ten times faster
    names = dict.fromkeys(options)
    if "..." in arguments or ("**" in arguments and not names):
        return None
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):  # not written in Python
        return None
    try:
        signature.bind(*range(count - ("**" in arguments)), **names)
    except TypeError:
        return str(signature)
    return None


def instance(value: object, name: str, kind: type[Kind], hint: str = "") -> Kind:
    """Return a value of a given type.

    Parameters
    ----------
    value : object
    name : str
        Its name in messages.
    kind : type
    hint : str
        Advice in the message.

    Raises
    ------
    TypeError
        If it is of another type.
    """
    if isinstance(value, kind):
        return value
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    raise TypeError(
        f"{name} must be {article} {kind.__name__}; got {shown(value)}{hint and f': {hint}'}"
    )


def several(value: Any, name: str, read: Callable[[Any], Kind]) -> list[Kind]:
    """Return the entries of a sequence, each validated; reject anything that is not one.

    Parameters
    ----------
    value : sequence
    name : str
        Its name in messages.
    read : function entry -> entry

    Raises
    ------
    TypeError
        If it is not a sequence.
    """
    try:
        entries = None if isinstance(value, str | bytes) else iter(value)
    except TypeError:  # a class, or a zero-dimensional array
        entries = None
    if entries is None:
        raise TypeError(f"{name} must be a sequence; got {shown(value)}")
    return [read(entry) for entry in entries]


def mapping(value: object, name: str, example: str) -> Mapping[sm.Expr | str, object]:
    """Return a mapping; an empty one for None.

    Parameters
    ----------
    value : mapping, optional
    name : str
        Its name in messages.
    example : str
        A valid value, for messages.

    Raises
    ------
    TypeError
        If it is not a mapping.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a mapping, such as {example}; got {shown(value)}")
    return value


def numbers_by_name(values: object, name: str) -> dict[str, float]:
    """Return numbers by name; reject anything but a mapping to real numbers."""
    by_name = instance(values, name, Mapping, "pass values by name")  # type: ignore[type-abstract]
    return {str(key): real_number(value, str(key)) for key, value in by_name.items()}


def row(value: object, name: str, least: int, form: str) -> list[Any]:
    """Return the parts of a tuple or list; reject a wrong number of them.

    Parameters
    ----------
    value : tuple or list
    name : str
        Its name in messages.
    least : int
        The smallest number of parts.
    form : str
        Names of all parts, separated by commas; their number is the largest.

    Raises
    ------
    TypeError
        If it is not a tuple or list of that many parts.
    """
    most = form.count(",") + 1
    if not isinstance(value, tuple | list) or not least <= len(value) <= most:
        raise TypeError(f"{name} must be ({form}); got {shown(value)}")
    return list(value)


def text(value: object, name: str) -> str:
    """Return text, such as a unit or a label; reject anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text; got {shown(value)}")
    return value


def _array(value: object, name: str) -> NDArray[Any]:
    """Return an array; reject rows of different lengths, and masked entries."""
    refuse_masked(value, name)
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths; got {shown(value)}") from None


def refuse_masked(value: object, name: str) -> None:
    """Reject masked entries of an array or a sequence: NumPy would use their hidden values.

    Parameters
    ----------
    value : array_like
    name : str
        Its name in messages.

    Raises
    ------
    ValueError
    """
    for part in value if isinstance(value, list | tuple) else (value,):
        if isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part):
            raise ValueError(
                f"{name} must contain numbers, but some entries are masked: {shown(value)}. Remove "
                "them with .compressed(), or fill them with .filled(...) or np.interp"
            )


def _floats(value: object, name: str) -> Array:
    """Return an array of floats; reject anything but real numbers."""
    if type(value) is np.ndarray and value.dtype is _FLOAT:
        return value
    array = _array(value, name)
    if array.dtype == np.float64:
        return array
    if array.dtype == object and array.ndim:
        numbers = [_as_float(entry) for entry in array.ravel()]
        if None not in numbers:
            return np.array(numbers, dtype=float).reshape(array.shape)
    if array.dtype.kind not in "fiub":
        raise TypeError(
            f"{name} must contain real numbers; got dtype {array.dtype}: {shown(value)}"
        )
    return array.astype(float)


def _fits(lengths: tuple[int, ...], shape: Sequence[int | str]) -> bool:
    """Whether an array's lengths match a shape."""
    if shape and shape[0] == "...":
        shape, lengths = shape[1:], lengths[max(0, len(lengths) - len(shape) + 1) :]
    return len(lengths) == len(shape) and all(
        isinstance(b, str) or a == b for a, b in zip(lengths, shape)
    )


def _shape_text(shape: Sequence[int | str]) -> str:
    """Return a shape as text."""
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"


def path_of(value: object, name: str, example: str) -> Path:
    """Return a path.

    Parameters
    ----------
    value : path
    name, example : str
        Its name in messages, and a valid path.

    Raises
    ------
    TypeError
        If it is not a path.
    ValueError
        If it is empty, which would mean the current folder.
    """
    if isinstance(value, str | os.PathLike) and value != "":
        return Path(value)
    error = ValueError if isinstance(value, str) else TypeError
    raise error(f'{name} must be a path, such as "{example}"; got {shown(value)}')
