"""What a prompt asks for is what its exercise takes: the unit, the symbols, and the numbers."""

import ast
import math
import re
from functools import cache

import nbformat
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from course.desk import course_notebooks
from course.exercises.linearization import SHARE, SIDE, STRENGTH
from course.exercises.your_own_machine import CALM, WITHIN
from course.judge import Array, Function, Number
from course.judge.prompts import asked_units, prompt_flaws, spans_of_code
from publishing.exercise_cells import exercises
from tests.course.test_exercise_numbers import descriptions, unproved, word
from tests.course.test_exercise_pictures import FIGURES, curves, drawn
from tests.helpers import ROOT, exercises_of
from tutlib.methods import integrate
from tutlib.models import chain, chain_recursion, four_bar, pendulum, rolling_disc
from tutlib.programs import followed_source
from tutlib.verification import MUSEUM

PATHS = course_notebooks(ROOT)
EXERCISES = {e.name: e for path in PATHS for e in exercises_of(path)}
CELLS = {
    cells.name: cells
    for path in PATHS
    for cells in exercises(nbformat.read(path, as_version=4).cells)
}
NUMERIC = [name for name, e in EXERCISES.items() if isinstance(e.answer, Number | Array)]


def closes(crank, answer):
    """Return the answer, if the four-bar with this crank [deg] closes with it."""
    model = four_bar()
    angles = dict(zip(model.equations.q, np.radians([crank, *answer])))
    gaps = [c.subs(model.parameters).subs(angles) for c in model.constraints]
    assert max(abs(float(gap)) for gap in gaps) < 1e-5
    return answer


def lean(slant, vehicle, load):
    sideways = load / 2 * math.tan(math.radians(slant))
    return math.degrees(math.atan2(sideways, vehicle + load / 2))


def brake_for(overshoot, stiffness, inertia):
    """Return a stiffness and the brake whose eigenvalues give this overshoot."""
    decay = -math.log(overshoot) / math.pi  # of the roots: real over imaginary part
    turn = math.sqrt(stiffness / inertia / (1 + decay**2))
    return [stiffness, 2 * inertia * decay * turn]


def spring_bounds(start, low, bend, most, off):
    """Return the softest spring, by the work of the weight near the goal, and the stiffest."""

    def height(shoulder):
        upper, lower = -math.cos(shoulder), -math.cos(shoulder + math.radians(bend))
        return upper / 2 + upper + lower / 2

    goal, near = -math.radians(low), 1e-6
    torque = 9.81 * (height(goal - near) - height(goal + near)) / (2 * near)
    return [torque / math.radians(off), most / math.radians(start + low)]


def lean_of_disc(radius, around, grip):
    """Return the lean [deg] at which a disc's own model rolls around at the limit of grip."""
    equations = rolling_disc()
    rates = equations.with_parameters({"r": radius}).compile()

    def off(lean):
        yaw = math.sqrt(grip * 9.81 / (around - radius * math.sin(lean)))
        spin = yaw * around / radius - yaw * math.sin(lean)
        return rates(0.0, [0, lean, 0, 0, 0, 0, spin, -yaw * math.cos(lean)])[5]

    return math.degrees(brentq(off, 0.05, 1.2))


def longest_chains(budget):
    """Return how many links a chain may have, by the programs with and without a mass matrix."""

    def length(rhs, n):
        return followed_source(lambda x: rhs(0.0, x), 2 * n).count(" = ")

    counts = [length(chain(n).free().compile(), n) for n in range(4, 10)]
    cubic = np.polynomial.Polynomial.fit(range(4, 10), counts, 3)
    dense = max(n for n in range(4, 99) if cubic(n) <= budget)
    assert length(chain(dense).free().compile(), dense) <= budget
    return [dense, max(n for n in range(100, 160) if length(chain_recursion(n), n) <= budget)]


def stiffest_servo(step, length, mass, gravity, ratio):
    """Return the k_p whose fast root is where RK4's R(z) is 1 again, on the real axis."""
    border = -np.roots([1 / 24, 1 / 6, 1 / 2, 1]).real.min()
    root, inertia = border / step, mass * length**2
    return (inertia * root**2 + mass * gravity * length) / (root / ratio - 1)


