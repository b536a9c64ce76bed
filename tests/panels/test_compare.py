"""Panels that compare a measured with a computed motion: data, program, and rejections."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from panels import compare
from panels.simulations.measured_motion import (
    measured_program,
    packed_recording,
    steps_between,
    thinned,
)
from publishing.panel_data import unpacked
from straightline import Machine
from tests.panels.comparisons import DOUBLE, SINGLE, Window, double, panel, single
from tutlib import Field, compiled, integrate
from tutlib.identification import Recording
from tutlib.models import pendulum


def shaken(spacing=0.005, seconds=2.0):
    """Return a recording with a torque, at times that are not equally spaced."""
    t = np.arange(0, seconds, spacing)
    t[1:-1] += 0.1 * spacing * np.sin(np.arange(1, len(t) - 1))
    q = 0.5 * np.cos(3 * t)[:, None]
    return Recording(t, q, np.sin(5 * t)[:, None], "shaken")


def driven(t, x, k=9.0):
    """Return the rates of a pendulum with a torque, which follows the states."""
    theta, omega, tau = x
    return np.array([omega, tau - k * np.sin(theta), 0.0])


DRIVEN = Field(compiled(driven), parameters={"k": 9.0}, names=("theta", "omega", "tau"))


class TestRecording:
    """What the page is given of a recording."""

    def test_a_sample_every_ten_milliseconds_is_kept(self):
        kept, speeds = thinned(shaken(0.002))
        assert np.median(np.diff(kept.t)) == pytest.approx(0.01, rel=1e-2)
        assert steps_between(kept) == 3
        assert speeds.shape == kept.q.shape
        inside = slice(20, -20)
        expected = -1.5 * np.sin(3 * kept.t)
        np.testing.assert_allclose(speeds[inside, 0], expected[inside], atol=5e-3)

    def test_a_slow_recording_is_kept_whole(self):
        kept, _ = thinned(shaken(0.05, 10))
        assert len(kept.t) == len(shaken(0.05, 10).t)
        assert steps_between(kept) == 13

    @pytest.mark.parametrize("make", [single, double, lambda: (None, shaken(), None)])
    def test_it_is_packed_to_its_last_digit_in_few_bytes(self, make):
        kept, speeds = thinned(make()[1])
        data = packed_recording(kept, speeds, 1)
        rows = data["rows"]
        columns = {"q": kept.q, "u": speeds, "torque": kept.torque}
        for name, column in columns.items():
            found = unpacked(data[name], rows, 1)[:, :, 0]
            np.testing.assert_allclose(found, column, atol=0.51 * data[name]["step"])
        times = data["start"] + np.cumsum(unpacked(data["t"], rows, 1)[:, 0, 0])
        np.testing.assert_allclose(times, kept.t, atol=1e-4)
        assert sum(len(data[name]["bytes"]) for name in ("t", "q", "u")) < 60_000
        assert "torque" not in packed_recording(kept, speeds, 0)


class TestProgram:
    """The motion that the page computes."""

    def test_the_motion_is_that_of_integrate(self):
        window = Window(single(), SINGLE, (7.0, 9.0))
        times = window.kept.t[window.first] + 0.004 * np.arange(
            3 * (window.last - window.first) + 1
        )
        computed = (
            window.residuals({}, window.start) + window.kept.q[window.first : window.last + 1]
        )
        run = integrate(window.f, times, window.start)
        np.testing.assert_allclose(computed[:, 0], run.x[::3, 0], atol=1e-11)

    def test_a_torque_is_linear_between_samples(self):
        kept, _ = thinned(shaken())
        machine = Machine(measured_program(DRIVEN, pendulum().free(), kept, 1)).instance([9.0])
        machine.view("T")[:] = kept.t
        machine.view("R")[:] = kept.torque.ravel()
        X = machine.view("X").reshape(-1, 2)
        X[0] = [0.5, 0.0]
        machine.call("run", 0, len(kept.t) - 1)
        exact = solve_ivp(
            lambda t, x: driven(t, [*x, np.interp(t, kept.t, kept.torque[:, 0])])[:2],
            kept.t[[0, -1]],
            X[0],
            t_eval=kept.t,
            rtol=1e-10,
            atol=1e-12,
            max_step=0.005,
        )
        np.testing.assert_allclose(X, exact.y.T, atol=1e-7)

    def test_the_points_are_those_of_the_model(self):
        f, measured, model = double()
        machine = Machine(measured_program(f, model, measured, 0)).instance(f.values)
        x = np.array([0.3, -0.7, 0.0, 0.0])
        machine.view("at")[:] = x
        machine.call("outputs")
        points = model.positions(np.zeros(1), x[None])[0]
        np.testing.assert_allclose(machine.view("out").reshape(-1, 2), points, atol=1e-15)


class TestSpecification:
    """What the page is told, and what is rejected."""

    def test_sliders_have_words_units_and_limits(self):
        found = panel(double(), DOUBLE, (26, 28)).specification["sliders"]
        assert [item["label"] for item in found] == ["d₁", "In₁", "In₂"]
        assert found[1]["meaning"] == "moment of inertia of the first link"
        (z,) = panel(single(), {"z": (-2, 2, "deg")}, (7, 8)).specification["sliders"]
        assert (z["unit"], z["scale"], z["low"], z["index"]) == ("°", 180 / np.pi, -2, 3)

    def test_python_reads_the_parameters_and_the_window(self):
        widget = panel(single(), SINGLE, (7, 12))
        assert widget.state == [7.0, 12.0]
        assert widget.parameters["k"] == 64.06
        widget.parameters["k"] = 62.0
        with pytest.raises(ValueError, match="no such parameter"):
            widget.parameters["m"] = 1.0

    def test_the_picture_contains_the_measured_motion(self):
        left, bottom, right, top = panel(double(), DOUBLE, (26, 28)).specification["box"]
        assert (left, right) == (pytest.approx(-0.25, abs=0.1), pytest.approx(0.25, abs=0.1))
        assert bottom < -0.35
        assert 0 < top < 0.1

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"window": (5, 12)}, "the window must lie between 6 s and 44"),
            ({"window": (12, 7)}, "its beginning before its end; got 12 s and 7 s"),
            ({"sliders": {}}, "sliders must name a parameter"),
            ({"sliders": {"m": (0, 1, "kg")}}, "no such parameter: m"),
            ({"sliders": {"k": (65, 70, "")}}, "the slider for k ends before its value, 64.06"),
            ({"sliders": {"k": (60, 70, "", "qe")}}, "can have no keys here; got 'qe'"),
            ({"model": double()[2]}, "the recording has 1 angles, and the drawing 2 coordinates"),
        ],
    )
    def test_what_does_not_fit_is_rejected(self, change, message):
        f, measured, model = single()
        given = {"model": model, "sliders": SINGLE, "window": (7, 12)} | change
        with pytest.raises(ValueError, match=message):
            compare(f, measured, "It swings.", **given)

    def test_equations_of_other_states_are_rejected(self):
        f, _, _ = double()
        _, measured, model = single()
        with pytest.raises(ValueError, match="need 2 states, or also 1 torques; theirs are"):
            compare(
                f, measured, "It swings.", model=model, sliders={"c": (0, 1, "")}, window=(7, 9)
            )
