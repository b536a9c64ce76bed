"""Motions and fits of the page agree with Python's: the same samples, SciPy's least squares."""

import numpy as np
import pytest

from tests.helpers import needs_node
from tests.javascript.test_javascript import node
from tests.panels.comparisons import DOUBLE, SINGLE, Window, double, panel, single

pytestmark = [pytest.mark.slow, needs_node]
#: A window of each recording: the fit of its first parameter is known from the publication.
WINDOWS = {"single": (single, SINGLE, (7.0, 12.0)), "double": (double, DOUBLE, (26.0, 28.0))}


def found_by(widget, does):
    values = [item["value"] for item in widget.specification["parameters"]]
    job = {"program": widget.program, "specification": widget.specification}
    return node("compare.mjs", job | {"does": [{"p": values, **each} for each in does]})


@pytest.fixture(scope="module", params=WINDOWS)
def both(request):
    """Return a panel, and the same window in Python."""
    make, sliders, ends = WINDOWS[request.param]
    parts = make()
    return panel(parts, sliders, ends), Window(parts, sliders, ends)


def test_a_window_has_the_samples_and_the_motion_of_python(both):
    widget, window = both
    (found,) = found_by(widget, [{"window": widget.state}])
    assert found["span"] == [window.first, window.last]
    residuals = window.residuals({}, window.start)
    rows = np.reshape(found["rows"], (-1, 2 * window.n))
    computed = residuals + window.kept.q[window.first : window.last + 1]
    np.testing.assert_allclose(rows[:, : window.n], computed, atol=2e-3)  # samples are rounded
    np.testing.assert_allclose(found["residuals"], residuals.ravel(), atol=2e-3)
    assert found["rms"] == pytest.approx(np.sqrt(np.mean(residuals**2)), rel=2e-3)


def test_a_fit_is_that_of_scipy(both):
    widget, window = both
    (found,) = found_by(widget, [{"window": widget.state, "fit": True}])
    parameters, rms = window.fit()
    assert (found["converged"], found["held"]) == (True, [])
    assert found["rms"][1] == pytest.approx(rms, rel=1e-5)
    for value, expected, reach in zip(found["theta"], parameters.values(), window.ranges()):
        assert value == pytest.approx(expected, abs=1e-4 * reach)


def test_a_fit_near_the_published_values():
    widget = panel(single(), SINGLE, (7.0, 12.0))
    (found,) = found_by(widget, [{"window": widget.state, "fit": True}])
    k, f, d, z = found["theta"][:4]
    assert (k, f, d) == (
        pytest.approx(64.06, abs=0.05),
        pytest.approx(0.139, abs=0.01),
        pytest.approx(0.00465, abs=2e-4),
    )
    assert abs(np.rad2deg(z)) < 0.2
    assert found["rms"][1] < 1.5e-3 < found["rms"][0]


def test_what_a_window_does_not_determine_is_kept():
    """The equations contain the length of the second link only in a product with d_2."""
    parts, sliders = double(), {"l_2": (0.1, 0.3, "m")} | DOUBLE
    known = {"d_1": (0.1, 0.9, ""), "d_2": (0.1, 0.9, "")}
    (found,) = found_by(
        panel(parts, sliders | known, (26, 28)), [{"window": (26, 28), "fit": True}]
    )
    names = [*(sliders | known)]
    assert [names[i] for i in found["held"]] == ["d_2"]
    assert found["theta"][names.index("d_2")] == parts[0].parameters["d_2"]
    assert found["converged"]


def test_a_fit_ends_at_the_limit_of_a_slider():
    widget = panel(single(), SINGLE | {"k": (60, 64.06, "1/s²")}, (7.0, 12.0))
    (found,) = found_by(widget, [{"window": widget.state, "fit": True}])
    assert found["theta"][0] == 64.06
    assert found["atLimit"] == [0]
