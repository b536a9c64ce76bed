"""Every number that a lesson, a hint or a description states is computed here a second time.

`facts` holds for each exercise the phrases with numbers, made from the mechanics and not from the
module; the words by which a hint is known (`hints`) count as well. A number that no phrase holds
is refused.
"""

import math
import re
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import sympy as sm
from scipy.special import ellipk

from tests.course.hints.double_pendulum import SLOW
from tests.course.test_chapter_exercises import EXERCISES
from tests.course.test_exercise_pictures import CHOICES, FIGURES, curves, drawn
from tests.course.test_hints import ROWS

pytestmark = pytest.mark.slow

COUNTS = "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
OTHERS = (
    r"hundreds?|thousand|millionths?|million|billionths?|twice|double(?!\spendulum)|half|quarter|"
    r"thirds?|tenths?"
)
NUMBER = re.compile(
    rf"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?|[½¼¾⅓]|\b(?:{'|'.join(COUNTS[2:])}|{OTHERS})\b(?!-)",
    re.IGNORECASE,
)


def word(count):
    """Return a count as a word; it must be one, to a third."""
    assert abs(count - round(count)) < 0.34, count
    return COUNTS[round(count)]


def rk4_at_its_border():
    """Return how far one step turns too much [quarter turns], where RK4 keeps the amplitude."""
    z = 1j * math.sqrt(8)
    factor = 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24
    assert abs(factor) == pytest.approx(1)
    return (np.angle(factor) - z.imag) % math.tau / (math.pi / 2)


def loss_of_rk4():
    y = sm.Symbol("y", real=True)
    factor = 1 + sm.I * y - y**2 / 2 - sm.I * y**3 / 6 + y**4 / 24
    series = sm.series(sm.expand(factor * sm.conjugate(factor)), y, 0, 7).removeO()
    return -1 / series.coeff(y, 6)


def seconds_gained():
    sooner, later = (c.x[np.argmax(c.y > 0.1)] for c in curves(drawn("double-pendulum-7")[0])[:2])
    return later - sooner


def terms_that_are_exact():
    """Return twelve, if so many terms of Σ |B₂ₖ| θ²ᵏ⁻² / (2k)! reach the last digit at θ = 1."""
    terms = [abs(sm.bernoulli(2 * k)) / sm.factorial(2 * k) for k in range(1, 30)]
    assert sum(terms[12:]) < sum(terms) * 2**-53
    return 12


ANGLE = math.pi / 6  # of the links, from the vertical
THRUST = math.hypot((0.755 + 0.2) * 9.81, 0.2 * 9.81 * math.tan(ANGLE))
LATE = ellipk(math.sin(math.pi / 4) ** 2) / (math.pi / 2) - 1
RISE = 1 - math.cos(math.radians(1))
QUICKER = {2: "twice"}[round(math.sqrt((1200 + 4000) / 1200))]  # with a free trolley
HOOP = math.sqrt(9.81 * 0.35 / 4)
LEANS_MORE = EXERCISES["kane-12"].answer.value / math.degrees(math.atan(0.3)) - 1


