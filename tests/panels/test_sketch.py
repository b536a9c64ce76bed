"""Sketches: every mark stands where the model says, labels stand clear, words tell the same."""

import math
import re
from dataclasses import replace
from functools import cache
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
import sympy as sm

from panels import Arrow, sketch, unit_vectors
from panels.drawing.lettering import label_size
from panels.sketches.diagram import WIDTH
from panels.sketches.placement import overlap
from panels.sketches.pose import held_points
from tutlib.models import chain, double_pendulum, four_bar, pendulum, servo_arm
from tutlib.plots.look import LOOK

LOOP = four_bar()
CLOSED = [LOOP.consistent_state(guess) for guess in ([1, -0.6, -1.2], [2.2, -1.4, -1.1])]
COLORS = LOOK["colors"]["light"]
LINKS = "theta_1 theta_2 theta_3 l_1 l_2 l_3"
#: Every model of the course in the plane: what is named, at which states, cut or not.
MODELS = {
    "pendulum": (pendulum(), None, [[a] for a in (-2.5, -0.7, 0.02, 0.6, 1.5, 3.0, 4.5)], False),
    "double pendulum": (
        double_pendulum(),
        None,
        [[0.5, 1.0], [-0.6, 0.4], [1.4, -0.3], [2.2, 2.9], [0.1, 0.1]],
        False,
    ),
    "chain": (chain(2), None, [[0.6, 1.4], [-0.5, 0.7], [2.5, 1.0]], False),
    "chain of three": (chain(3), LINKS, [[0.3, 0.9, -0.4], [-1.0, 0.5, 1.2]], False),
    "relative chain": (chain(3, "relative"), LINKS, [[0.3, 0.6, -0.9], [1.0, 0.5, 0.5]], False),
    "servo arm": (servo_arm(), None, [[1.2, 0.8], [-0.4, 1.1], [2.2, -1.9]], False),
    "four-bar": (LOOP, None, CLOSED, False),
    "four-bar cut": (LOOP, None, [*CLOSED, [1.2, -0.9, -0.7]], True),
}
#: What is written of each, with the axes' names: all that it has, or what is asked for.
NAMED = {
    "pendulum": "O P l m θ τ",
    "double pendulum": "F_x F_y O P_1 P_2 l_1 l_2 m_1 m_2 θ_1 θ_2 τ_1 τ_2",
    "chain": "F_x F_y O P_1 P_2 l_1 l_2 m_1 m_2 θ_1 θ_2 τ_1 τ_2",
    "chain of three": "θ_1 θ_2 θ_3 l_1 l_2 l_3",
    "relative chain": "θ_1 θ_2 θ_3 l_1 l_2 l_3",
    "servo arm": "O P_1 P_2 l_1 l_2 m_1 m_2 θ_1 θ_2",
    "four-bar": "C P_1 P_2 P_3 P_4 l_a l_b l_c l_n m m q_1 q_2 q_3",
}
CASES = [(name, i) for name, case in MODELS.items() for i in range(len(case[2]))]


@cache
def drawn(name, i):
    model, labels, states, cut = MODELS[name]
    return sketch(model, states[i], labels, cut=cut)


def tree(picture):
    return ElementTree.fromstring(picture.svg)


def parts(picture, tag):
    return [part for part in tree(picture).iter() if part.tag.endswith("}" + tag)]


def written(picture):
    """Return each label with its box."""
    found = []
    for part in parts(picture, "text"):
        name, *index = [span.text for span in part]
        label = f"{name}_{''.join(index)}" if index else name
        (width, height), x, top = label_size(label), float(part.get("x")), float(part.get("y")) - 14
        found.append((label, (x, top, x + width - 2, top + height)))
    return found


def bars(picture):
    """Return the ends of the links [px]."""
    found = []
    for part in parts(picture, "path"):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", part.get("d"))]
        if len(numbers) == 18 and part.get("fill") != "none":
            corners = np.array([numbers[:2], numbers[7:9], numbers[9:11], numbers[16:]])
            found.append((corners[:2].mean(axis=0), corners[2:].mean(axis=0)))
    return found


