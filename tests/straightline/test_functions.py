"""The elementary functions against fifty digits, over their whole range."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from straightline import ieee_floats as floats
from straightline.angles import LARGEST, NEAR
from straightline.evaluator import Evaluator
from straightline.functions import BY_NAME
from straightline.operations import remainder
from straightline.powers import power
from tests.straightline.interpreter import followed, same

DIGITS = 50
COUNT = 350
INFINITE, TINY, HUGE = math.inf, 5e-324, 1.7976931348623157e308
SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    INFINITE,
    -INFINITE,
    math.nan,
    TINY,
    -TINY,
    1e-310,
    HUGE,
    -HUGE,
    2.0**54,
    709.782712893384,
    709.79,
    -745.13,
    -745.14,
    710.4758,
]


def uniform(low, high, count=COUNT):
    return np.random.default_rng(1).uniform(low, high, count)


def sizes(low, high, count=COUNT, signs=True):
    """Return numbers of all sizes, evenly spread on a logarithmic scale."""
    rng = np.random.default_rng(2)
    logarithms = rng.uniform(math.log2(low), math.log2(high), count)
    found = np.ldexp(np.exp2(logarithms % 1), np.floor(logarithms).astype(int))
    return found * rng.choice([-1, 1], count) if signs else found


def beside_right_angles():
    """Return the floats that come closest to multiples of π/2, by continued fractions."""
    found = []
    with mpmath.workprec(400):
        for e in range(-45, -2):
            rest, numerators, denominators = mpmath.ldexp(2 / mpmath.pi, e), (0, 1), (1, 0)
            while denominators[1] < 2**53:
                whole = int(mpmath.floor(rest))
                numerators = numerators[1], whole * numerators[1] + numerators[0]
                denominators = denominators[1], whole * denominators[1] + denominators[0]
                rest = 1 / (rest - whole)
                angle = math.ldexp(denominators[1], e)
                if numerators[1] and denominators[1] < 2**53 and angle < LARGEST:
                    found.append(angle)
    multiples = np.random.default_rng(3).integers(1, int(1.3 * NEAR), COUNT) * (math.pi / 2)
    return np.array([*found, *multiples, *np.nextafter(multiples, 0)])


ANGLES = np.concatenate(
    [
        uniform(-0.8, 0.8),
        uniform(-10, 10),
        uniform(-NEAR, NEAR),
        sizes(NEAR, LARGEST),
        sizes(TINY, 1),
        beside_right_angles(),
        [NEAR, np.nextafter(NEAR, 0), np.nextafter(LARGEST, 0)],
    ]
)
BESIDE_ONE = 1 + sizes(1e-16, 0.5)
POSITIVE = np.concatenate(
    [
        sizes(TINY, HUGE, signs=False),
        sizes(TINY, 1e-300, signs=False),
        BESIDE_ONE,
        uniform(0.5, 2),
    ]
)
POWERS = np.concatenate(
    [uniform(-745.2, 709.78), sizes(1e-20, 700), uniform(-1, 1), uniform(-745, -700)]
)
HYPERBOLIC = np.concatenate(
    [
        uniform(-710.4, 710.4),
        sizes(1e-310, 700),
        uniform(-3, 3, 3 * COUNT),
        uniform(709, 710.47),
    ]
)
UNITS = np.concatenate(
    [uniform(-1, 1, 2 * COUNT), sizes(1e-310, 1), 1 - sizes(1e-16, 0.5, signs=False)]
)

#: Exact values, points, and how many units in the last place are allowed.
ONE = {
    "sin": (mpmath.sin, ANGLES, 1.6),
    "cos": (mpmath.cos, ANGLES, 1.6),
    "tan": (mpmath.tan, ANGLES, 3.0),
    "arcsin": (mpmath.asin, UNITS, 1.0),
    "arccos": (mpmath.acos, np.concatenate([UNITS, -UNITS]), 1.0),
    "arctan": (mpmath.atan, np.concatenate([sizes(1e-310, HUGE), uniform(-3, 3)]), 1.0),
    "exp": (mpmath.exp, POWERS, 1.0),
    "log": (mpmath.log, POSITIVE, 1.0),
    "sinh": (mpmath.sinh, HYPERBOLIC, 1.7),
    "cosh": (mpmath.cosh, HYPERBOLIC, 1.6),
    "tanh": (mpmath.tanh, np.concatenate([HYPERBOLIC, UNITS]), 1.5),
}
PLANE = [
    *zip(sizes(1e-300, 1e300), sizes(1e-300, 1e300)[::-1]),
    *zip(uniform(-1, 1), uniform(-1, 1)[::-1]),
    *zip(sizes(1e-10, 1e10), sizes(1e-10, 1e10)[::-1]),
]
_BASES = sizes(TINY, HUGE, signs=False)
TWO = {
    "arctan2": (mpmath.atan2, PLANE, 1.5),
    "hypot": (mpmath.hypot, [*PLANE, (3e-324, 4e-320), (1e308, 1e308), (1e-308, 2e-308)], 1.5),
    "power": (
        mpmath.power,
        [
            *zip(_BASES, uniform(-1075, 1024.5) / np.log2(_BASES)),
            *zip(BESIDE_ONE, sizes(1e-3, 1e18)[::-1]),
            *zip(uniform(0.5, 2), uniform(-1000, 1000)[::-1]),
            *zip(sizes(1e-3, 1e3, signs=False), uniform(-20, 20)),
        ],
        1.0,
    ),
}
FUNCTIONS = {**ONE, **TWO}


def units_off(found, exact):
    """Return how many units in the last place a float is off."""
    rounded = float(exact) if abs(exact) < 2 * mpmath.mpf(HUGE) else math.copysign(INFINITE, exact)
    if math.isinf(rounded) or math.isinf(found):
        return 0.0 if found == rounded else INFINITE
    return float(abs(mpmath.mpf(found) - exact) / math.ulp(rounded))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_is_right_to_two_units_in_the_last_place(name):
    exact, points, allowed = FUNCTIONS[name]
    with mpmath.workdps(DIGITS):
        for point in points:
            x = [float(v) for v in np.atleast_1d(point)]
            off = units_off(BY_NAME[name](*x), exact(*map(mpmath.mpf, x)))
            assert off <= allowed, (x, off)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_special_values_are_those_of_numpy(name):
    points = SPECIAL if name in ONE else [(a, b) for a in SPECIAL for b in SPECIAL]
    for point in points:
        x = np.atleast_1d(point)
        if name in ("sin", "cos", "tan") and LARGEST <= abs(x[0]) < INFINITE:
            assert math.isnan(BY_NAME[name](*x))
            continue
        if name == "power" and not (np.isfinite(x).all() and np.abs(x).max() < 3 and x[0]):
            continue  # no motion goes on from there
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(*x)
        found = BY_NAME[name](*x)
        np.testing.assert_allclose(found, expected, rtol=7e-16, atol=0, err_msg=str(x))
        if name in ("arctan", "arcsin", "arctan2"):
            assert math.copysign(1, found) == math.copysign(1, expected) or math.isnan(found), x


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_programs_give_the_same_bits(name):
    """On every machine, with its own power of two, exponent and mantissa."""
    special = SPECIAL if name in ONE else [(a, b) for a in SPECIAL for b in SPECIAL]
    points = [np.atleast_1d(point) for point in [*FUNCTIONS[name][1], *special]]
    compiled = Evaluator(lambda t, x, p: [BY_NAME[name](*x)], len(points[0]), [])
    for point, found in zip(points, compiled(np.zeros(len(points)), np.array(points))):
        x = [float(v) for v in point]
        if name == "power" and abs(x[1]) <= 16 and (2 * x[1]).is_integer():
            continue  # a known exponent is made of products
        assert same(float(found[0]), BY_NAME[name](*x)), x


@pytest.mark.parametrize("n", [*range(-16, 17), 0.5, -0.5, 1.5, -2.5, 15.5])
def test_known_small_powers_are_products(n):
    formula = followed(lambda x: power(x, n), 1)
    for x in (0.3, 1.7, 12.5, -0.7, -3.0, 0.0):
        found = power(x, n)
        assert same(formula(x)[0], found)
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(found, np.float64(x) ** n, rtol=(abs(n) + 2) * 1.2e-16)


@pytest.mark.parametrize(
    "name",
    [
        "sign",
        "floor",
        "ceil",
        "rint",
        "square",
        "absolute",
        "fabs",
        "sqrt",
        "degrees",
        "radians",
        "rad2deg",
        "deg2rad",
        "maximum",
        "minimum",
        "remainder",
        "mod",
    ],
)
def test_small_functions_are_those_of_numpy(name):
    of_two = name in ("maximum", "minimum", "remainder", "mod")
    numbers = [*SPECIAL, 0.3, -0.3, 1.5, -1.5, 2.5, -7.9, 1e15 + 0.5, 2.0**52 + 1, -(2.0**60)]
    pairs = [(1.0, 2.0), (2.0, -1.0), (7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (3.0, math.nan),
             (math.nan, 3.0), (1.0, 0.0)]  # fmt: skip
    formula = followed(BY_NAME[name], 1 + of_two)
    for x in pairs if of_two else zip(numbers):
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(*x)
        tolerance = 0 if of_two else 3e-16
        np.testing.assert_allclose(BY_NAME[name](*x), expected, rtol=tolerance, atol=0)
        assert same(formula(*x)[0], float(BY_NAME[name](*x))), x


left_of = followed(lambda a, b: a % b, 2)
SIZES = st.floats(allow_nan=False, allow_infinity=True)


@given(st.floats(-1e3, 1e3) | SIZES, st.floats(-1e3, 1e3) | SIZES, st.integers(-(2**52), 2**52))
@example(0.3, 0.1, 3)
@example(-5.0, INFINITE, 0)
@example(5e-324, 5e-324, 7)
@example(HUGE, -1e300, 1)
def test_what_is_left_is_that_of_python_to_the_last_bit(x, y, count):
    """Near a multiple, too, where a quotient that is rounded is one too large."""
    for a in (x, count * y, math.nextafter(count * y, INFINITE), math.nextafter(count * y, 0.0)):
        if y and math.isfinite(a) and abs(a) < 2.0**52 * abs(y):
            assert same(left_of(a, y)[0], a % y), (a, y)
            assert same(float(remainder(a, y)), a % y), (a, y)
            assert same(left_of(-a, y)[0], -a % y), (-a, y)


def test_floats_divide_as_machines_do():
    numbers = [0.0, -0.0, 1.0, -2.5, INFINITE, -INFINITE, math.nan, TINY, HUGE]
    with np.errstate(all="ignore"):
        for a in numbers:
            assert same(floats.square_root(a), float(np.sqrt(a)))
            for b in numbers:
                assert same(floats.divide(a, b), float(np.float64(a) / np.float64(b))), (a, b)
