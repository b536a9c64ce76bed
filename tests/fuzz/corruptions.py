"""The ways to make an argument wrong: each is text, with the right argument at ``{}``."""

import numpy as np
import sympy as sm

#: Finite, or at least no number that is not.
KINDS = {
    "None": "None",
    "text": "'nonsense'",
    "a name": "'theta'",
    "empty text": "''",
    "empty list": "[]",
    "empty array": "np.array([])",
    "-1": "-1",
    "0": "0",
    "0.5": "0.5",
    "huge": "1e300",
    "a large whole number": "10**9",
    "complex": "1 + 2j",
    "True": "True",
    "bytes": "b'12'",
    "a set": "{{1, 2}}",
    "a dict": "{{'m': 1}}",
    "a generator": "(n for n in [1, 2])",
    "an object": "object()",
    "a class": "dict",
    "a NumPy integer": "np.int64(2)",
    "a NumPy float": "np.float32(0.5)",
    "a symbol": "sm.Symbol('theta')",
    "a function of time": "me.dynamicsymbols('phi')",
    "an expression": "m * l + 1",
    "another model": "linkage",
    "another motion": "other_motion",
    "another space": "SO3",
    "a tableau": "CF4",
    "a function that raises": "raises",
    "a function that returns nothing": "returns_nothing",
    "a function that returns text": "returns_text",
    "a function that returns too much": "returns_too_much",
    "an array of objects": "np.array([object(), None])",
    "a matrix": "np.ones((2, 3))",
    "a SymPy matrix": "sm.Matrix([[theta, 1]])",
    "a list around": "[{}]",
    "its text": "as_text({})",
    "one too short": "shorter({})",
    "one too long": "longer({})",
    "transposed": "turned({})",
    "negative": "negative({})",
    "as int64": "as_type({}, np.int64)",
    "as float32": "as_type({}, np.float32)",
    "as objects": "as_type({}, object)",
    "as complex": "as_type({}, complex)",
    "as text": "as_type({}, str)",
    "read only": "read_only({})",
    "names for symbols": "by_names({})",
    "plain symbols": "plain_symbols({})",
    "a hole in it": "with_hole({}, None)",
    "text in it": "with_hole({}, 'x')",
}
#: What may come out as nan or inf.
NOT_FINITE = {
    "nan": "float('nan')",
    "inf": "float('inf')",
    "nan in it": "with_hole({}, float('nan'))",
    "inf in it": "with_hole({}, float('inf'))",
    "a function that returns nan": "returns_nan",
}


def raises(*arguments, **options):
    """Raise."""
    raise ValueError("raised by the reader's own function")


def returns_nothing(*arguments, **options):
    """Return None."""


def returns_text(*arguments, **options):
    """Return text."""
    return "nonsense"


def returns_nan(*arguments, **options):
    """Return what is no number."""
    return float("nan")


def returns_too_much(*arguments, **options):
    """Return an array of another length."""
    return np.ones(50)


def as_text(thing):
    """Write a thing."""
    return str(thing)[:200]


def shorter(thing):
    """Leave the last entry out."""
    try:
        return dict([*thing.items()][:-1]) if isinstance(thing, dict) else thing[:-1]
    except Exception:
        return thing


def longer(thing):
    """Repeat the last entry."""
    if isinstance(thing, dict):
        return {**thing, sm.Symbol("zeta"): 1.0}
    if isinstance(thing, np.ndarray) and thing.ndim:
        return np.concatenate([thing, thing[-1:]])
    return thing + thing[-1:] if isinstance(thing, list | tuple | str) else thing


def turned(thing):
    """Transpose an array; turn around what has no columns."""
    if isinstance(thing, np.ndarray | list | tuple) and np.ndim(safe_array(thing)) > 1:
        return safe_array(thing).T
    return thing[::-1] if isinstance(thing, np.ndarray | list | tuple | str) else thing


def negative(thing):
    """Change the sign."""
    try:
        return {k: -v for k, v in thing.items()} if isinstance(thing, dict) else -np.array(thing)
    except Exception:
        return thing


def as_type(thing, kind):
    """Return an array of another type."""
    try:
        return thing if thing is None else np.array(thing).astype(kind)
    except Exception:
        return thing


def safe_array(thing):
    """Return an array, of objects if there is no other."""
    try:
        return np.array(thing)
    except Exception:
        return np.array(list(thing), dtype=object)


def read_only(thing):
    """Return an array that cannot be written to."""
    array = safe_array(thing) if np.iterable(thing) and not isinstance(thing, str) else thing
    if isinstance(array, np.ndarray):
        array.flags.writeable = False
    return array


def by_names(thing):
    """Put names in the place of symbols."""
    return _replaced(thing, lambda s: str(getattr(s, "func", s)) if s.args else str(s))


def plain_symbols(thing):
    """Put plain symbols in the place of functions of time and of other symbols."""
    return _replaced(thing, lambda s: sm.Symbol(str(s.func) if s.args else str(s)))


def _replaced(thing, other):
    if isinstance(thing, dict):
        return {_replaced(k, other): _replaced(v, other) for k, v in thing.items()}
    if isinstance(thing, list | tuple):
        return type(thing)(_replaced(entry, other) for entry in thing)
    if isinstance(thing, sm.Symbol) or (isinstance(thing, sm.Expr) and thing.func.is_Function):
        return other(thing)
    if isinstance(thing, sm.Expr):
        return thing.xreplace({s: other(s) for s in thing.free_symbols})
    return thing


def with_hole(thing, hole):
    """Put something else in the place of one entry."""
    if isinstance(thing, dict) and thing:
        return {**thing, next(iter(thing)): hole}
    if isinstance(thing, tuple | list) and thing:
        return type(thing)([*thing[:-1], hole])
    if isinstance(thing, np.ndarray) and thing.size:
        array = thing.astype(float if isinstance(hole, float) else object)
        array.flat[-1] = hole
        return array
    return hole
