"""Specifications of live simulations: presets, arrows, ghosts, runs with models of their own."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from panels import live
from straightline import Machine
from tests.helpers import free
from tutlib import integrate
from tutlib.models import Load, bicycle, chain, crane, four_bar, pendulum, rolling_disc


@pytest.fixture
def arm():
    return free(pendulum())


def shown(model, start, **options):
    return live(model, start, "It moves.", **options).specification


def outputs(widget, motion, x):
    """Return what a motion's program makes of a state."""
    program = Machine(motion.program())
    machine = program.instance([item["value"] for item in widget.specification["parameters"]])
    machine.view("at")[: len(x)] = x
    machine.call("outputs")
    return np.array(machine.view("out"))


def read(out, place):
    """Return the outputs of [start, count]."""
    start, count = place
    return out[start : start + count]


def seen(model, x, **options):
    """Return what a live simulation is told, and its outputs at a state."""
    widget = live(model, x, "It moves.", **options)
    return widget.specification, outputs(widget, widget.formulas.motion(), x)


class TestPresets:
    def test_a_preset_is_as_a_run_and_what_is_seen(self, arm):
        presets = {"Wild": {"method": "euler", "h": 0.1, "theta": 2, "m": 3, "trace": True}}
        (preset,) = shown(arm, [1, 0], presets=presets)["presets"]
        assert preset == {
            "label": "Wild",
            "p": {2: 3.0},
            "x0": {0: 2.0},
            "method": "euler",
            "h": 0.1,
            "trace": True,
        }

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"presets": {"a": {"mass": 1}}}, "neither a parameter nor a state: mass"),
            ({"presets": {"a": {"h": -1}}}, "the step h of the preset a must be positive"),
            ({"presets": {"a": {"arrows": ["wind"]}}}, "has no arrows 'wind'"),
            ({"main": "m"}, "main is m, which has no slider"),
            ({"runs": {"a": {"start": [1, 0]}}}, 'has a "start", but no "model" of its own'),
            (
                {"arrows": {"a": (7, (0, 1), "N")}},
                "must begin at one of 2 points, counted from 0; got 7",
            ),
            ({"arrows": {"a": (0, (0, 1), "N", "wind")}}, "must be one of velocity, force"),
            (
                {"units": {"theta": "rad"}, "sliders": {"theta": (-90, 90, "deg")}},
                "theta is shown in rad, and its slider in deg: give one unit",
            ),
            ({"arrows": {"a": 3}}, r"arrows\['a'\] must be \(point, vector or torque, unit"),
            ({"arrows": {"a": (0, (1, 2, 3), "N")}}, r"arrows\['a'\] must contain pairs"),
            ({"runs": {"a": {"model": 3}}}, "the model of the run a must be a Model; got 3"),
            ({"bars": {"weight": "force"}}, "no output has the label of the bar 'weight'"),
            ({"outputs": {"a": (1, "N")}, "bars": {"a": "wind"}}, "the role of the bar a must be"),
            (
                {"outputs": {"a": (1, "N"), "b": (1, "m")}, "bars": {"a": "", "b": ""}},
                r"they need one unit; got \['N', 'm'\]",
            ),
        ],
    )
    def test_what_makes_no_sense_is_named(self, arm, options, message):
        with pytest.raises((TypeError, ValueError), match=message):
            shown(arm, [1, 0], **options)


def test_a_slider_s_unit_is_that_of_its_state():
    disc = free(rolling_disc())
    start = np.zeros(len(disc.equations.states))
    data = shown(disc, start, sliders={"u_2": (0, 10, "rad/s")}, units={"q_4": "m", "q_5": "m"})
    (spin,) = (state for state in data["states"] if state["name"] == "u_2")
    assert (spin["unit"], spin["scale"]) == ("rad/s", 1)


def half_coriolis():
    """Return a crane whose winch carries the weight, with half of the Coriolis term."""
    model = crane()
    _, l, theta = model.equations.q
    m, g = (next(s for s in model.parameters if str(s) == name) for name in "mg")
    t = me.dynamicsymbols._t
    missing = sm.Matrix([0, 0, m * l * l.diff(t) * theta.diff(t)])
    wrong = replace(model.equations, forcing=model.equations.forcing + missing)
    return model.with_equations(wrong).with_inputs({"F": 0, "H": m * g})


def drift_of(widget, seconds=1.28, h=0.01):
    """Return the energy beyond the work of the power [J], as the page computes it."""
    data = widget.specification
    program = Machine(widget.formulas.motion().program())
    machine = program.instance([item["value"] for item in data["parameters"]])
    k = len(data["x0"])
    machine.view("x")[:k], machine.view("clock")[:] = data["x0"], (0, h)

    def energy():
        machine.view("at")[:] = machine.view("x")[:k]
        machine.call("outputs")
        return machine.view("out")[:2].sum()

    before = energy()
    method = [entry["name"] for entry in data["methods"]].index("rk4")
    machine.call("run", method, round(seconds / h))
    return energy() - before - machine.view("x")[k]


