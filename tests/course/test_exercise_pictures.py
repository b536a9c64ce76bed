"""Pictures after a choice: what each label and each description says is what its curve does.

FIGURES says of each picture, a second time, what its axes show, which words of its description are
about which curve, and what must be true of that curve and of no other.
"""

import importlib
import math
from dataclasses import dataclass
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

from tests.course.test_chapter_exercises import EXERCISES

pytestmark = pytest.mark.slow

CHOICES = [name for name, exercise in EXERCISES.items() if exercise.reveal]
OPTIONS = [(name, letter) for name in CHOICES for letter in EXERCISES[name].answer.options]


@cache
def drawn(name, letter=None):
    """Return the figure and its description, as they would be shown after a choice."""
    exercise = EXERCISES[name]
    chapter = importlib.import_module(exercise.reveal.__module__)
    kept = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chapter, "figure_as_html", lambda *given: kept.extend(given) or "")
        exercise.reveal(letter or exercise.answer.value)
    plt.close(kept[0])
    return kept


@dataclass
class Curve:
    """A line or a set of bars, with its label."""

    label: str
    x: np.ndarray
    y: np.ndarray
    dotted: bool = False


def curves(figure):
    """Return what is drawn in the only axes of a figure: lines, or bars."""
    (ax,) = figure.axes
    bars = [
        Curve(bar.get_label(), np.arange(len(bar)), np.array([patch.get_height() for patch in bar]))
        for bar in ax.containers
    ]
    lines = [
        Curve(line.get_label(), *map(np.asarray, line.get_data()), line.get_linestyle() == "None")
        for line in ax.lines
    ]
    return bars + lines


def period(degrees, length=2.0):
    """Return the time of a swing [s] by the complete elliptic integral."""
    return 4 * math.sqrt(length / 9.81) * ellipk(math.sin(math.radians(degrees) / 2) ** 2)


def is_back_after(seconds):
    return lambda c: abs(np.interp(seconds, c.x, c.y) - 1) < 1e-4 and c.y.max() < 1 + 1e-9


def starts_at_and_is_a_tenth_after(first, seconds):
    def law(c):
        return math.isclose(c.y[0], first, rel_tol=1e-3) and (
            abs(c.x[np.argmax(c.y > 0.1)] - seconds) < 0.5
        )

    return law


def has_order(order):
    return lambda c: abs(np.polyfit(np.log(c.x), np.log(c.y), 1)[0] - order) < 0.2


def flips_as_scipy_says(c):
    """Whether a double pendulum from 150 and 0 degrees flips when SciPy's solver says so."""

    def rates(t, x):
        (a, b), (u, v) = x[:2], x[2:]
        M = [[2, math.cos(a - b)], [math.cos(a - b), 1]]
        F = [-19.62 * math.sin(a) - math.sin(a - b) * v**2, math.sin(a - b) * u**2]
        return [u, v, *np.linalg.solve(M, F - np.array([0, 9.81 * math.sin(b)]))]

    def over(t, x):
        return np.abs(x[:2]).max() - math.pi

    over.terminal = True
    start = [math.radians(150), 0, 0, 0]
    (flip,) = solve_ivp(rates, (0, 10), start, events=over, rtol=1e-10, atol=1e-10).t_events[0]
    return 0 <= c.y[np.argmin(np.abs(c.x))] - flip < 0.0101


def comes_near(c):
    """Whether a load comes as near to its path as is said, from where it starts."""
    ends = math.isclose(c.y[0], math.hypot(0.5, 0.75)) and round(c.y.max()) == 3
    return ends and round(1000 * c.y[-1], 2) == 0.05


@dataclass
class Figure:
    """What a picture must show: axes, and of each curve what is said of it and what is true."""

    x: str
    y: str
    curves: dict
    alike: bool = False  # the point is that the curves are the same


def falls_in(rod):
    """Return whether a curve falls from level as a rod with this inertia [l²] and its load does."""
    l, friction = 1.5, 0.5
    inertia, weight = (rod + 0.4) * l**2, (0.9 / 2 + 0.4) * 9.81 * l

    def fall(t, x):
        return [x[1], -(weight * math.sin(x[0]) + friction * x[1]) / inertia]

    def at_bottom(t, x):
        return x[0]

    end = solve_ivp(fall, (0, 3), [math.pi / 2, 0], events=at_bottom, rtol=1e-9).t_events[0][0]
    return lambda c: abs(c.x[np.argmax(c.y < 0)] - end) < 0.011


