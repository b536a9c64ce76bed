"""Figures: what is on the axes, with which units and labels."""

import math
from dataclasses import replace
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

from tutlib import Trajectory, integrate, plot_energy, plot_states
from tutlib.models import bicycle, crane, pendulum, rolling_disc
from tutlib.plots import label_lines, legend_above, new_axes, plot_curves, plotting
from tutlib.plots.look import LOOK, SERIES


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


@pytest.fixture
def swing(free_pendulum):
    return integrate(free_pendulum.compile(), np.linspace(0, 1, 11), [1.0, 0.0])


def test_several_motions_are_told_apart_by_more_than_color(swing):
    (ax,) = plot_states({"one": swing, "other": swing})
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "other"]
    assert ax.lines[0].get_color() != ax.lines[1].get_color()
    assert ax.lines[0].get_linestyle() != ax.lines[1].get_linestyle()


def test_a_model_names_its_states_in_words(swing, free_pendulum):
    angle, rate = plot_states(swing, (0, 1), ("deg", "rad/s"), model=free_pendulum)
    assert angle.get_ylabel() == r"angle of the arm $\theta$ [deg]"
    assert rate.get_ylabel() == r"angular velocity of the arm $\dot{\theta}$ [rad/s]"
    assert (rate.get_xlabel(), angle.get_legend()) == ("time [s]", None)
    np.testing.assert_array_equal(rate.lines[0].get_ydata(), swing.x[:, 1])
    (ax,) = plot_states(swing, model=replace(free_pendulum, names={}))
    assert ax.get_ylabel() == r"$\theta$ [deg]"


def test_a_label_is_that_of_its_own_motion(free_pendulum):
    t = np.linspace(0, 1, 11)
    runs = {f"from {x}": integrate(free_pendulum.compile(), t, [x, 0.0]) for x in (0.5, 1.0)}
    angle, rate = plot_states(runs, (0, 1), ("deg", "deg/s"))
    for ax, state in ((angle, 0), (rate, 1)):
        for line in ax.lines:
            shown = np.rad2deg(runs[line.get_label()].x[:, state])
            np.testing.assert_array_equal(line.get_ydata(), shown)
    for line in plot_energy(runs, free_pendulum).lines:
        energy = free_pendulum.energies(t, runs[line.get_label()].x).sum(axis=1)
        np.testing.assert_array_equal(line.get_ydata(), energy)


def shown_states(trajectory, **options):
    """Return the label and the first value of each state."""
    count = trajectory.x.shape[1]
    panels = plot_states(trajectory, range(count), **options)
    return [(ax.get_ylabel(), ax.lines[0].get_ydata()[0]) for ax in panels]


def ones(names=(), count=0):
    return Trajectory(np.arange(2.0), np.ones((2, count or len(names))), names)


RAD = np.rad2deg(1.0)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            (r"\theta", r"\dot{\theta}"),
            [(r"$\theta$ [deg]", RAD), (r"$\dot{\theta}$ [deg/s]", RAD)],
        ),
        ((r"\phi_{1}", r"\dot{x}"), [(r"$\phi_{1}$ [deg]", RAD), (r"$\dot{x}$", 1)]),
        (("N", "T", "q_{1}"), [("$N$", 1), ("$T$", 1), ("$q_{1}$", 1)]),
    ],
)
def test_without_a_model_only_what_is_named_as_an_angle_is_in_degrees(names, expected):
    assert shown_states(ones(names)) == expected
    assert shown_states(ones(count=2)) == [("state 0", 1), ("state 1", 1)]


@pytest.mark.parametrize(
    ("model", "units"),
    [
        (pendulum(), "deg deg/s"),
        (crane(), "m m deg m/s m/s deg/s"),
        (rolling_disc(), "deg deg deg m m deg/s deg/s deg/s"),
        (bicycle(), "deg deg deg/s deg/s"),  # by the meanings lean and steer
    ],
)
def test_units_are_those_of_the_model(model, units):
    shown = shown_states(ones(count=len(model.equations.states)), model=model)
    assert [label.rpartition(" ")[2] for label, _ in shown] == [f"[{u}]" for u in units.split()]
    assert [value for _, value in shown] == [RAD if "deg" in u else 1 for u in units.split()]


def test_a_state_that_the_model_does_not_have_is_drawn_as_it_is():
    *_, added = shown_states(ones(count=3), model=pendulum())
    assert added == ("state 2", 1)
    assert shown_states(ones(("T",)), units="degC") == [("$T$ [degC]", 1)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"trajectories": 3}, "each entry of trajectories must be a Trajectory; got"),
        ({"states": (2,)}, r"states must be from 0 to 1; got \[2\]"),
        ({"states": (0, 1), "units": ("deg",)}, "2 states need 2 units"),
        ({"model": "arm"}, "plot_states needs a model"),
    ],
)
def test_what_cannot_be_drawn_is_refused(swing, change, message):
    with pytest.raises((TypeError, ValueError), match=message):
        plot_states(**{"trajectories": swing} | change)
    with pytest.raises(TypeError, match="plot_energy needs a model, which has energies"):
        plot_energy(swing, 3)


OWN_ENERGIES = {
    "total": lambda t, x: x[:, 1] ** 2 / 2 + 9.81 * x[:, 0],
    "pair": lambda t, x: (x[:, 1] ** 2 / 2, 9.81 * x[:, 0]),
    "rows": lambda t, x: np.array([x[:, 1] ** 2 / 2, 9.81 * x[:, 0]]),
    "columns": lambda t, x: np.stack([x[:, 1] ** 2 / 2, 9.81 * x[:, 0], 0 * t], axis=1),
    "one state": lambda t, x: x[1] ** 2 / 2 + 9.81 * x[0],
    "parts of one state": lambda t, x: (math.pow(x[1], 2) / 2, 9.81 * x[0]),
}


