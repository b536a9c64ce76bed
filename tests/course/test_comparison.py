"""Two versions of a model in one simulation: each moves as it would alone."""

from dataclasses import replace

import numpy as np

from course.boxes.comparison import beside
from tests.helpers import free, needs_node
from tests.javascript.test_javascript import evaluate
from tutlib import integrate
from tutlib.models import pendulum

START = [2.0, 0.5]


def upside_down():
    """Return the pendulum with the wrong sign of gravity."""
    right = free(pendulum())
    eom = right.equations
    return replace(right, equations=replace(eom, forcing=-eom.forcing))


def test_the_runs_are_the_two_versions():
    data = beside(free(pendulum()), upside_down(), START, "Two arms.").specification
    assert [run["label"] for run in data["runs"]] == ["right", "yours"]
    (share,) = (i for i, item in enumerate(data["parameters"]) if item["name"] == "yours")
    begins = data["parameters"][share]["value"]
    assert [run["parameters"].get(share, begins) for run in data["runs"]] == [0, 1]
    assert "python" not in data  # it is no cell's, and its code would hold the right answer


@needs_node
def test_in_the_page_each_moves_as_alone_and_only_the_wrong_one_makes_energy():
    right, wrong = free(pendulum()), upside_down()
    widget = beside(right, wrong, START, "Two arms.")
    data = widget.specification
    values = [item["value"] for item in data["parameters"]]
    given = [
        [run["parameters"].get(i, value) for i, value in enumerate(values)] for run in data["runs"]
    ]
    tasks = [{"x": START, "p": p, "steps": 200, "every": 200} for p in given]
    found = [(*result["x"], result["drift"][0]) for result in evaluate(widget, tasks)]
    t = np.linspace(0, 2, 201)
    for model, (*state, drift) in zip((right, wrong), found):
        motion = integrate(model.compile(), t, START)
        np.testing.assert_allclose(state, motion.x[-1], rtol=1e-9)
        energy = right.energies(motion.t, motion.x).sum(axis=1)
        assert abs(drift - (energy[-1] - energy[0])) < 1e-7
    assert abs(found[0][2]) < 1e-6
    assert abs(found[1][2]) > 1