class TestEnergyMeasure:
    """What the energy strip measures, and that it is the right size."""

    @pytest.mark.parametrize(
        ("power", "label", "error"),
        [
            (None, "energy error of the method", True),
            (sm.S.Zero, "energy error of the model", True),
            ((), "energy error of the model", True),
            ({"work of holding": sm.S.One}, "work of holding", False),
        ],
    )
    def test_the_strip_names_what_it_measures(self, arm, power, label, error):
        assert shown(arm, [1, 0], power=power)["measure"] == {"label": label, "error": error}

    def test_half_a_coriolis_term_is_an_error_of_the_model_and_not_of_the_method(self):
        """Against energy and work that NumPy adds up along a run of the same equations."""
        wrong = half_coriolis()
        start = [0, 9, np.deg2rad(40), 0, -1, 0]
        t = np.linspace(0, 1.28, 1281)
        run = integrate(wrong.compile(), t, start)
        M, m, m_w, b, g = 1200, 4000, 800, 300, 9.81
        l, theta, v, w, omega = run.x.T[1:]
        across = v + w * np.sin(theta) + l * omega * np.cos(theta)
        up = -w * np.cos(theta) + l * omega * np.sin(theta)
        energy = (M * v**2 + m_w * w**2 + m * (across**2 + up**2)) / 2 - m * g * l * np.cos(theta)
        power = -b * v * v - m * g * w
        work = np.concatenate([[0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(t))])
        expected = (energy - energy[0] - work)[-1]
        assert abs(expected) > 1e3
        measured = [drift_of(live(wrong, start, "A crane.", power=p)) for p in (wrong.loads, None)]
        assert measured[0] == pytest.approx(expected, rel=1e-4)
        assert abs(measured[1]) < 1e-5 * abs(expected)

    def test_the_work_of_an_input_with_a_slider_is_counted(self):
        model = pendulum()
        sliders = {"tau": (-5, 5, "N·m")}
        widget = live(model, [1.0, 0.0], "An arm.", sliders=sliders, power=model.loads)
        (torque,) = (p for p in widget.specification["parameters"] if p["name"] == "tau")
        torque["value"] = 3.0
        assert abs(drift_of(widget)) < 1e-4

    def test_a_load_that_the_equations_lost_is_missed(self, arm):
        """A damper in the hinge that is in the list of loads alone: all of its work is missing."""
        c, omega = sm.Symbol("c", positive=True), arm.equations.u[0]
        lost = replace(
            arm, loads=(Load(-c * omega, rate=omega),), parameters={**arm.parameters, c: 2}
        )
        run = integrate(arm.compile(), np.linspace(0, 1.28, 1281), [1.0, 0.0])
        power = -2 * run.x[:, 1] ** 2
        work = ((power[1:] + power[:-1]) / 2 * np.diff(run.t)).sum()
        found = drift_of(live(lost, [1.0, 0.0], "An arm.", power=lost.loads))
        assert found == pytest.approx(-work, rel=1e-4)

    @pytest.mark.parametrize(
        ("power", "message"),
        [
            ({"a": 0, "b": 0}, "power must have a single label"),
            ([3], "a load of power must be a Load; got 3"),
            (pendulum().loads, "the power contains the input τ: pass the loads of the"),
            ({3: 0}, "the label of power must be text"),
        ],
    )
    def test_other_powers_are_explained(self, arm, power, message):
        with pytest.raises((TypeError, ValueError), match=message):
            shown(arm, [1, 0], power=power)


MODELS = {
    "pendulum": free(pendulum()),
    "chain": free(chain(3)),
    "relative chain": free(chain(2, "relative")),
    "linkage": free(four_bar()).with_multipliers(3.0),
    "disc": free(rolling_disc()),
}


@pytest.mark.parametrize("name", MODELS)
def test_velocities_are_the_rates_of_the_points_along_the_motion(name):
    model = MODELS[name]
    x = 0.4 * np.random.default_rng(1).uniform(-1, 1, len(model.equations.states))
    data, out = seen(model, x)
    d, rate = 1e-6, model.compile()(0.0, x)
    before, after = model.positions(np.zeros(2), np.array([x - d * rate, x + d * rate]))
    for arrow in data["size"]["arrows"].get("velocity", []):
        vector, moved = read(out, arrow["vector"]), (after - before)[arrow["point"]]
        np.testing.assert_allclose(vector, moved / (2 * d), rtol=1e-6, atol=1e-8)


