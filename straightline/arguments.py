"""What is given to a function, read in one place for each kind: numbers, arrays, functions.

Each reader takes what is plausibly meant, such as a number of NumPy's or SymPy's, and answers all
else by one sentence that names the argument, says what came, and what is needed.
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

_NO_REALS = (str, bytes, bool, np.bool_, complex, np.complexfloating, type(None), np.ndarray)


#: What functions call their time.
_TIMES = {"t", "time"}


def shown(value: object) -> str:
    """Return a value as text for a sentence: on one line, and not too long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def _as_float(value: Any) -> float | None:
    """Return a real number as a float; None if it is none."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, _NO_REALS):
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
        What the sentences call it.
    sign : {"", "positive", "zero or positive"}
        What it must be.
    finite : bool
        Whether infinity is refused, too.

    Raises
    ------
    TypeError
        If it is no real number: text, a truth value, a complex number, an array.
    ValueError
        If it is nan or not finite, or has another sign.
    """
    if type(value) is float and 0.0 < value < math.inf:  # the usual case, in a tenth of the time
        return value
    number = _as_float(value)
    if number is None:
        raise TypeError(f"{name} must be a real number; got {shown(value)}")
    wrong = math.isnan(number) or (finite and math.isinf(number))
    wrong = wrong or (sign == "positive" and number <= 0) or (bool(sign) and number < 0)
    if wrong:
        needed = " and ".join(filter(None, [sign, "finite" if finite else "no nan"]))
        raise ValueError(f"{name} must be {needed}; got {number:g}")
    return number


def whole_number(
    value: object, name: str, least: int | None = None, most: int | None = None
) -> int:
    """Return a whole number as an int, one given as 3.0 too.

    Parameters
    ----------
    value : number
    name : str
        What the sentences call it.
    least, most : int, optional

    Raises
    ------
    TypeError
        If it is no whole number.
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
    try:
        return operator.index(value)
    except TypeError:
        return int(number)


def real_array(
    value: object, name: str, shape: Sequence[int | str] | None = None, finite: bool = True
) -> Array:
    """Return an array of real numbers as floats; the given array itself if it holds such.

    Parameters
    ----------
    value : array_like
    name : str
        What the sentences call it.
    shape : sequence of int or str, optional
        A length, or the name of one that may be any; ``"..."`` for any axes in front.
    finite : bool
        Whether every entry must be finite.

    Raises
    ------
    TypeError
        If an entry is no real number.
    ValueError
        If the shape is another, or an entry is not finite.
    """
    array = _floats(value, name)
    if shape is not None and not _fits(array.shape, shape):
        raise ValueError(f"{name} must have shape {_text(shape)}; got shape {array.shape}")
    if finite and not np.isfinite(array).all():
        place = np.argwhere(~np.isfinite(array))[0].tolist()
        where = f"entry {', '.join(map(str, place))} is " if place else ""
        raise ValueError(f"every entry of {name} must be finite; {where}{array[tuple(place)]}")
    return array


def read_only(values: object) -> Array:
    """Return a copy that cannot be written to: what is compiled with it would not know."""
    kept = _floats(values, "parameter_values").copy()
    kept.flags.writeable = False
    return kept


def entries(value: object, name: str, shape: Sequence[int | str]) -> Array:
    """Return an array for arithmetic, of floats or of what computes like them.

    Unknown numbers, jets and SymPy's expressions stay as they are.

    Parameters
    ----------
    value : array_like
    name : str
        What the sentences call it.
    shape : sequence of int or str
        As for `real_array`.

    Raises
    ------
    TypeError
        If an entry does not compute.
    ValueError
        If the shape is another.
    """
    array = _array(value, name)
    if array.dtype != object:
        array = _floats(array, name)
    elif not all(map(_computes, array.ravel())):
        raise TypeError(f"{name} must hold numbers; got {shown(value)}")
    column = array.ndim == 2 and array.shape[1] == 1
    if column and len(shape) == 1 and shape[0] != "...":  # a column of SymPy's
        array = array.ravel()
    if not _fits(array.shape, shape):
        raise ValueError(f"{name} must have shape {_text(shape)}; got shape {array.shape}")
    return array


def _computes(entry: object) -> bool:
    return (
        not isinstance(entry, _NO_REALS) and hasattr(entry, "__sub__") and hasattr(entry, "__mul__")
    )


def truth(value: object, name: str) -> bool:
    """Return a truth value, one given as 0 or 1 too.

    Parameters
    ----------
    value : bool
    name : str
        What the sentence calls it.

    Raises
    ------
    TypeError
        If it is anything else: text and arrays are no answer to yes or no.
    """
    scalar = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if isinstance(scalar, bool | np.bool_) or _as_float(scalar) in (0.0, 1.0):
        return bool(scalar)
    raise TypeError(f"{name} must be True or False; got {shown(value)}")


def function(value: Kind, name: str, arguments: str, options: Iterable[str] = ()) -> Kind:
    """Return what can be called; say what else there is to do with equations and models.

    Parameters
    ----------
    value : function
    name : str
        What the sentences call it.
    arguments : str
        What it takes by place, such as ``"t, x"``; ``"..."`` for whatever it takes.
    options : iterable of str
        What it takes by name; the sentences call it ``**parameters``.

    Raises
    ------
    TypeError
        If it cannot be called, or not with these arguments.
    """
    if callable(value) and not isinstance(value, type):
        if (takes := _takes_otherwise(value, arguments, options)) is None:
            return value
        raise TypeError(f"{name} must be a function ({arguments}); got one that takes {takes}")
    kind = type(value).__name__
    if hasattr(value, "compile") and not isinstance(value, type):
        came = f"these {kind} are equations still: compile them first, with compile()"
    elif hasattr(value, "field"):
        came = f"a {kind} is a whole model: take its field, such as model.field"
    else:
        came = f"got {shown(value)}"
    raise TypeError(f"{name} must be a function ({arguments}); {came}")


def _takes_otherwise(
    value: Callable[..., object], arguments: str, options: Iterable[str]
) -> str | None:
    """Return what a function takes; None if it can be called with these arguments."""
    is_function = type(value) is types.FunctionType
    code = getattr(value if is_function else type(value).__call__, "__code__", None)
    taken: tuple[str, ...] = code.co_varnames[not is_function : code.co_argcount] if code else ()
    if arguments.startswith("t,") and _TIMES & {*taken[1:]} and taken[0] not in _TIMES:
        return f"({', '.join(taken)}): time comes first"
    count = arguments.count(",") + 1
    takes = (code.co_argcount, code.co_kwonlyargcount) if code else ()
    if takes == (count + (not is_function), 0) and "*" not in arguments:
        return None  # the usual case, in a tenth of the time
    names = dict.fromkeys(options)
    if "..." in arguments or ("**" in arguments and not names):
        return None
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):  # it is not written in Python
        return None
    try:
        signature.bind(*range(count - ("**" in arguments)), **names)
    except TypeError:
        return str(signature)
    return None


def instance(value: object, name: str, kind: type[Kind], hint: str = "") -> Kind:
    """Return a value that is of one kind.

    Parameters
    ----------
    value : object
    name : str
        What the sentences call it.
    kind : type
    hint : str
        What to do instead.

    Raises
    ------
    TypeError
        If it is of another kind.
    """
    if isinstance(value, kind):
        return value
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    raise TypeError(
        f"{name} must be {article} {kind.__name__}; got {shown(value)}{hint and f': {hint}'}"
    )


def several(value: Any, name: str, read: Callable[[Any], Kind]) -> list[Kind]:
    """Return the entries of a sequence, each read; refuse what has none.

    Parameters
    ----------
    value : sequence
    name : str
        What the sentences call it.
    read : function entry -> entry

    Raises
    ------
    TypeError
        If it is no sequence.
    """
    try:
        entries = None if isinstance(value, str | bytes) else iter(value)
    except TypeError:  # a class, or an array that is a number
        entries = None
    if entries is None:
        raise TypeError(f"{name} must be a sequence; got {shown(value)}")
    return [read(entry) for entry in entries]


def mapping(value: object, name: str, example: str) -> Mapping[sm.Expr | str, object]:
    """Return a mapping, an empty one for None.

    Parameters
    ----------
    value : mapping, optional
    name : str
        What the sentence calls it.
    example : str
        A right one.

    Raises
    ------
    TypeError
        If it is none.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a mapping, such as {example}; got {shown(value)}")
    return value