def fewest_steps(length, gravity, start, pictures, share):
    """Return how many steps Verlet and RK4 need from picture to picture, for an hour."""
    model = pendulum().with_parameters({"l": length, "g": gravity}).free()
    f, found = model.compile(), []
    for method in ("velocity_verlet", "rk4"):
        steps, worst = 0, np.inf
        while worst > share / 100:
            steps += 1
            each_second = int(pictures * steps)
            times = np.arange(3600 * each_second + 1) / each_second
            run = integrate(f, times, [math.radians(start), 0.0], method)
            energy = model.energies(run.t, run.x).sum(axis=1)
            worst = np.abs(energy / energy[0] - 1).max()
        found.append(steps)
    return found


def cranks_and_coupler(ground, height):
    """Return the lengths of a crossed linkage whose coupler's middle is at one height three times.

    Where one crank is upright it carries the coupler's upper end, and the other crank, which is as
    long, reaches the lower one.
    """
    crank = (ground**2 / height + 4 * height) / 4
    return [crank, 2 * (crank - height)]


def bounds_of_quickness(angle, inertia, spring, damper, most, time, near):
    """Return the least ε by the moment, and the largest by SciPy's swing back."""
    turned = math.radians(angle)
    swing = solve_ivp(
        lambda t, x: [x[1], -(spring * math.sin(x[0]) + damper * x[1]) / inertia],
        (0, 3), [turned, 0], rtol=1e-10, atol=1e-12, dense_output=True,
    )  # fmt: skip
    t = np.linspace(0, 3, 300001)
    late = t[np.abs(swing.sol(t)[0]) > math.radians(near)][-1]
    return [math.sqrt(spring * math.sin(turned) / most), time / late]


def heaviest_load(mass, slant, most, g):
    """Return the load of three vehicles, by halving."""
    low, high = 0.0, 9.0
    for _ in range(60):
        load = (low + high) / 2
        part = load / 3 * g
        thrust = math.hypot(part + mass * g, part * math.tan(math.radians(slant)))
        low, high = (load, high) if thrust < most else (low, load)
    return low


def first_rungs(first):
    """Return which rungs break first, as the museum records it, in the order of its page."""
    page = (ROOT / "book" / "museum.md").read_text(encoding="utf-8")
    shown = [MUSEUM[int(k)] for k in re.findall(r"^exhibited\(MUSEUM\[(\d+)\]\)", page, re.M)]
    rungs = list(dict.fromkeys(exhibit.rung for exhibit in MUSEUM))
    return [first + rungs.index(exhibit.rung) for exhibit in shown]