def strokes(picture, **given):
    """Return the ends of straight strokes that have these attributes, and are no heads."""
    asked = {name.replace("_", "-"): value for name, value in given.items()}
    return [
        np.array([list(map(float, at.split())) for at in part.get("d")[1:].split("L")])
        for part in parts(picture, "path")
        if all(part.get(name) == value for name, value in asked.items())
        and part.get("d").count("L") == 1
        and not part.get("transform")
    ]


def arcs(picture, stroke="#1a1a1a"):
    """Return start, end, radius, and the two flags, of each open arc of a color."""
    found = []
    for part in parts(picture, "path"):
        match = re.fullmatch(
            r"M(\S+) (\S+)A(\S+) \S+ 0 ([01]) ([01]) (\S+) (\S+)", part.get("d", "")
        )
        if match and part.get("stroke") == stroke:
            x0, y0, radius, large, clockwise, x1, y1 = map(float, match.groups())
            found.append((np.array([x0, y0]), np.array([x1, y1]), radius, large, clockwise))
    return found


@pytest.mark.parametrize(("name", "i"), CASES)
class TestLabels:
    def test_they_do_not_cover_one_another(self, name, i):
        labels = written(drawn(name, i))
        assert len(labels) >= 4
        for (one, a), (other, b) in combinations(labels, 2):
            assert overlap(a, b) < 6, (one, other)

    def test_they_do_not_cover_links(self, name, i):
        """Of no label more than a twentieth."""
        picture = drawn(name, i)
        for label, (left, top, right, bottom) in written(picture):
            grid = np.stack(np.meshgrid(np.linspace(left, right, 12), np.linspace(top, bottom, 12)))
            places = grid.reshape(2, -1).T
            for start, end in bars(picture):
                along = end - start
                part = np.clip((places - start) @ along / (along @ along), 0, 1)
                away = np.linalg.norm(places - start - part[:, None] * along, axis=1)
                assert (away < LOOK["widths"]["link"] / 2).mean() < 0.05, label

    def test_they_stand_inside_the_picture(self, name, i):
        picture = drawn(name, i)
        left, top, width, height = map(float, tree(picture).get("viewBox").split())
        assert width == WIDTH
        for label, (x0, y0, x1, y1) in written(picture):
            assert left <= x0 < x1 <= left + width, label
            assert top <= y0 < y1 <= top + height, label

    def test_each_is_there_once(self, name, i):
        expected = NAMED[name.removesuffix(" cut")].split()
        assert sorted(label for label, _ in written(drawn(name, i))) == sorted(
            [*expected, "x", "y"]
        )


class TestAngles:
    @pytest.mark.parametrize("theta", [-2.5, -0.6, 0.4, 1.7, 3.0, 4.2, -5.0])
    def test_an_arc_goes_from_the_zero_line_to_the_link(self, theta):
        picture = sketch(pendulum(), [theta], "theta")
        (arc,) = arcs(picture)
        start, end, radius, large, clockwise = arc
        ((foot, tip),) = bars(picture)
        np.testing.assert_allclose(start - foot, [0, radius], atol=0.05)  # straight down
        assert math.dist(end, foot) == pytest.approx(radius, abs=0.05)
        way = (tip - foot) / np.linalg.norm(tip - foot)
        np.testing.assert_allclose(way, [math.sin(theta), math.cos(theta)], atol=2e-3)
        assert clockwise == (theta < 0)
        assert large == (abs(theta) - 11 * 0.75 / radius > math.pi)
        # the shaft ends before the link by what the head covers
        ahead = (math.copysign(1, theta) * (theta - math.atan2(*(end - foot)))) % (2 * math.pi)
        assert ahead == pytest.approx((11 * 0.75 - 1) / radius, abs=0.01)

    def test_a_relative_angle_starts_at_the_line_of_the_link_before(self):
        picture = sketch(chain(2, "relative"), [0.6, 0.9], "theta_2")
        ((start, _, radius, *_),) = arcs(picture)
        (foot, elbow), _ = bars(picture)
        way = (elbow - foot) / np.linalg.norm(elbow - foot)
        np.testing.assert_allclose(start, elbow + radius * way, atol=0.1)


