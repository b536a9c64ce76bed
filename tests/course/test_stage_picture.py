"""The picture of one Runge-Kutta step: every slope, point and label is the method's own."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course.figures import plot_stages
from tutlib.methods import EULER, KUTTA3, RK4, step

START, SIZE = (0.3, 1.2), 0.4


def bent(t, x):
    return -x + np.sin(4 * t)


def asked(method):
    """Return where a step of the method asks for slopes, and the slopes: rows t, x, slope."""
    found = []

    def f(t, x):
        found.append((t, x[0], bent(t, x)[0]))
        return bent(t, x)

    return step(f, START[0], [START[1]], SIZE, method)[0], np.array(found)


@pytest.fixture(params=(EULER, KUTTA3, RK4), ids=lambda method: method.name)
def method(request):
    return request.param


@pytest.fixture
def ax(method):
    yield plot_stages(bent, *START, SIZE, method)
    plt.close("all")


def labelled(ax, word):
    return [line for line in ax.lines if str(line.get_label()).startswith(word)]


def unlabelled(ax, style):
    """Return the lines without a label that are of one style, as arrays of (t, x)."""
    lines = [line for line in ax.lines if str(line.get_label()).startswith("_")]
    return [line.get_xydata() for line in lines if line.get_linestyle() == style]


def test_each_stage_is_marked_where_the_method_asks_for_its_slope(method, ax):
    _, stages = asked(method)
    marks = labelled(ax, "stage")
    np.testing.assert_allclose(np.concatenate([m.get_xydata() for m in marks]), stages[:, :2])
    slopes = [f"{slope:.3g}".replace("-", "−") for slope in stages[:, 2]]
    names = [f"stage {i}: slope {slope}" for i, slope in enumerate(slopes, 1)]
    assert [mark.get_label() for mark in marks] == names


def test_the_short_line_at_each_stage_rises_with_its_slope_and_a_dotted_one_leads_there(method, ax):
    _, stages = asked(method)
    lines = [line for line in unlabelled(ax, "-") if len(line) == 2]
    for line, (t, x, slope) in zip(lines, stages, strict=True):
        (before, low), (after, high) = line
        assert (high - low) / (after - before) == pytest.approx(slope)
        np.testing.assert_allclose(line.mean(axis=0), [t, x])
    for line, stage in zip(unlabelled(ax, ":"), stages[1:], strict=True):
        np.testing.assert_allclose(line, [START, stage[:2]])
