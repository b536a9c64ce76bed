"""Numbers, vectors and matrices under the signs of a formula.

Values are numbers, SymPy expressions, or NumPy arrays of either. What makes no sense raises
TypeError: a number beside a vector in a sum, two vectors side by side.
"""

import numpy as np
import sympy as sm
from scipy.linalg import expm


def as_value(meaning):
    """Return a number, a vector or a matrix; columns are vectors, and one entry is a number."""
    if isinstance(meaning, sm.MatrixBase):
        meaning = np.array(meaning.tolist(), dtype=object)
    if isinstance(meaning, list | tuple):
        meaning = np.array(meaning)
    if not isinstance(meaning, np.ndarray) or callable(meaning):
        return meaning
    if meaning.size == 1:
        return meaning.flat[0]
    return meaning[:, 0] if meaning.ndim == 2 and meaning.shape[1] == 1 else meaning


def plus(a, b):
    for one, other in ((a, b), (b, a)):
        square = np.ndim(other) == 2 and len(set(np.shape(other))) == 1
        if np.ndim(one) == 0 and np.ndim(other) and one != 0:
            if not square:
                raise TypeError("a number and a vector have no sum")
            return one * np.eye(len(other), dtype=int) + other
    if np.ndim(a) and np.ndim(b) and np.shape(a) != np.shape(b):
        raise TypeError("vectors of different lengths have no sum")
    return a + b


def times(a, b):
    if callable(a) and not isinstance(a, float):
        return a(b)
    if not np.ndim(a) or not np.ndim(b):
        return a * b
    if np.ndim(a) == 1 and np.shape(b)[0] == 1 and np.ndim(b) == 2:
        return np.outer(a, b)
    if np.ndim(a) == np.ndim(b) == 1:
        raise TypeError("two vectors without a sign between them have no product")
    found = a @ b
    return found.flat[0] if np.size(found) == 1 else found


def divided(a, b):
    if np.ndim(b):
        raise TypeError("nothing is divided by a vector")
    whole = isinstance(a, int) and isinstance(b, int)
    return sm.Rational(a, b) if whole else times(a, 1 / b)


def power(a, n):
    if np.ndim(a) != 2:
        return a**n
    if n == -1:
        symbolic = any(isinstance(entry, sm.Basic) for entry in np.ravel(a))
        return as_value(sm.Matrix(a).inv("ADJ")) if symbolic else np.linalg.inv(a.astype(float))
    return np.linalg.matrix_power(a, int(n))


def size_of(a):
    return sum(entry**2 for entry in a) ** sm.Rational(1, 2) if np.ndim(a) else abs(a)


def hat(a):
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def slope(value, by):
    """Differentiate by a symbol, or by each of several; entries of a vector lie along rows."""
    if np.ndim(by):
        return np.stack([slope(value, symbol) for symbol in by], axis=-1)
    if np.ndim(value):
        return np.array([slope(entry, by) for entry in value])
    return sm.sympify(value).diff(by)


def exponential(a):
    if np.ndim(a) == 1:
        raise TypeError("a vector has no exponential")
    return expm(np.array(a, dtype=float)) if np.ndim(a) else sm.exp(a)


def substituted(value, known):
    if np.ndim(value):
        return np.array([substituted(entry, known) for entry in value])
    return sm.sympify(value).subs(known)