def test_arrows_of_forces_and_torques_are_outputs():
    model = free(pendulum())
    (theta,), (g, l, m) = model.equations.q, model.equations.parameters
    place = (l * sm.sin(theta) / 2, -l * sm.cos(theta) / 2)
    arrows = {
        "weight": (1, (0, -m * g), "N"),
        "middle": (place, (theta, 0), "N", "constraint"),
        "motor": (0, -3 * theta, "N·m"),
    }
    data, out = seen(model, [0.5, 0.0], arrows=arrows)
    assert [(a["label"], a["role"], a["unit"]) for a in data["arrows"]] == [
        ("velocity", "velocity", "m/s"),
        ("weight", "force", "N"),
        ("middle", "constraint", "N"),
        ("motor", "force", "N·m"),
    ]
    (weight,), (middle,), (motor,) = (data["size"]["arrows"][f"arrow_{i}"] for i in (1, 2, 3))
    assert read(out, weight["vector"]) == pytest.approx([0, -9.81])
    assert read(out, middle["place"]) == pytest.approx([np.sin(0.5) / 2, -np.cos(0.5) / 2])
    assert read(out, middle["vector"]) == pytest.approx([0.5, 0])
    assert read(out, motor["torque"]) == pytest.approx([-1.5])


def test_bars_are_numbers_of_readouts_and_roles(arm):
    outputs = {name: (1, unit) for name, unit in (("a", "m"), ("b", "N"), ("c", "N"))}
    data = shown(arm, [1, 0], outputs=outputs, bars={"c": "force", "b": ""})
    assert data["bars"] == [{"readout": 2, "role": "force"}, {"readout": 1, "role": ""}]
    assert shown(arm, [1, 0])["bars"] == []


def test_a_constraint_s_force_is_the_rate_of_its_impulse():
    model = four_bar().with_multipliers()
    force = [impulse.diff() for impulse in model.equations.u[3:]]
    x = model.consistent_state(np.deg2rad([10, 20, -150]))
    arrows = {"joint": (3, force, "N", "constraint")}
    data, out = seen(model, x, arrows=arrows, outputs={"along x": (force[0], "N")})
    (joint,) = data["size"]["arrows"]["arrow_1"]
    np.testing.assert_allclose(read(out, joint["vector"]), model.compile()(0, x)[6:], rtol=1e-12)
    assert read(out, data["size"]["outputs"]["readouts"]) == read(out, joint["vector"])[:1]


def test_a_machine_that_may_fall_tells_whether_it_stands_and_keeps_no_books():
    data, out = seen(bicycle(), [0.5, 0, 0, 0])
    assert read(out, data["size"]["outputs"]["upright"]) == pytest.approx([np.pi / 3 - 0.5])
    assert not data["conserved"]
    data, out = seen(free(pendulum()), [0.5, 0.0])
    assert "upright" not in data["size"]["outputs"]
    assert data["conserved"]


class TestOwnModels:
    def two(self, **own):
        absolute, relative = free(chain(2)), free(chain(2, "relative"))
        given = {"model": relative, "start": [1.0, 0.3, 0.0, 0.0], **own}
        runs = {"absolute": {}, "relative": given}
        return live(absolute, [1.0, 1.3, 0.0, 0.0], "Two chains.", runs=runs)

    def test_each_has_its_program_and_they_move_alike(self):
        widget = self.two()
        run = widget.specification["runs"][1]
        assert run["start"] == [1.0, 0.3, 0.0, 0.0]
        assert run["program"] != widget.program
        assert run["size"]["states"] == len(widget.specification["states"])
        motion = widget.formulas.motions_of_runs()["relative"]
        one = outputs(widget, widget.formulas.motion(), [1.0, 1.3, 0.2, -0.3])
        other = outputs(widget, motion, [1.0, 0.3, 0.2, -0.5])
        np.testing.assert_allclose(one[:8], other[:8], atol=1e-7)  # energies and points
        assert "ghost" not in run
        assert self.two(ghost=True).specification["runs"][1]["ghost"] is True

    def test_what_does_not_fit_is_named(self):
        arm, two = free(pendulum()), free(chain(2))
        with pytest.raises(ValueError, match="must have the points, lines and bodies of"):
            shown(arm, [1, 0], runs={"a": {}, "b": {"model": two}})
        with pytest.raises(ValueError, match="has 4 states; got 2"):
            self.two(start=[1.0, 2.0])
        with pytest.raises(ValueError, match='the run bar needs a "start": its states'):
            shown(arm, [1, 0], runs={"arm": {}, "bar": {"model": free(chain(1))}})