@cache
def facts():
    """Return phrases with their numbers, for each exercise that has any."""
    return {
        "pendulum-1": (f"carries {word((2 * 9.81 + 9.81) / 9.81)} times the weight", "Two masses"),
        "pendulum-2": ("Two loaded rods",),
        "pendulum-4": (
            "At 90° the pull is weaker", f"takes {100 * LATE:.0f} % longer",
            "Two swings of a 2 meter arm",
        ),
        "pendulum-7": (f"Two rods told to turn to {180 / 2.5:.0f} degrees left of the bottom",),
        "pendulum-8": (f"{word(80 / 15).capitalize()} times rarer",),
        "pendulum-9": ("Two ends that are joined",),
        "pendulum-12": ("The nearer the two weights",),
        "double-pendulum-1": ("Two double pendulums",),
        "double-pendulum-2": ("no product of two different rates", "Two double pendulums"),
        "double-pendulum-3": ("as long as there are two masses",),
        "double-pendulum-4": ("Two double pendulums",),
        "double-pendulum-6": (
            f"pendulums of {math.floor(9.81 / SLOW**2)} m and of {math.ceil(9.81 / SLOW**2)} m",
        ),
        "double-pendulum-7": (
            f"A million times better knowledge buys {word(seconds_gained())} more",
            "two double pendulums",
        ),
        "double-pendulum-10": (
            # a spring of 90 N/m and 0.8 m turns 2 kg with 3 rad/s: k e = m (l + e) ω²
            f"stays stretched by {2 * 0.8 * 3**2 / (90 - 2 * 3**2):g} m",
            "in two ways",
        ),
        "relative-vs-absolute-3": ("Each entry knows two angles only",),
        "relative-vs-absolute-4": ("Two chains of three links",),
        "relative-vs-absolute-6": ("a torque between two rods",),
        "relative-vs-absolute-12": ("All lines use one table",),
        "relative-vs-absolute-14": ("Three freedoms, one Lagrangian",),
        "relative-vs-absolute-7": ("Operations for 5 links",),
        "integrators-3": ("Three terms of Taylor's series",),
        "integrators-5": ("Two conditions, two unknowns",),
        "integrators-6": (f"by {['', 'a quarter'][round(rk4_at_its_border())]} turn too much",),
        "integrators-9": ("of order two", "That is the implicit midpoint method: one slope"),
        "integrators-10": (
            f"is {Fraction(1, 6)}, and it is stable to √{3}",
            "With two stages there is no z³",
            "order three",
            "That takes four stages",
            f"of z³ is {Fraction(1, 2) * Fraction(1, 4)}. Then |R(iy)| is greater than one",
            "the term with y⁴",
            f"of z³ is {Fraction(1, 1) * Fraction(1, 2)}: stable",
        ),
        "integrators-11": ("one of the three",),
        "integrators-12": (
            f"{word(4 * 1).capitalize()} evaluations a picture against {word(2 * 4)}",
        ),
        "integrators-13": (
            "would not be one half, and the order would be one",
            f"with {Fraction(1, 4 * 3 * 2)}. The order would be three",
            "order four",
        ),
        "integrators-14": ("Ask twice", "the difference of the two errors"),
        "integrators-7": (f"|R(iy)|² = 1 - y⁶/{loss_of_rk4()}",),
        "kane-3": (f"¼ from moving and {Fraction(1, 3) - Fraction(1, 4)} from turning",),
        "kane-4": ("for 1 kg released at 90 degrees",),
        "kane-6": ("The two partial velocities",),
        "kane-10": (
            "so its two parts are opposite",
            f"the moment of inertia is {['', '', 'twice'][round((1 / 2) / (1 / 4))]} that about",
            "along the other two",
        ),
        "kane-12": (f"leans {['as much', 'half'][round(2 * LEANS_MORE)]} as much again as",),
        "kane-11": ("It dropped out of three equations", "Differentiate the height twice"),
        "kane-13": (
            "skate in the second row", "turning in the second row", "Look at the third row",
        ),
        "holonomic-constraints-1": ("Two equations for three coordinates",),
        "holonomic-constraints-7": ("the root is double",),
        "holonomic-constraints-8": ("where the two look alike",),
        "holonomic-constraints-10": ("Six unknowns need six rows", "and not twice the place"),
        "holonomic-constraints-12": ("moves two coordinates only",),
        "holonomic-constraints-13": ("All three places are met", "Those are the two lengths"),
        "linearization-1": ("over zero at 90°", "one pendulum, three characters"),
        "linearization-2": (f"In each 1/√(g/l), {(1 / 9.81) ** 0.5:.1f} s for a meter",),
        "linearization-3": ("The double zero",),
        "linearization-4": (f"At 1° and 1 m it is {1000 * RISE:.2f} mm",),
        "linearization-6": (
            f"A front wheel of 35 cm that rolls by itself needs {HOOP:.2f} m/s",
            "has half of its moment of inertia about the axle, and not a quarter",
        ),
        "linearization-7": ("One force, two speeds",),
        "linearization-11": (f"Twice the speed needs {['', 'a quarter'][4 // 2**2]} of the steer",),
        "linearization-12": (f"wrong by a factor of {math.degrees(1):.0f}",),
        "linearization-8": ("Six lines, and the same six",),
        "lie-group-integrators-1": (
            "adds (hω)²/2",
            f"a thousand of them at hω = 0.01 add {100 * ((1 + 0.01**2) ** 500 - 1):.0f} %",
        ),
        "lie-group-integrators-2": ("must come out as 1", "half the art"),
        "lie-group-integrators-4": (f"{word(terms_that_are_exact())} terms are exact",),
        "lie-group-integrators-6": ("One exponential more against three dexp⁻¹",),
        "lie-group-integrators-7": ("about the other two",),
        "lie-group-integrators-9": ("The half is lost", "half of the angle"),
        "lie-group-integrators-10": ("one of the two products", "Half a bracket", "both turns"),
        "lie-group-integrators-12": (
            "it lies below 0.2 kg·m²",  # (0.1 + 0.3)/2, where both differences are equal
        ),
        "quadrotors-1": (
            f"{6 + 2 * (3 + 3) + 2 * (9 + 3)} numbers, {6 + 2 * 6 + 2 * 6} in the algebra, "
            f"{3 + 2 * 2 + 2 * 3} ways to move",
            f"a rotation has {word(3 * 3)}",
        ),
        "quadrotors-2": ("The third axis points along gravity", "The third coordinate"),
        "quadrotors-3": (
            f"{100 * (1 / math.cos(math.radians(40)) - 1):.0f} % more than straight ones",
            "smaller than half of the weight, or larger?",
        ),
        "quadrotors-5": ("with moments of 1 N·m",),
        "quadrotors-6": (f"Each thrust is {THRUST:.2f} N",),
        "quadrotors-8": (
            f"From {1 - math.cos(0):.0f} to {1 - math.cos(math.pi):.0f} at half a turn",
            "Half of it is asked for", "It vanishes at half a turn, too", "at half a turn?",
        ),
        "quadrotors-10": ("The two rates stand in different axes",),
        "quadrotors-11": (
            "But a ½ is missing in your e_R",
            "is 0.9 the unit of time here, or one second?",
        ),
        "quadrotors-13": ("The gain 5 acts on the velocity",),
        "quadrotors-14": ("There are three", "with two vehicles"),
        "your-own-machine-3": ("from a swing of 40 degrees",),
        "your-own-machine-7": (f"swings {QUICKER} as fast",),
        "quadrotors-15": ("Four ways to move, two things to push",),
        "many-pendulums-2": (
            "each takes 8 bytes",
            f"take {['', 'hundreds'][round(4 * 1001 / (72 / 8) / 445)]} of times more",
        ),
        "many-pendulums-3": ("Let all of them have a say", "you took one"),
        "many-pendulums-4": ("if you know it ten times better",),
        "many-pendulums-6": (
            "beyond its goal: half a swing",
            "A quarter of a swing would be right",
            "Without a brake that is a quarter of a swing",
            "checks a thousand runs at once, and a thousand runs check",
        ),
        "many-pendulums-7": (
            "of p (1 - p) you left out",
            f"For half the error it takes {word(0.05 * 0.95 / 0.0025**2 / 1900)} times as many",
        ),
        "many-pendulums-10": ("Three numbers stand for any number of runs",),
        "many-pendulums-11": (
            "beyond ten cores",
            "So it is for two cores",
            "A thousand cores are kept waiting by one",
        ),
    }  # fmt: skip


