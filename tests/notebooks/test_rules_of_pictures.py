"""The rules of figures and simulations see what they are for."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import sympy as sm

from panels import live, live_in_space
from publishing.figures import begin, describe, taken
from publishing.review_pictures import differences
from publishing.simulation_formulas import simulations
from tests.notebooks import alt_text_rules, dimensions, panel_rules, picture_rules
from tutlib.models import pendulum, spherical_pendulum

pytestmark = pytest.mark.slow

ALT = "Energy against time: Euler climbs from 1 to 2 joules, rk4 stays on a flat blue line."
T = np.linspace(0, 1, 50)


@pytest.fixture(autouse=True)
def plain_figures():
    """Draw without the course's style, whose lines differ by more than color."""
    with plt.rc_context({"axes.prop_cycle": mpl.rcParamsDefault["axes.prop_cycle"]}):
        yield
    plt.close("all")


def energy_figure(
    x="time [s]",
    y="energy [J]",
    labels=("euler", "rk4"),
    colors=("k", "#0072B2"),
    alt=ALT,
    legend=True,
    turned=False,
    place="best",
):
    """Return the description of a figure, which is sound but for what is asked otherwise."""
    figure, ax = plt.subplots()
    for curve, label, color in zip([1 + T, np.ones(50)], labels, colors):
        ax.plot(T, curve, label=label, color=color)
    ax.set(xlabel=x, ylabel=y)
    if legend:
        ax.legend(loc=place)
    if turned:  # the words in the legend, not the labels of the curves
        ax.legend(ax.lines[::-1], labels)
    return {**describe(figure), "alt": alt, "cell": "figure"}


FAULTS = [
    (picture_rules.unlabelled, {"x": ""}),
    (picture_rules.wrong_units, {"y": "energy"}),
    (picture_rules.wrong_units, {"y": "energy [N]"}),
    (picture_rules.wrong_units, {"x": "time [ms]"}),
    (picture_rules.wrong_units, {"y": "gusto [Q]"}),
    (picture_rules.wrong_units, {"y": "energy [W]"}),
    (picture_rules.implausible_angles, {"y": "angle [deg]"}),
    (picture_rules.legend_faults, {"legend": False}),
    (picture_rules.legend_faults, {"turned": True}),
    (picture_rules.covered_lines, {"place": "center"}),
    (picture_rules.alike_curves, {"colors": ("k", "k")}),
    (alt_text_rules.unmentioned, {"alt": "Two lines."}),
    (alt_text_rules.wrong_colors, {"colors": ("k", "#D55E00")}),
    (alt_text_rules.wrong_directions, {"alt": ALT.replace("climbs", "falls")}),
    (alt_text_rules.wrong_directions, {"labels": ("rk4", "euler")}),
    (alt_text_rules.wrong_directions, {"alt": "Energy against time: both fall, then it vanishes."}),
    (picture_rules.wrong_energies, {"labels": ("rk4", "euler")}),
    (alt_text_rules.numbers_outside, {"alt": ALT.replace("2 joules", "3 joules")}),
    (alt_text_rules.numbers_outside, {"alt": ALT.replace("time:", "time over 20 seconds:")}),
]


@pytest.mark.parametrize("rule", picture_rules.RULES + alt_text_rules.RULES)
def test_a_sound_figure_breaks_no_rule(rule):
    assert not rule(energy_figure())


@pytest.mark.parametrize(("rule", "change"), FAULTS)
def test_a_rule_sees_its_fault(rule, change):
    assert rule(energy_figure(**change))


def test_a_slope_that_is_not_the_method_s_order_is_seen():
    figure, ax = plt.subplots()
    h = np.array([0.1, 0.05, 0.025])
    ax.loglog(h, h**4, label="rk4")
    ax.loglog(h, h, label="euler")
    ax.set(xlabel="step [s]", ylabel="largest error")
    assert not picture_rules.wrong_orders(describe(figure))
    for line, label in zip(ax.lines, ("euler", "rk4")):
        line.set_label(label)
    assert len(picture_rules.wrong_orders(describe(figure))) == 2


def test_a_review_forgives_rounding_and_nothing_else():
    reviewed = (
        '[cell]\nWhat is seen.\n  line "one at 3 s" black: 50 points\n      y: 1, 2.5, ~1e-15\n'
    )
    assert not differences(reviewed.replace("2.5", "2.52"), reviewed)
    assert not differences(reviewed.replace("~1e-15", "~1e-16"), reviewed)
    for before, after in (
        ("2.5", "2.6"),
        ("3 s", "4 s"),
        ("black", "blue"),
        ("is seen", "was seen"),
        ("~1e", "~-1e"),
        ("50", "60"),
        ("cell", "sell"),
    ):
        assert differences(reviewed.replace(before, after), reviewed), after
    assert differences(reviewed + "more\n", reviewed)


def test_every_figure_that_is_shown_or_saved_is_taken(monkeypatch, tmp_path):
    monkeypatch.setattr(plt, "show", lambda: None)
    monkeypatch.setattr(plt.Figure, "savefig", lambda *given: None)
    begin()
    plt.plot([1, 2], label="kept")
    plt.show()
    (shown,) = taken()
    assert shown["axes"][0]["artists"][0]["label"] == "kept"
    plt.gcf().savefig(tmp_path / "figure.png")
    assert taken()[0]["saved"]
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