# where a prompt's numbers stand in it, and the answer that follows from them
ASKED = {
    "pendulum-5": (r"a shorter arm, of ([\d.]+) m", lambda l: math.sqrt(2 * 9.81 / l)),
    "pendulum-8": (
        r"k_d = (\d+)\$, with \$k_p = (\d+)\$ and \$I = (\d+)",
        lambda kd, kp, inertia: min(2 * kd / kp, 2 * inertia / kd),
    ),
    "pendulum-9": (r"closed loop", None),
    "pendulum-11": (
        r"(\d+) kg at the end of (\d+) m, .*to go to −(\d+)°\. .*give (\d+) N·m.*by (\d+) %",
        lambda mass, length, way, most, share: brake_for(
            share / 100, most / math.radians(way), mass * length**2
        ),
    ),
    "double-pendulum-6": (
        r"are (\d+) m long.*g = ([\d.]+)\\,",
        lambda l, g: math.sqrt((2 - math.sqrt(2)) * g / l),
    ),
    "double-pendulum-13": (
        r"by (\d+)° and 0°.* −(\d+)° and (\d+)°.*than (\d+) N·m.*by (\d+)°.*1 m.*1 kg.*9\.81",
        spring_bounds,
    ),
    "relative-vs-absolute-13": (r"does (\d+) operations in a control step", longest_chains),
    "integrators-5": (
        r"\(0, \\tfrac(\d)(\d)\).*order (2)\?",
        lambda a, b, order: [1 - b / (a * order), b / (a * order)],
    ),
    "integrators-6": (
        r"pendulum of ([\d.]+) m .* = ([\d.]+) m/s²",
        lambda l, g: math.sqrt(8) * math.sqrt(l / g),
    ),
    "kane-12": (r"radius of ([\d.]+) m, .*a radius of (\d+) m\..* of ([\d.]+) times", lean_of_disc),
    "integrators-11": (
        r"step of ([\d.]+) s and no .* arm of (1) m and (1) kg near .* = ([\d.]+) m/s².*k_p/(10)\$",
        stiffest_servo,
    ),
    "integrators-12": (
        r"of ([\d.]+) m, .* = ([\d.]+) m/s².*at (\d+)° .*shows (\d+) .*more than ([\d.]+) %",
        fewest_steps,
    ),
    "linearization-5": (r"a small swing about the low position", None),
    "holonomic-constraints-2": (
        r"q_1 = (\d+)°\$, in degrees between -180° and 180°",
        lambda crank: closes(crank, EXERCISES["holonomic-constraints-2"].answer.value),
    ),
    "holonomic-constraints-12": (r"1 if it is right, 0 if it is wrong", None),
    "holonomic-constraints-13": (
        r"ground of (\d) m.*height of (\d) m.*0\$ m, (\d) m and 2 m",
        lambda ground, height, middle: cranks_and_coupler(ground, height),
    ),
    "holonomic-constraints-8": (r"x = \[q_1, q_2, q_3, u_1\]\$, counted from 0", None),
    "lie-group-integrators-6": (r"exp\(0\) free.*first RKMK4, then CF4", None),
    "lie-group-integrators-10": (
        r"by ([\d.]+) rad about .*e_1.* by ([\d.]+) rad about .*e_2",
        lambda first, second: [0, 0, first * second],
    ),
    "lie-group-integrators-11": (
        r"order is (2)\. .*ratio .* as ([\d.]+)\..*three digits",
        lambda order, ratio: (ratio - 1) / order,
    ),
    "lie-group-integrators-12": (
        r"at (\d+) rad/s.*are 0\.1 and 0\.3 kg.*from ([\d.]+) to 0\.3 kg.*"
        r"need (\d+) s.*to (\d+) times",
        lambda rate, middle, seconds, growth: (
            middle + math.sqrt(0.01 - 0.03 * (math.log(growth) / seconds / rate) ** 2)
        ),
    ),
    "quadrotors-1": (r"two vehicles", None),
    "quadrotors-3": (
        r"load, ([\d.]+) kg, .* two links, each (\d+)°",
        lambda load, slant: load * 9.81 / 2 / math.cos(math.radians(slant)),
    ),
    "quadrotors-6": (
        r"links at (\d+)° from the vertical, vehicles of ([\d.]+) kg each and a load of "
        r"([\d.]+) kg",
        lean,
    ),
    "quadrotors-11": (
        r"by (\d+)° about .* is ([\d.]+) kg·m².* are (\d+) and (\d+) as .*"
        r"than (\d+) N·m, and after ([\d.]+) s .*within (\d+)°",
        bounds_of_quickness,
    ),
    "your-own-machine-6": (
        r"by (\d+)° on (\d+) m of rope, .*up to (\d+) m",
        lambda angle, long, short: angle * (long / short) ** 0.75,
    ),
    "many-pendulums-2": (
        r"its two angles and two rates, you observe two quantities",
        None,
    ),
    "many-pendulums-4": (
        r"exponent of ([\d.]+) is measured.*that (\d+) times fewer",
        lambda exponent, fewer: fewer ** (1 / exponent),
    ),
    "many-pendulums-7": (
        r"About ([\d.]+) of all flights .* this share to ([\d.]+), which",
        lambda share, off: share * (1 - share) / off**2,
    ),
    "many-pendulums-11": (
        r"On (\d+) cores you want an efficiency of at least ([\d.]+\d)",
        lambda cores, efficiency: (
            100 * brentq(lambda s: 1 / (s + (1 - s) / cores) / cores - efficiency, 0, 1, xtol=1e-12)
        ),
    ),
    "your-own-machine-10": (r"count from (\d+): units", first_rungs),
    "quadrotors-13": (
        r"gain on \$e_y\$ is (\d+) here, and \$g = ([\d.]+)\$ m/s²",
        lambda gain, g: g / gain,
    ),
    "quadrotors-14": (
        r"vehicles of ([\d.]+) kg .* (\d+)° from .*than (\d+) N; \$g = ([\d.]+)\$ m/s²",
        heaviest_load,
    ),
}

FUNCTIONS = [name for name, e in EXERCISES.items() if isinstance(e.answer, Function)]
SHORT = {"s": "seconds", "N": "newtons", "deg": "degrees", "°": "degrees"}
# of functions, which state no unit
UNITS_OF_FUNCTIONS = {"double-pendulum-8": ["radians"]}