class TestLoops:
    def test_what_constraints_hold_together_is_found(self):
        assert held_points(LOOP) == ((3, 4),)
        assert held_points(pendulum()) == ()
        x, y = LOOP.constraints
        turned = replace(LOOP, constraints=(-y, 1.0 * x))
        assert held_points(turned) == ((3, 4),)
        assert held_points(replace(LOOP, constraints=(x, x + y))) == ()

    @pytest.mark.parametrize("i", range(2))
    @pytest.mark.parametrize(("cut", "gaps", "told"), [(False, 0, "closed"), (True, 1, "cut open")])
    def test_a_closed_loop_has_no_gap_and_a_cut_one_has(self, i, cut, gaps, told):
        picture, color = drawn("four-bar cut" if cut else "four-bar", i), COLORS["constraint"]
        assert [p.get("stroke") for p in parts(picture, "path")].count(color) == gaps
        assert told in picture.description

    def test_one_that_is_open_is_drawn_as_it_is_if_cut_and_refused_if_not(self):
        open_state = [1.2, -0.9, -0.7]
        picture = sketch(LOOP, open_state, "P_4", cut=True)
        points = LOOP.positions(np.zeros(1), np.array([[*open_state, 0, 0, 0]]))[0]
        ends = bars(picture)[-1][1] - bars(picture)[0][0]
        scale = np.linalg.norm(np.subtract(*bars(picture)[0])) / 0.8
        np.testing.assert_allclose(ends / scale, (points[3] - points[0]) * [1, -1], atol=0.01)
        with pytest.raises(ValueError, match=r"is open by .* m: use model.consistent_state"):
            sketch(LOOP, open_state)


class TestArrows:
    def test_a_straight_one_points_as_its_value_and_the_longest_has_the_length_of_its_kind(self):
        model = double_pendulum()
        theta = model.equations.q[0]
        arrows = [
            Arrow(name, sm.Matrix(model.skeleton.points[k]).diff(theta), f"v_{k}", "velocity")
            for k, name in ((1, "P_1"), (2, 2))
        ]
        arrows.append(Arrow("P_2", (3.0, -4.0), "v_3"))
        picture = sketch(model, [0.5, 1.0], "", arrows=arrows, axes=())
        shafts = strokes(picture, stroke=COLORS["velocity"])
        ways = [(b - a) * [1, -1] for a, b in shafts]
        np.testing.assert_allclose(ways[0], 62 / 5 * np.array([np.cos(0.5), np.sin(0.5)]), atol=0.1)
        np.testing.assert_allclose(ways[1], ways[0], atol=0.02)
        np.testing.assert_allclose(ways[2], [62 * 0.6, -62 * 0.8], atol=0.02)
        np.testing.assert_allclose(shafts[0][0], bars(picture)[0][1], atol=0.1)

    def test_one_to_scale_is_as_long_as_the_link_it_equals(self):
        model = pendulum()
        theta = model.equations.q[0]
        p = sm.Matrix(model.skeleton.points[1]).diff(theta)
        arrows = [Arrow("P", p, "p", "partial velocity", to_scale=True)]
        arrows.append(Arrow("P", 5 * p, "v", "partial velocity"))
        picture = sketch(model, [0.5], "", arrows=arrows, axes=())
        start, end = bars(picture)[0]
        to_scale, scaled = ((b - a) for a, b in strokes(picture, stroke=COLORS["velocity"]))
        rod = np.hypot(*(end - start))
        np.testing.assert_allclose(np.hypot(*to_scale), rod, rtol=0.01)
        np.testing.assert_allclose(to_scale @ (end - start), 0, atol=0.01 * rod**2)
        np.testing.assert_allclose(np.hypot(*scaled), 62, atol=0.1)

    def test_a_curved_one_turns_as_its_sign_says(self):
        color = COLORS["force"]
        for value, clockwise in ((2.0, 0), (-0.1, 1)):
            one = Arrow("O", value, "tau", "torque")
            picture = sketch(pendulum(), [0.6], "", arrows=[one])
            assert [arc[-1] for arc in arcs(picture, color)] == [clockwise]
            assert f"torque tau at O, {'counter' * (1 - clockwise)}clockwise" in (
                picture.description
            )

    def test_unit_vectors_are_turned_and_at_right_angles(self):
        model = pendulum()
        theta = model.equations.q[0]
        pair = unit_vectors("P", theta - sm.pi / 2, ("e_r", "e_t"))
        picture = sketch(model, [0.6], "", arrows=pair, axes=())
        shafts = strokes(picture, fill="none", stroke=COLORS["ink"])
        along, across = ((b - a) / np.linalg.norm(b - a) * [1, -1] for a, b in shafts)
        np.testing.assert_allclose(along, [np.sin(0.6), -np.cos(0.6)], atol=2e-3)
        np.testing.assert_allclose(across, [np.cos(0.6), np.sin(0.6)], atol=2e-3)
        assert "unit vector e r at P, down and to the right" in picture.description


