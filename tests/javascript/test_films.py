"""What the player shows between its frames: bodies are rigid at every moment."""

import html
import json
import re
import subprocess

import numpy as np
import pytest

from panels import animate, live, live_in_space
from tests.helpers import NODE, free, needs_node
from tests.javascript.test_javascript import node
from tutlib import Trajectory, integrate
from tutlib.models import double_pendulum, four_bar, pendulum, spherical_pendulum

pytestmark = needs_node
RANDOM = np.random.default_rng(7)


def inside(shown):
    return html.unescape(re.search(r'srcdoc="([^"]*)"', shown._repr_html_())[1])


def played(film, times):
    """Return the points of the only motion of a film at some times."""
    data = json.loads(re.search(r"startPlayer\(.*?, (\{.*\})\);", inside(film))[1])
    (points,) = node("film.mjs", {"data": data, "axes": 2, "times": times.tolist()})
    return np.array(points)


def lengths(points, pairs):
    return np.stack([np.linalg.norm(points[:, a] - points[:, b], axis=-1) for a, b in pairs], 1)


def spinning(rate, t):
    return Trajectory(t, np.stack([rate * t, np.full_like(t, rate)], 1))


class TestRigid:
    """A rod of two meters stays so long to a millimeter, wherever between two frames one looks."""

    @pytest.mark.parametrize("rate", [0.5, 10.0, 60.0])
    def test_a_rod_that_turns_at_any_speed(self, rate):
        arm = pendulum().with_parameters({"l": 2.0})
        film = animate(spinning(rate, np.linspace(0, 3, 301)), arm, "An arm turns.")
        times = np.sort(RANDOM.uniform(0, 3, 2000))
        points = played(film, times)
        np.testing.assert_allclose(lengths(points, [(0, 1)]), 2, atol=1e-3)
        right = 2 * np.stack([np.sin(rate * times), -np.cos(rate * times)], 1)
        np.testing.assert_allclose(points[:, 1], right, atol=2e-3)

    def test_a_trajectory_of_few_times(self):
        """Twenty times of a swing of six seconds: chords would shorten the rod to 1.5 m."""
        arm = free(pendulum()).with_parameters({"l": 2.0})
        fine = integrate(arm.compile(), np.linspace(0, 6, 6001), [3.0, 0.0])
        every = Trajectory(fine.t[::300], fine.x[::300])
        points = played(animate(every, arm, "An arm swings."), np.linspace(0, 6, 997))
        np.testing.assert_allclose(lengths(points, [(0, 1)]), 2, atol=1e-3)

    def test_rods_of_a_double_pendulum_and_of_a_linkage(self):
        rods = free(double_pendulum())
        t = np.linspace(0, 8, 801)
        swing = integrate(rods.compile(), t, [2, 2.5, 0, 0])
        points = played(animate(swing, rods, "Two rods."), RANDOM.uniform(0, 8, 2000))
        np.testing.assert_allclose(lengths(points, [(0, 1), (1, 2)]), 1, atol=1e-3)
        linkage = four_bar().with_independent_speeds(four_bar().equations.u[:1])
        start = linkage.consistent_state(np.deg2rad([10, 20, -150]), keep=linkage.equations.q[:1])
        run = integrate(linkage.compile(), t, start, after_step=linkage.projection())
        points = played(animate(run, linkage, "A linkage."), RANDOM.uniform(0, 8, 2000))
        links = lengths(points, [(0, 1), (1, 2), (2, 3), (1, 5), (2, 5), (3, 4)])
        expected = [0.8, 2, 1, *lengths(points[:1], [(1, 5), (2, 5)])[0], 0]
        np.testing.assert_allclose(links, np.tile(expected, (2000, 1)), atol=1e-3)


def test_joined_scripts_are_one_module(tmp_path):
    """Their names share one scope: none of them stands for two things."""
    arm, swing = free(pendulum()), spherical_pendulum()
    start, still = [0.6, 0, -0.8, 0, 0, 0], np.array([0.0, 1.0])
    for shown in (
        animate(Trajectory(still, np.zeros((2, 2))), arm, "It hangs."),
        animate(Trajectory(still, np.array([start] * 2)), swing, "Two."),
        live(arm, [1, 0], "It swings."),
        live_in_space(swing, start, "It swings."),
    ):
        module = re.search(r'<script type="module">\n(.*)</script>', inside(shown), re.DOTALL)[1]
        path = tmp_path / "joined.mjs"
        path.write_text(module, encoding="utf-8")
        checked = subprocess.run([NODE, "--check", path], capture_output=True, text=True)
        assert checked.stderr == ""