def sets_out_with(way):
    """Return whether a curve begins as the second link's does, with this way to its joint [m]."""
    arms = np.array([[1.0, 0.0], [way, 0.35]])
    weights = -9.81 * arms.sum(axis=0) * math.sin(0.5)
    second = np.linalg.solve(arms.T @ arms + np.diag([0.3, 0.05]), weights)[1]
    turned = math.degrees(second * 0.05**2 / 2)  # after 0.05 s
    return lambda c: math.isclose(c.y[5] - c.y[0], turned, rel_tol=0.03)


FIGURES = {
    "relative-vs-absolute-12": Figure(
        "time [s]",
        "second link [deg]",
        {
            "the true table": ("otherwise than by the true one", sets_out_with(2.0)),
            "the suspect's table": ("By the suspect's table of arms", sets_out_with(0.7)),
        },
    ),
    "pendulum-4": Figure(
        "time [s]",
        "angle / amplitude",
        {
            "amplitude 5°": ("amplitude 5° is back after 2.84 seconds", is_back_after(period(5))),
            "amplitude 90°": (
                "amplitude 90° after 3.35 seconds",
                is_back_after(period(90)),
            ),
        },
    ),
    "pendulum-10": Figure(
        "time [s]",
        "angle of the arm [deg]",
        {
            "the program": ("By the program it is at the bottom too soon", falls_in(0.9 / 12)),
            "without its bug": ("without its bug it takes its time", falls_in(0.9 / 3)),
        },
    ),
    "double-pendulum-7": Figure(
        "time [s]",
        "distance of the states",
        {
            "1e-06 rad apart at the start": (
                "1e-06 rad apart at the start, they are a tenth apart after 7 seconds",
                starts_at_and_is_a_tenth_after(1e-6, 7),
            ),
            "1e-12 rad apart at the start": (
                "1e-12 rad apart at the start, after 18 seconds",
                starts_at_and_is_a_tenth_after(1e-12, 18),
            ),
        },
    ),
    "double-pendulum-9": Figure(
        "time [s]",
        "energy [J]",
        {
            "our equation": ("by our equation it stays", lambda c: np.ptp(c.y) < 1e-3),
            "the line of the slide": (
                "by the line of the slide it comes and goes",
                lambda c: np.ptp(c.y) > 10,
            ),
        },
    ),
    "double-pendulum-10": Figure(
        "time [s]",
        "stretch [m]",
        {
            "model d": ("by model d it swings to and fro", lambda c: c.y.min() < -0.1),
            "model e": (
                "by model e it stays stretched by 0.2 m",
                lambda c: np.allclose(c.y, 0.2, atol=1e-9),
            ),
        },
    ),
    "relative-vs-absolute-5": Figure(
        "time [s]",
        "second link [deg]",
        {
            "absolute": ("the line of the absolute ones", lambda c: not c.dotted),
            "relative, summed": ("the dots of the relative angles, summed", lambda c: c.dotted),
        },
    ),
    "relative-vs-absolute-7": Figure(
        "",
        "operations for 5 links",
        {
            "absolute": (
                "relative angles need 5 times as many as absolute ones",
                lambda c: c.y[0] == min(bars[0] for bars in heights()),
            ),
            "relative": (
                "common parts computed once, 1.3 times as many",
                lambda c: c.y[0] == max(bars[0] for bars in heights()),
            ),
        },
    ),
    "integrators-7": Figure(
        "time [s]",
        "energy over its start",
        {
            "rk4": ("rk4 falls steadily", lambda c: (np.diff(c.y[::50]) < 0).all()),
            "velocity_verlet": (
                "velocity_verlet wavers in a narrow band",
                lambda c: c.y[-100:].max() > 0.999 and c.y.min() > 0.97,
            ),
        },
    ),
    "integrators-13": Figure(
        "step [s]",
        "largest error",
        {
            "the program": ("that of the program falls with order two", has_order(2)),
            "RK4": ("that of RK4 with order four", has_order(4)),
        },
    ),
    "kane-4": Figure(
        "time [s]",
        "force of the hinge [N]",
        {
            "": (
                "between nothing at the turning points and 29.4 N, three times the weight",
                lambda c: abs(c.y.max() - 3 * 9.81) < 0.01 and 0 <= c.y.min() + 1e-6 < 0.01,
            )
        },
    ),
    "kane-13": Figure(
        "x [m]",
        "y [m]",
        {
            "the program": (
                "by the program its way bends",
                lambda c: np.ptp(np.diff(c.y) / np.diff(c.x)) > 0.1,
            ),
            "a skate": (
                "a skate goes on straight",
                lambda c: np.allclose(c.y, c.x * math.tan(math.radians(-10)), atol=1e-9),
            ),
        },
    ),
    "holonomic-constraints-5": Figure(
        "time [s]",
        "gap [m]",
        {
            "in place": (
                "in place it stays below a billionth of a meter",
                lambda c: max(c.y) < 1e-9,
            ),
            "a copy": ("in a copy it grows to centimeters", lambda c: 0.02 < max(c.y) < 0.1),
        },
    ),
    "linearization-9": Figure(
        "friction [N·m·s]",
        "real part of the eigenvalues [1/s]",
        {
            "it falls": (
                "one positive, and smaller with more friction, but never zero",
                lambda c: (np.diff(c.y) < 0).all() and c.y.min() > 0,
            ),
            "it returns": (
                "one negative, and further from zero",
                lambda c: (np.diff(c.y) < 0).all() and c.y.max() < 0,
            ),
        },
    ),
    "linearization-12": Figure(
        "time [s]",
        "lean of the bob [deg]",
        {
            "the true matrices": (
                "from 6 degrees: with the law of the true matrices it returns",
                lambda c: round(c.y[0]) == 6 and abs(c.y[-1]) < 1,
            ),
            "the friend's": (
                "with that of the friend's it tips over within a second",
                lambda c: np.isnan(c.y[c.x > 1]).all() and np.nanmax(c.y) > 60,
            ),
        },
    ),
    "linearization-3": Figure(
        "time [s]",
        "length of the rod [m]",
        {
            "on the circle": ("constant on the circle", lambda c: np.allclose(c.y, 1, atol=1e-6)),
            "1 cm/s along the rod": (
                "growing evenly for a start with 1 cm/s along the rod",
                lambda c: np.allclose(c.y, 1 + 0.01 * c.x, atol=2e-3),
            ),
        },
    ),
    "lie-group-integrators-5": Figure(
        "step [s]",
        "largest error",
        {
            "with dexp⁻¹": ("with dexp⁻¹ of order four", has_order(4)),
            "without": ("without of order two", has_order(2)),
        },
    ),
    "your-own-machine-3": Figure(
        "time [s]",
        "distance of the trolley [m]",
        {
            "right": (
                "with the right one it is nearly back after two seconds",
                lambda c: np.interp(2, c.x, c.y) < 2,
            ),
            "wrong": (
                "with the wrong one it is still far away",
                lambda c: np.interp(2, c.x, c.y) > 4,
            ),
        },
    ),
    "your-own-machine-4": Figure(
        "time [s]",
        "length of the rope [m]",
        {
            "right": (
                "from a swing of 40 degrees: with the right one it is 8 m in the end",
                lambda c: round(c.y[-1]) == 8,
            ),
            "the friend's": ("with the friend's 11 m", lambda c: round(c.y[-1]) == 11),
        },
    ),
    "quadrotors-2": Figure(
        "time [s]",
        "third coordinate of the load [m]",
        {
            "": (
                "it grows as a parabola to 4.9 m in one second",
                lambda c: np.allclose(c.y, 9.81 / 2 * c.x**2, atol=1e-6) and c.x[-1] == 1,
            )
        },
    ),
    "quadrotors-10": Figure(
        "angle off the target [deg]",
        "moment [N·m]",
        {
            "controller a": (
                "by controller a it is twice as large",
                lambda c: c.y.min() == pytest.approx(-2 * 18 / 0.81),
            ),
            "controller d": (
                "by controller d it turns back, most at 90°",
                lambda c: c.y.min() == c.y[45] == pytest.approx(-18 / 0.81) and c.x[45] == 90,
            ),
            "controller f": ("by controller f it turns away", lambda c: c.y.max() > 0),
        },
    ),
    "quadrotors-5": Figure(
        "time [s]",
        "distance from the path [m]",
        {
            "moments of 1 N·m": ("It grows to 3 m, then falls to 0.05 mm", comes_near),
            "no moments": ("with no moments the curves are equal", comes_near),
        },
        alike=True,
    ),
    "many-pendulums-1": Figure(
        "second angle [deg]",
        "time to the flip [s]",
        {
            "one thread": ("where the first is 150 degrees", flips_as_scipy_says),
            "two threads": ("of one thread and of two threads are the same", flips_as_scipy_says),
        },
        alike=True,
    ),
    "many-pendulums-5": Figure(
        "time [s]",
        "angle from the goal [deg]",
        {
            "arm": (
                "the arm is in the band of 2 degrees after 0.1 s for the first time, and for good "
                "only after two seconds",
                lambda c: (
                    round(c.x[np.argmax(np.abs(c.y) < 2)], 1) == 0.1
                    and round(c.x[np.abs(c.y) > 2].max()) == 2
                ),
            ),
            "band": ("drawn as two level lines", lambda c: set(c.y) == {-2.0, 2.0}),
        },
    ),
    "many-pendulums-9": Figure(
        "number of flights",
        "error of the share",
        {
            "by chance": (
                "where a model says 0.05",
                lambda c: np.allclose(c.y**2 * c.x, 0.05 * 0.95),
            ),
            "by the model": ("and 0.08 is true", lambda c: np.allclose(c.y, 0.08 - 0.05)),
        },
    ),
}