def descriptions(name):
    """Return what is said of an exercise's moving picture and of its drawn one."""
    exercise = EXERCISES[name]
    moving = [exercise.show.description] if exercise.show else []
    return moving + ([drawn(name)[1]] if name in CHOICES else [])


def texts(name):
    exercise = EXERCISES[name]
    hints = [mistake.hint for mistake in exercise.misconceptions]
    return [exercise.lesson, *hints, *descriptions(name)]


def phrases(name):
    """Return all that is said of an exercise a second time."""
    figure = [words for words, _ in FIGURES[name].curves.values()] if name in CHOICES else []
    return [*facts().get(name, ()), *(p for row in ROWS[name] for p in row[1:]), *figure]


def unproved(text, proved):
    """Return the numbers of a text that lie in none of the phrases."""
    spans = [found.span() for phrase in proved for found in re.finditer(re.escape(phrase), text)]
    return [
        found.group()
        for found in NUMBER.finditer(text)
        if not any(start <= found.start() and found.end() <= end for start, end in spans)
    ]


@pytest.mark.parametrize("name", EXERCISES)
def test_every_number_that_is_stated_is_computed_here_too(name):
    for text in texts(name):
        assert unproved(text, phrases(name)) == [], text


def test_every_phrase_of_the_table_is_said():
    for name, said in facts().items():
        for phrase in said:
            assert any(phrase in text for text in texts(name)), phrase


@pytest.mark.parametrize(
    "text",
    ["13 ways", "it takes 18.5 %", "twice", "Five times", "at -10°", "c = 1/2", "½ m", "1e-06"],
)
def test_numbers_are_found(text):
    assert unproved(text, []) != []
    assert unproved(text, [text]) == []
