"""The rules of figures and simulations see what they are for."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import sympy as sm

from panels import live, live_in_space
from publishing.figures import begin, describe, taken
from publishing.simulation_formulas import simulations
from tests.notebooks import dimensions, panel_rules, picture_rules
from tutlib.models import pendulum, spherical_pendulum

pytestmark = pytest.mark.slow

T = np.linspace(0, 1, 50)


@pytest.fixture(autouse=True)
def plain_figures():
    """Draw without the course's style, whose lines differ by more than color."""
    with plt.rc_context({"axes.prop_cycle": mpl.rcParamsDefault["axes.prop_cycle"]}):
        yield
    plt.close("all")


def energy_figure(x="time [s]", y="energy [J]", colors=("k", "#0072B2")):
    """Return the description of a figure that keeps every rule, apart from the given changes."""
    _, ax = plt.subplots()
    for curve, label, color in zip([1 + T, np.ones(50)], ("euler", "rk4"), colors):
        ax.plot(T, curve, label=label, color=color)
    ax.set(xlabel=x, ylabel=y)
    return describe(ax.figure)


FAULTS = [
    (picture_rules.unlabelled, {"x": ""}),
    (picture_rules.wrong_units, {"y": "energy"}),
    (picture_rules.wrong_units, {"y": "gusto [Q]"}),
    (picture_rules.alike_curves, {"colors": ("k", "k")}),
]


@pytest.mark.parametrize("rule", picture_rules.RULES)
def test_a_sound_figure_breaks_no_rule(rule):
    assert not rule(energy_figure())


@pytest.mark.parametrize(("rule", "change"), FAULTS)
def test_a_rule_sees_its_fault(rule, change):
    assert rule(energy_figure(**change))


def test_every_figure_that_is_shown_or_saved_is_taken(monkeypatch, tmp_path):
    monkeypatch.setattr(plt, "show", lambda: None)
    monkeypatch.setattr(plt.Figure, "savefig", lambda *given: None)
    begin()
    plt.plot([1, 2], label="kept")
    plt.show()
    (shown,) = taken()
    assert shown["axes"][0]["lines"][0]["label"] == "kept"
    plt.gcf().savefig(tmp_path / "figure.png")
    assert len(taken()) == 1
    assert taken() == []


def servo():
    """Return the simulation of an arm with a servo: specification and formulas."""
    theta, torque = pendulum().equations.q[0], pendulum().equations.inputs[0]
    gain, damping, goal = sm.symbols("gain damping goal", real=True)
    order = gain * (goal - theta) - damping * theta.diff()
    arm = pendulum().with_inputs({torque: order}, parameters={gain: 9.0, damping: 2.0, goal: 0.1})
    sliders = {
        "gain": (0, 20, "N·m/rad"),
        "damping": (0, 5, "N·m·s/rad"),
        "goal": (-90, 90, "deg"),
        "l": (0.5, 2, "m"),
        "m": (0.5, 2, "kg"),
        "g": (0, 20, "m/s²"),
        "theta": (-90, 90, "deg"),
        theta.diff(): (-90, 90, "deg/s"),
    }
    outputs = {"torque": (order, "N·m")}
    widget = live(arm, [0.1, 0.0], "An arm.", sliders=sliders, outputs=outputs)
    return next(simulations(widget))


def ball():
    sliders = {"m": (0.5, 2, "kg"), "l": (0.5, 2, "m"), "g": (0.0, 20.0, "m/s²")}
    height = {"height": (lambda t, x, m, l, g: l * x[2], "m")}
    start = [0.6, 0.0, -0.8, 0.4, 0.0, 0.3]
    page = live_in_space(spherical_pendulum(), start, "A ball.", sliders=sliders, readouts=height)
    return next(simulations(page))


UNITS = ("kg", "m", "1/s", "N", "m/s²", "N·m·s/rad", "°")


@pytest.mark.parametrize("make", [servo, ball])
def test_any_unit_of_another_dimension_is_seen_at_any_slider_and_readout(make):
    data, equations = make()
    assert not dimensions.faults(data, equations)
    assert not dimensions.undetermined(data, equations)
    for item in [*data["sliders"], *data["readouts"]]:
        right = item["unit"]
        for unit in UNITS:
            if dimensions.of_unit(unit) != dimensions.of_unit(right):
                item["unit"] = unit
                assert dimensions.faults(data, equations), (item["label"], unit)
        item["unit"] = right


def test_a_slider_that_no_equation_knows_is_named():
    data, equations = servo()
    data["parameters"].append({"name": "idle", "value": 1.0})
    data["sliders"].append({**data["sliders"][0], "label": "idle", "index": 6})
    assert dimensions.undetermined(data, equations) == ["idle"]


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        (panel_rules.unit_faults, {"unit": "cm"}),
        (panel_rules.unit_faults, {"unit": "°"}),
        (panel_rules.unit_faults, {"scale": 2}),
        (panel_rules.range_faults, {"low": 10}),
        (panel_rules.range_faults, {"unit": "rad", "scale": 1, "high": 90}),
        (panel_rules.label_faults, {"label": "torque"}),
    ],
)
def test_a_rule_of_simulations_sees_its_fault(rule, change):
    data, _ = servo()
    assert not rule(data)
    data["sliders"][0] |= change
    assert rule(data)


def test_masses_that_went_in_as_numbers_have_no_dimension_to_read():
    numbers, symbols = (
        {"equations": [["M[0]", mass], ["F[0]", "-9.81*x[0]"]]} for mass in ("80.8", "p[0]")
    )
    assert dimensions.has_numbers_of_its_own(numbers)
    assert not dimensions.has_numbers_of_its_own(symbols)