def heights():
    return [bars.y for bars in curves(drawn("relative-vs-absolute-7")[0])]


def test_every_picture_has_its_row():
    assert set(FIGURES) == set(CHOICES)


@pytest.mark.parametrize("name", CHOICES)
def test_the_axes_are_named_with_their_units_and_the_description_names_them(name):
    figure, description = drawn(name)
    (ax,) = figure.axes
    assert (ax.get_xlabel(), ax.get_ylabel()) == (FIGURES[name].x, FIGURES[name].y)
    for label in (ax.get_xlabel(), ax.get_ylabel()):
        for part in label.partition(" [")[0].split(" / "):
            assert part in description.lower()


@pytest.mark.parametrize("name", CHOICES)
def test_every_curve_has_one_label_and_what_is_said_of_it_is_true_of_it_alone(name):
    figure, description = drawn(name)
    wanted = FIGURES[name].curves
    labelled = [c for c in curves(figure) if not c.label.startswith("_")]
    found = labelled if any(wanted) else [without_label(c) for c in curves(figure)]
    assert [c.label for c in found] == list(wanted)
    for label, (words, law) in wanted.items():
        assert words in description
        true = [c.label for c in found if law(c)]
        assert true == (list(wanted) if FIGURES[name].alike else [label])


def without_label(curve):
    return Curve("", curve.x, curve.y)