@pytest.mark.parametrize("times", [2, 3, 11])
@pytest.mark.parametrize("name", OWN_ENERGIES)
def test_own_energies_are_added_however_they_are_arranged(name, times):
    """A body in free fall from 1 m keeps 9.81 J per kilogram."""
    t = np.linspace(0, 1, times)
    fall = Trajectory(t, np.stack([1 - 9.81 * t**2 / 2, -9.81 * t], axis=1))
    for model in (SimpleNamespace(energies=OWN_ENERGIES[name]), OWN_ENERGIES[name]):
        np.testing.assert_allclose(plot_energy(fall, model).lines[0].get_ydata(), 9.81)


@pytest.mark.parametrize(
    ("energies", "message"),
    [
        (lambda t, x: None, "must return the total energy at each time"),
        (lambda t, x: np.zeros((3, 4)), r"returned array.*, shape \(3, 4\)"),
        (lambda t, x: x[:, 7], "it raised IndexError: index 7 is out of bounds"),
        (lambda x: x[:, 0], r"must be a function \(t, x\); got one that takes \(x\)"),
        (3, "plot_energy needs a model, which has energies"),
    ],
)
def test_energies_that_do_not_fit_are_explained(swing, energies, message):
    with pytest.raises((TypeError, ValueError), match=message):
        plot_energy(swing, SimpleNamespace(energies=energies))


def extents(ax):
    ax.figure.draw_without_rendering()
    return ax.get_legend().get_window_extent(), ax.get_window_extent()


@pytest.mark.parametrize("labels", [("a", "b"), ("a long name of a curve",) * 6, ("x" * 40,)])
def test_a_legend_above_covers_nothing_and_fits(labels):
    ax = new_axes("time [s]", "x [m]")
    for i, label in enumerate(labels):
        ax.plot([0, 1], [i, i + 1], label=label)
    ax.set_title("Said of it")
    legend_above(ax, "names")
    legend, axes = extents(ax)
    assert legend.ymin >= axes.ymax
    assert ax.title.get_window_extent().ymin >= legend.ymax
    assert legend.width <= axes.width or len(labels) == 1
    assert ax.get_legend().get_title().get_text() == "names"


@pytest.mark.parametrize("ends", [(1, 2, 3), (1, 1.01, 1.02), (3, 2.99, 3.01), (1, 1, 1)])
def test_names_stand_apart_at_the_ends_of_their_lines(ends):
    ax = new_axes("time [s]", "x [m]")
    for name, end in zip("abc", ends):
        ax.plot([0, 1], [2, end], label=name)
    ax.plot([0, 1], [0, 0])
    label_lines(ax)
    ax.figure.draw_without_rendering()
    assert [text.xy for text in ax.texts if text.get_text() == "b"] == [(1, ends[1])]
    boxes = [Text.get_window_extent(text) for text in ax.texts]  # without their lines
    order = [text.get_text() for text in sorted(ax.texts, key=lambda text: text.xyann[1])]
    assert order == [name for _, name in sorted(zip(ends, "abc"))]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    colors = {line.get_label(): line.get_color() for line in ax.lines}
    for text in ax.texts:
        assert to_hex(text.arrow_patch.get_edgecolor()) == to_hex(colors[text.get_text()])


def everything_drawn(run, model):
    """Draw with all functions that make axes, and with a legend and labels at the lines."""
    plot_states({"a": run, "b": run}, (0, 1), model=model)
    plot_energy(run, model)
    ax = plot_curves("x", "y", {"line": ([0, 1], [1, 2])}, "a title")
    legend_above(ax)
    label_lines(ax)
    return ax


@pytest.mark.parametrize("style", ["default", "ggplot"])
def test_figures_leave_the_settings_of_all_others_alone(swing, free_pendulum, monkeypatch, style):
    monkeypatch.setitem(plotting._SESSION, "style", False)
    with plt.style.context(["default", style]):
        plt.rcParams.update({"figure.figsize": (9, 3), "font.size": 8})
        before = dict(plt.rcParams)
        ax = everything_drawn(swing, free_pendulum)
        assert dict(plt.rcParams) == before
        ax.figure.draw_without_rendering()
        assert ax.xaxis.get_ticklabels()[-1].get_size() == 12
        assert ax.lines[0].get_linewidth() == 2.2
        ax = plt.subplots()[1]
        assert ax.xaxis.label.get_size() == before["font.size"] * {"ggplot": 1.2}.get(style, 1)


def test_the_course_has_its_style_in_all_figures(monkeypatch):
    monkeypatch.setitem(plotting._SESSION, "style", False)
    with plt.style.context("default"):
        plotting.use_style()
        new_axes("x", "y")
        assert plt.rcParams["font.size"] == 12
        assert plt.subplots()[1].plot([0, 1])[0].get_linewidth() == 2.2


def test_series_colors_are_those_of_the_page():
    with plotting.styled():
        cycle = list(plt.rcParams["axes.prop_cycle"])
    light = LOOK["colors"]["light"]
    series = [light[f"series-{i + 1}"] for i in range(SERIES)]
    assert [to_hex(style["color"]) for style in cycle] == series * 2
    assert len({(s["color"], str(s["linestyle"])) for s in cycle}) == len(cycle)