def prompt(name):
    """Return a prompt as one line, without its heading."""
    lines = CELLS[name].prompt.source.splitlines()[1:]
    return " ".join(line.lstrip("> ") for line in lines)


@pytest.mark.parametrize("name", EXERCISES)
def test_a_prompt_states_units_digits_and_names(name):
    assert prompt_flaws(EXERCISES[name], prompt(name)) == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_asked_for_in_its_unit(name):
    assert asked_units(prompt(name)) == UNITS_OF_FUNCTIONS.get(name, [])


@pytest.mark.parametrize("name", NUMERIC)
def test_the_comment_beside_an_answer_is_its_unit(name):
    comment = re.search(r"_answer = \.\.\.  # (.*)", CELLS[name].answer.source)
    if comment:
        unit = EXERCISES[name].answer.unit
        assert SHORT.get(comment[1], comment[1]) == unit


@pytest.mark.parametrize("name", [n for n, c in CELLS.items() if "def " in c.answer.source])
def test_a_function_is_asked_for_by_the_name_and_arguments_of_its_cell(name):
    (function,) = (
        node for node in ast.parse(CELLS[name].answer.source).body if type(node) is ast.FunctionDef
    )
    signature = f"{function.name}({', '.join(a.arg for a in function.args.args)})"
    for span in spans_of_code(prompt(name)):
        called = re.match(r"(\w+)\(", span)
        if called and called[1].endswith("_answer"):
            assert span == signature


def test_every_number_asked_for_has_a_row():
    assert set(ASKED) == set(NUMERIC)


@pytest.mark.parametrize("name", NUMERIC)
def test_the_numbers_of_a_prompt_lead_to_the_answer(name):
    pattern, solve = ASKED[name]
    found = re.search(pattern, prompt(name))
    assert found, pattern
    rest = prompt(name).replace(found[0], "")
    assert not re.search(r"(?<![\w\\])\d", re.sub(r"\\mathrm\{.*?\}|\$\w+ = 0\$", "", rest)), rest
    if solve:
        answer = EXERCISES[name].answer
        followed = answer.read(solve(*map(float, found.groups())))
        assert answer.same(followed, answer.read(answer.value))