def numbers_by_name(values: object, name: str) -> dict[str, float]:
    """Return numbers, given by names; refuse what is no mapping, and what is no real number."""
    known = instance(values, name, Mapping, "give values by name")  # type: ignore[type-abstract]
    return {str(key): real_number(value, str(key)) for key, value in known.items()}


def row(value: object, name: str, least: int, form: str) -> list[Any]:
    """Return the parts of a value that has several; refuse another number of them.

    Parameters
    ----------
    value : tuple or list
    name : str
        What the sentence calls it.
    least : int
        How many there must be.
    form : str
        What they are, separated by commas: all that there may be.

    Raises
    ------
    TypeError
    """
    most = form.count(",") + 1
    if not isinstance(value, tuple | list) or not least <= len(value) <= most:
        raise TypeError(f"{name} must be ({form}); got {shown(value)}")
    return list(value)


def text(value: object, name: str) -> str:
    """Return text, such as a unit or a label; refuse anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text; got {shown(value)}")
    return value


def _array(value: object, name: str) -> NDArray[Any]:
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths; got {shown(value)}") from None


def _floats(value: object, name: str) -> Array:
    """Return an array of floats; refuse what holds anything else than real numbers."""
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
        raise TypeError(f"{name} must hold real numbers; got dtype {array.dtype}: {shown(value)}")
    return array.astype(float)


def _fits(lengths: tuple[int, ...], shape: Sequence[int | str]) -> bool:
    if shape and shape[0] == "...":
        shape, lengths = shape[1:], lengths[max(0, len(lengths) - len(shape) + 1) :]
    return len(lengths) == len(shape) and all(
        isinstance(b, str) or a == b for a, b in zip(lengths, shape)
    )


def _text(shape: Sequence[int | str]) -> str:
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"


def path_of(value: object, name: str, example: str) -> Path:
    """Return a path that somebody gave.

    Parameters
    ----------
    value : path
    name, example : str
        What it is called, and one that would do.

    Raises
    ------
    TypeError
        If it is no path.
    ValueError
        If it is empty, which would be the folder where you are.
    """
    if isinstance(value, str | os.PathLike) and value != "":
        return Path(value)
    wrong = ValueError if isinstance(value, str) else TypeError
    raise wrong(f'{name} must be a path, such as "{example}"; got {shown(value)}')