@pytest.mark.parametrize(("name", "letter"), OPTIONS)
def test_the_title_says_what_was_chosen_and_how_it_went(name, letter):
    answer = EXERCISES[name].answer
    title = " ".join(drawn(name, letter)[0].axes[0].get_title().split())
    outcome = "that is what happens" if letter == answer.value else "look again"
    assert title.startswith(f"You said: {answer.options[letter]}: {outcome}")


@pytest.mark.parametrize("name", CHOICES)
def test_the_description_is_the_same_whatever_was_chosen(name):
    said = {drawn(name, letter)[1] for letter in EXERCISES[name].answer.options}
    assert len(said) == 1


def test_marks_stand_where_the_description_says():
    """Marks and lines without labels: the two returns, and the tenth."""
    marks = [c for c in curves(drawn("pendulum-4")[0]) if c.label.startswith("_")]
    assert [(*c.x, *c.y) for c in marks] == [
        pytest.approx((period(degrees), 1)) for degrees in (5, 90)
    ]
    (tenth,) = (c for c in curves(drawn("double-pendulum-7")[0]) if c.label.startswith("_"))
    assert list(tenth.y) == [0.1, 0.1]


def test_coarse_runs_are_drawn_in_degrees_and_lie_on_each_other():
    line, dots = curves(drawn("relative-vs-absolute-5")[0])
    assert line.y[0] == pytest.approx(math.degrees(0.4))
    assert dots.y == pytest.approx(line.y)


def test_bars_are_as_derived_and_with_common_parts_once():
    (ax,) = drawn("relative-vs-absolute-7")[0].axes
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["as derived", "common parts once"]
    absolute, relative = heights()
    derived, reduced = relative / absolute
    assert (round(derived), round(reduced, 1)) == (5, 1.3)
    assert absolute[0] > absolute[1]
    assert relative[0] > relative[1]