@cache
def stated():
    """Return the phrases with numbers of prompts that ask for no number."""
    small, large = (label.split()[-1] for label in FIGURES["pendulum-4"].curves)
    (near, sooner), (nearer, _) = (
        (c.y[0], c.x[np.argmax(c.y > 0.1)]) for c in curves(drawn("double-pendulum-7")[0])[:2]
    )
    absolute, relative = (c.y[0] for c in curves(drawn("relative-vs-absolute-7")[0]))
    rows, columns = EXERCISES["relative-vs-absolute-1"].answer.value.shape
    assert (near, near / nearer) == (pytest.approx(1e-6), pytest.approx(1e6, rel=1e-3))
    return {
        "pendulum-4": (f"Is {large} small? An arm swings out to {large} instead of {small}",),
        "pendulum-6": ("the 2 × 2 matrix",),
        "pendulum-10": (
            f"{word(len(EXERCISES['pendulum-10'].answer.options)).capitalize()} are suspected",
            "all four numbers",
        ),
        "pendulum-13": ("the mass has two velocities",),
        "double-pendulum-7": (
            f"to a millionth of a radian, and your prediction is good for {word(sooner)} seconds",
            "a *million* times better",
        ),
        "double-pendulum-8": ("Both links are 1 m long",),
        "relative-vs-absolute-1": (f"the {rows} × {columns} matrix",),
        "relative-vs-absolute-3": ("of *three* links",),
        "relative-vs-absolute-4": (
            "Three links, absolute angles",
            "between the second and the third link",
        ),
        "relative-vs-absolute-5": ("Step two free links", "the two computed motions"),
        "relative-vs-absolute-9": ("for three links",),
        "relative-vs-absolute-10": ("by one end",),
        "relative-vs-absolute-11": (
            "Take two point masses",
            "Eliminate the second link",
            "the first joint feels",
        ),
        "relative-vs-absolute-7": (
            f"For {word(5)} links",
            f"*{word(relative / absolute)} times as long*",
        ),
        "relative-vs-absolute-6": ("three uniform rods",),
        "kane-10": ("the third equation", "of the three shares"),
        "kane-14": ("two smooth runners",),
        "integrators-3": ("the order 2 survives",),
        "integrators-9": ("the mean of two slopes",),
        "integrators-10": (
            "order 2 with three stages",
            "at most 1",
            "three times and has order 2",
        ),
        "integrators-13": ("has one bug",),
        "integrators-14": ("with half that step",),
        "integrators-7": ("with a step of 0.1 s", "over hundreds of swings"),
        "holonomic-constraints-1": ("Which two expressions",),
        "holonomic-constraints-5": ("below 10⁻¹⁰ m",),
        "holonomic-constraints-10": (
            "a bob of 1 kg on a circle of 2 m",
            "9.81$ m/s²",
            "two arrays of six numbers",
            "It returns six numbers",
            "two for the place, two for the velocity",
        ),
        "holonomic-constraints-11": (
            "array of the three angles",
            "0.8 m, 2 m, 1 m and 2 m, particles of 1 kg",
            "9.81$ m/s²",
        ),
        "holonomic-constraints-14": ("Two cranks", "of all three"),
        "linearization-7": ("its four entries",),
        "linearization-10": ("a function of three arguments", "counted from 0"),
        "linearization-13": (
            f"a motor of {STRENGTH:.0f} N·m",
            f"a motor of ${STRENGTH:.0f}\\,c$ N·m",
            f"at least {100 * SHARE:.0f} % of the {SIDE**2} starts",
            "above −1/s",
            "any five prices",
            "returns five numbers",
            f"for {STRENGTH:.0f} the prices of our machine",
        ),
        "lie-group-integrators-2": ("shape (3, 3)",),
        "lie-group-integrators-3": ("shape (6,)",),
        "lie-group-integrators-8": (
            "method of order three",
            "half a step along the first slope, its third stage a step along twice",
        ),
        "lie-group-integrators-9": ("shape (4,)",),
        "lie-group-integrators-13": ("shape (6,)", "element of se(3)"),
        "your-own-machine-3": ("The fourth mistake",),
        "your-own-machine-5": ("a function of three arrays", "Between two times"),
        "your-own-machine-8": (
            "returns three numbers",
            f"{100 * WITHIN:.0f} cm off",
            f"swing by {['', 'half a degree'][round(2 * CALM)]}",
        ),
        "many-pendulums-3": ("a function of two arrays",),
        "many-pendulums-5": ("Half the step changes nothing",),
        "many-pendulums-6": ("of two parts",),
        "many-pendulums-9": ("a hundred times as many",),
        "many-pendulums-10": (
            "Of a part three numbers are known",
            "of the three numbers of a part a and the three of a part b",
            "returns the three numbers of both",
        ),
        "quadrotors-2": ("third coordinate",),
        "quadrotors-4": ("of shape (3, 3)", "of shape (n, 3)"),
        "quadrotors-5": ("moments of 1 N·m about all three axes",),
        "quadrotors-7": ("shape (3, 3)", "Its third axis", "of length 1"),
        "quadrotors-12": ("the third axis", "of length 1", "of shape (3,)"),
        "quadrotors-9": ("of shape (3,)",),
    }


def test_the_numbers_of_other_prompts_are_those_of_their_models():
    for name in sorted(set(EXERCISES) - set(NUMERIC)):
        question = re.split(r"- \*\*a\*\*", prompt(name))[0]
        words = re.sub(r"`[^`]*`|\$[^$]*\$", "", question)
        assert unproved(words, stated().get(name, ())) == [], question
    for name, phrases in stated().items():
        for phrase in phrases:
            assert phrase in prompt(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_shape_that_is_asked_for_is_that_of_the_answer(name):
    asked = re.search(r"[Rr]eturns? [^.]*shape (\([\d, ]+\))", prompt(name).replace("\n", " "))
    answer = EXERCISES[name].answer
    if asked:
        assert asked[1] == str(np.shape(answer.value(*answer.problems[0])))


@pytest.mark.parametrize("name", [name for name, e in EXERCISES.items() if e.show])
def test_a_moving_picture_is_said_to_move_by_what_the_prompt_asks_for(name):
    (said,) = (text for text in descriptions(name) if "true" in text or name == "pendulum-1")
    moved = re.search(r"one by the true (?:\w+ )?(\w+), one by yours", said)
    noun = moved[1] if moved else re.search(r"each (pull)ed", said)[1]
    assert re.search(rf"\b{noun}\b", prompt(name))
