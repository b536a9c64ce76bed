"""The benchmark bicycle: its printed matrices against its parts and printed eigenvalues."""

from functools import cache

import numpy as np
import pytest

from tutlib import models
from tutlib.mechanics import linearize
from tutlib.models import bicycle_views
from tutlib.models.bicycle import (
    POSITIONS,
    TILT,
    TRAIL,
)

bicycle = cache(models.bicycle)
X, Z = np.array([0, 0.3, 0.9, 1.02]), np.array([-0.3, -0.9, -0.7, -0.35])
EIGENVALUES = {
    0: (-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393),
    2: (-8.67387984831735, -3.07158645641514, 2.68234517512745 + 1.68066296590675j),
    4: (-12.15861426576447, -1.42944427361326, 0.41325331521125 + 3.07910818603206j),
    6: (-16.08537123098026, -0.00406690076970, -1.52644486584142 + 5.87673060598709j),
    8: (-20.27940894394569, 0.14327879765713, -2.69348683581097 + 8.46037971396931j),
}


@pytest.mark.parametrize("speed", EIGENVALUES)
def test_eigenvalues_are_the_published_ones(speed):
    A = linearize(bicycle().equations, np.zeros(4), {"v": float(speed)}).A
    found = np.linalg.eigvals(A)
    for value in EIGENVALUES[speed]:
        assert np.abs(found - value).min() < 1e-9


def test_the_views_draw_what_the_benchmark_measures_and_what_is_high_leans_to_the_right():
    views, (lean, steer) = bicycle_views(), bicycle().equations.q
    drawn = np.array(views["from the side"].skeleton.points, dtype=float)
    assert np.allclose(drawn[[2, 3]], np.c_[X, -Z][[1, 2]])
    axis = np.subtract(POSITIONS["above"], POSITIONS["ground"])
    assert np.isclose(np.arctan2(-axis[0], axis[1]), TILT)
    assert POSITIONS["ground"][0] - POSITIONS["Q"][0] == pytest.approx(TRAIL)
    saddle = views["from behind"].skeleton.points[3]
    assert float(saddle[0].subs(lean, 0.1)) > 0
    front = views["from above"].skeleton.points[4]
    assert float(front[1].subs(steer, 0.1)) < 0  # to the right of who rides along x