class TestWords:
    def test_a_pendulum(self):
        assert sketch(pendulum(), [0.6], "theta l m").description == (
            "A pendulum: the arm, of length l, from the fixed joint O to the mass m at P, at the "
            "angle theta from hanging straight down, counterclockwise."
        )

    def test_a_relative_chain(self):
        told = sketch(chain(2, "relative"), [0.3, 0.4]).description
        assert told.startswith(
            "A chain of 2: the first link, of length l 1, from the fixed joint O to the joint P 1, "
            "at the angle theta 1 from hanging straight down; and the second link, of length l 2, "
            "from P 1 to the point P 2, at the angle theta 2 relative to the first link, "
            "counterclockwise. "
            "The center of mass of the first link (m 1) lies between O and P 1."
        )
        assert told.endswith(
            "The horizontal force at the free end (F x) acts at P 2. "
            "The vertical force at the free end (F y) acts at P 2."
        )


class TestDocument:
    def test_it_is_valid_and_says_what_it_is(self):
        picture = drawn("four-bar", 0)
        root = tree(picture)
        assert root.get("role") == "img"
        assert root.get("aria-label") == picture.description
        assert picture._repr_html_() == picture.svg
        assert "\n\n" not in picture.svg
        assert not [part for part in root.iter() if part.get("id")]  # another may have the same


def test_a_model_without_marks_is_drawn_too():
    plain = replace(
        pendulum(), skeleton=replace(pendulum().skeleton, marks=(), masses=(), names=())
    )
    picture = sketch(plain, [0.6])
    assert len(bars(picture)) == 1
    assert [label for label, _ in written(picture)] == ["x", "y"]
    assert picture.description == "A pendulum."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model": 3}, "sketch needs a model in the plane, such as pendulum"),
        ({"x": [0.1, 0.2, 0.3]}, r"needs its 2 states, or the 1 coord.* theta;"),
        ({"x": "a"}, "x must contain real numbers"),
        ({"labels": "thetta"}, r"no such label: thetta \(did you mean theta"),
        ({"arrows": [3]}, "an arrow must be an Arrow; got 3"),
        ({"arrows": [Arrow("Q", (1, 0))]}, "no such point: Q; there are: O, P"),
        ({"arrows": [Arrow((1, 2, 3), 1)]}, "a position must have two coordinates"),
        ({"arrows": [Arrow("O", 1, "a", "forse")]}, "did you mean force"),
        ({"arrows": [Arrow("O", ("a", 1))]}, "must be an expression"),
        ({"cut": True}, "the constraints of the pendulum hold no points together"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, said):
    with pytest.raises((TypeError, ValueError), match=said):
        sketch(**{"model": pendulum(), "x": [0.1]} | change)
