"""What is drawn of a mechanism moves as its energies and equations say."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.helpers import free
from tutlib.models import (
    chain,
    double_pendulum,
    four_bar,
    pendulum,
    rigid_body,
    servo_arm,
    spherical_pendulum,
)
from tutlib.models.quadrotors import two_quadrotors
from tutlib.spaces import lie

CHAIN = {(0, 1): "l_1", (1, 2): "l_2", (2, 3): "l_3"}
ARM = {(0, 1): "l_1", (1, 2): "l_2"}
BAR = {(0, 1): "l_a", (1, 2): "l_b", (2, 3): "l_c", (0, 4): "l_n"}
#: How each is made, its links with their lengths, and the masses in them or at their ends.
LINKS = {
    "pendulum": (pendulum, {(0, 1): "l"}, ["m"]),
    "double pendulum": (double_pendulum, ARM, ["m_1", "m_2"]),
    "servo arm": (servo_arm, ARM, ["m_1", "m_2"]),
    "chain": (lambda: chain(3), CHAIN, ["m_1", "m_2", "m_3"]),
    "relative chain": (lambda: chain(3, "relative"), CHAIN, ["m_1", "m_2", "m_3"]),
    "four-bar": (four_bar, BAR, ["m", "m"]),
}


def uneven(make):
    """Return a model with values of which no two are equal, as a function from names."""
    model = free(make())
    every = sorted(model.parameters, key=str)
    values = {symbol: 0.6 + 0.17 * i for i, symbol in enumerate(every)}
    return model.with_parameters(values), {str(s): value for s, value in values.items()}


def states(model, count=6):
    random = np.random.default_rng(3)
    return random.uniform(-2, 2, (count, len(model.equations.states)))


def motion(model, x):
    """Return the points at states and their velocities, by central differences."""
    n, step = len(model.equations.q), 1e-6
    ahead = x.copy()
    ahead[:, :n] += step * x[:, n : 2 * n]
    behind = 2 * x - ahead
    ends = [model.positions(np.zeros(len(x)), end) for end in (behind, x, ahead)]
    return ends[1], (ends[2] - ends[0]) / (2 * step)


@pytest.mark.parametrize("name", LINKS)
def test_links_have_their_lengths_in_every_state(name):
    make, links, _ = LINKS[name]
    model, values = uneven(make)
    points, _ = motion(model, states(model))
    for (one, other), length in links.items():
        distances = np.linalg.norm(points[:, other] - points[:, one], axis=1)
        np.testing.assert_allclose(distances, values[length], rtol=1e-12)


@pytest.mark.parametrize("name", LINKS)
def test_lines_follow_the_links_and_disks_are_joints_that_move(name):
    make, links, _ = LINKS[name]
    model, _ = uneven(make)
    drawn = {pair for line in model.skeleton.lines for pair in pairwise(line)}
    assert drawn >= set(links) - {(0, 4)}  # the ground is no line
    velocities = np.abs(motion(model, states(model))[1]).max(axis=(0, 2))
    moving = set(np.flatnonzero(velocities > 1e-6))
    assert set(model.skeleton.bodies) <= moving
    assert set(model.skeleton.pivots) == set(range(len(velocities))) - moving


@pytest.mark.parametrize("name", LINKS)
def test_what_is_drawn_has_the_model_s_energies(name):
    """Links with inertia, or masses at the links' ends."""
    make, _, masses = LINKS[name]
    model, values = uneven(make)
    x = states(model)
    points, velocities = motion(model, x)
    kinetic, potential = 0, 0
    for i, mass in enumerate(masses, 1):
        m, d, inertia = values[mass], values.get(f"d_{i}", 1), values.get(f"In_{i}", 0)
        center, speed = ((1 - d) * a[:, i - 1] + d * a[:, i] for a in (points, velocities))
        (a, b), (da, db) = ((v[:, i] - v[:, i - 1]).T for v in (points, velocities))
        turning = (a * db - b * da) / (a**2 + b**2)
        kinetic = kinetic + m / 2 * (speed**2).sum(axis=1) + inertia / 2 * turning**2
        potential = potential + m * values["g"] * center[:, 1]
    of_model = model.energies(np.zeros(len(x)), x).T
    np.testing.assert_allclose(of_model[0], kinetic, rtol=1e-7)
    np.testing.assert_allclose(np.diff(of_model[1]), np.diff(potential), rtol=1e-8)


@pytest.mark.parametrize("name", ["pendulum", "chain", "double pendulum"])
def test_angles_turn_counter_clockwise_from_hanging_down(name):
    model, values = uneven(LINKS[name][0])
    hanging = np.zeros((2, len(model.equations.states)))
    hanging[1, 0] = 0.1
    down, turned = model.positions(np.zeros(2), hanging)[:, 1]
    length = values[LINKS[name][1][0, 1]]
    np.testing.assert_allclose(down, [0, -length], atol=1e-12)
    np.testing.assert_allclose(turned, [length * np.sin(0.1), -length * np.cos(0.1)], rtol=1e-12)


class TestFourBar:
    @pytest.fixture(scope="class")
    def posed(self):
        """Return an uneven linkage, its values, some states, and the points there."""
        model, values = uneven(four_bar)
        x = states(model)
        return model, values, x, model.positions(np.zeros(len(x)), x)

    def test_the_angles_turn_counter_clockwise_from_the_x_axis(self, posed):
        _, values, x, points = posed
        way = np.diff(points[:, :4], axis=1)
        directions = np.cumsum(x[:, :3], axis=1)
        unit = np.stack([np.cos(directions), np.sin(directions)], axis=-1)
        lengths = np.array([values[name] for name in ("l_a", "l_b", "l_c")])
        np.testing.assert_allclose(way, lengths[:, None] * unit, rtol=1e-12)

    def test_the_coupler_point_is_beside_the_middle_on_the_left(self, posed):
        model, values, _, points = posed
        a, b, coupler = points[:, 1], points[:, 2], points[:, 5]
        along, across = (b - a) / values["l_b"], np.array([[0, 1], [-1, 0]])
        place = coupler - (a + b) / 2
        np.testing.assert_allclose((place * along).sum(axis=1), 0, atol=1e-12)
        left = along @ across
        np.testing.assert_allclose((place * left).sum(axis=1), 0.3 * values["l_b"])
        assert (1, 5, 2) in model.skeleton.lines
        assert model.skeleton.bodies[-1] == 5


def test_a_rigid_body_s_points_turn_with_its_attitude():
    turn = lie.SO3.exp(np.array([0.3, -0.8, 0.5]))
    level, turned = (np.concatenate([R.ravel(), np.zeros(3)]) for R in (np.eye(3), turn))
    here, there = rigid_body().positions(np.zeros(2), np.array([level, turned]))
    np.testing.assert_allclose(there, here @ turn.T, atol=1e-12)
    staff = here[9] - here[8]
    assert np.argmax(np.abs(staff)) == 1
    assert staff[1] > 0.5


def test_the_spherical_pendulum_s_bob_has_its_energy():
    model = spherical_pendulum(1.3, 0.7, 5.0)
    q, omega = np.array([0.6, 0.0, -0.8]), np.array([0.4, 1.1, 0.3])
    x, step = np.concatenate([q, omega]), 1e-6
    moved = [np.concatenate([q + s * np.cross(omega, q), omega]) for s in (-step, step)]
    behind, here, ahead = model.positions(np.zeros(3), np.array([moved[0], x, moved[1]]))[:, 1]
    velocity = (ahead - behind) / (2 * step)
    energy = 1.3 / 2 * velocity @ velocity + 1.3 * 5.0 * here[2]
    assert model.energies([0.0], [x])[0] == pytest.approx(energy)
    assert np.linalg.norm(here) == pytest.approx(0.7)


class TestQuadrotors:
    PAIR = two_quadrotors()
    LOW = PAIR.start([0.1, 0.2, 0.3], [[0, 0, 1], [0.6, 0, 0.8]])

    def points(self, *x):
        model = self.PAIR.model(lambda t, s: (np.zeros((2, 3)), np.zeros((2, 3))))
        return model.positions(np.zeros(len(x)), np.array(x))

    def test_heights_that_are_drawn_are_those_of_the_potential_energy(self):
        pair = self.PAIR
        high = pair.start([0.5, -0.4, -0.9], [[0.6, 0.8, 0], [0, -1, 0]])
        heights = self.points(self.LOW, high)[:, [0, 1, 10], 2] @ [*pair.mass, pair.load]
        gain = pair.energy(high) - pair.energy(self.LOW)
        assert gain == pytest.approx(pair.g * (heights[1] - heights[0]))

    def test_links_have_their_lengths_arms_are_rigid_and_turn_with_their_vehicle(self):
        """World and body axes are given with the third one down, and drawn with it up."""
        attitude, x = lie.SO3.exp(np.array([0.2, 0.5, -0.4])), self.LOW.copy()
        x[6:15] = attitude.ravel()
        (points,) = self.points(x)
        lengths = np.linalg.norm(points[:2] - points[10], axis=1)
        np.testing.assert_allclose(lengths, self.PAIR.length)
        for vehicle in range(2):
            arms = points[2 + 4 * vehicle : 6 + 4 * vehicle] - points[vehicle]
            np.testing.assert_allclose(np.linalg.norm(arms, axis=1), 0.25)
            np.testing.assert_allclose(arms[0], -arms[1], atol=1e-12)
            assert arms[0] @ arms[2] == pytest.approx(0, abs=1e-12)
        seen = attitude[:, :2] * np.array([[1.0], [-1.0], [-1.0]])
        np.testing.assert_allclose(points[[2, 4]] - points[0], 0.25 * seen.T, atol=1e-12)


def test_what_hangs_may_stand():
    hanging = double_pendulum()
    standing = hanging.standing()
    assert hanging.skeleton.ceiling
    assert standing.skeleton == replace(hanging.skeleton, ceiling=False)
    assert standing.equations == hanging.equations
