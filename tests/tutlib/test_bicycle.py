"""The benchmark bicycle: its printed matrices against its parts and printed eigenvalues."""

from functools import cache

import numpy as np
import pytest

from tutlib import models
from tutlib.mechanics import linearize
from tutlib.models import bicycle_views
from tutlib.models.bicycle import (
    DAMPING,
    FRONT,
    GRAVITY_STIFFNESS,
    MASS,
    POSITIONS,
    REAR,
    SPEED_STIFFNESS,
    TILT,
    TRAIL,
    WHEELBASE,
)

bicycle = cache(models.bicycle)
# rear wheel, frame with rider, fork, front wheel; z down
MASSES = np.array([2, 85, 4, 3.0])
X, Z = np.array([0, 0.3, 0.9, 1.02]), np.array([-0.3, -0.9, -0.7, -0.35])
I_XX, I_XZ = np.array([0.0603, 9.2, 0.05892, 0.1405]), np.array([0, 2.4, -0.00756, 0])
I_ZZ = np.array([0.0603, 2.8, 0.00708, 0.1405])
ABOUT_AXLES = 0.12, 0.28
EIGENVALUES = {
    0: (-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393),
    2: (-8.67387984831735, -3.07158645641514, 2.68234517512745 + 1.68066296590675j),
    4: (-12.15861426576447, -1.42944427361326, 0.41325331521125 + 3.07910818603206j),
    6: (-16.08537123098026, -0.00406690076970, -1.52644486584142 + 5.87673060598709j),
    8: (-20.27940894394569, 0.14327879765713, -2.69348683581097 + 8.46037971396931j),
}


def inertia(parts, x_about, z_about):
    x, z, m = X[parts] - x_about, Z[parts] - z_about, MASSES[parts]
    return (
        (I_XX[parts] + m * z**2).sum(),
        (I_XZ[parts] - m * x * z).sum(),
        (I_ZZ[parts] + m * x**2).sum(),
    )


def matrices():
    """Return mass, damping and both stiffnesses by the appendix of Meijaard2007."""
    m_T, front = MASSES.sum(), slice(2, 4)
    x_T, z_T = (MASSES @ k / m_T for k in (X, Z))
    T_xx, T_xz, T_zz = inertia(slice(0, 4), 0, 0)
    m_A = MASSES[front].sum()
    x_A, z_A = (MASSES[front] @ k[front] / m_A for k in (X, Z))
    A_xx, A_xz, A_zz = inertia(front, x_A, z_A)
    w, c, sin, cos = WHEELBASE, TRAIL, np.sin(TILT), np.cos(TILT)
    u_A = (x_A - w - c) * cos - z_A * sin
    A_ll = m_A * u_A**2 + A_xx * sin**2 + 2 * A_xz * sin * cos + A_zz * cos**2
    A_lx = -m_A * u_A * z_A + A_xx * sin + A_xz * cos
    A_lz = m_A * u_A * x_A + A_xz * sin + A_zz * cos
    mu = c / w * cos
    S_F, S_T = ABOUT_AXLES[1] / FRONT, ABOUT_AXLES[0] / REAR + ABOUT_AXLES[1] / FRONT
    S_A, both = m_A * u_A + mu * m_T * x_T, A_lx + mu * T_xz
    steer_lean = mu * S_T + S_F * cos
    return (
        [[T_xx, both], [both, A_ll + 2 * mu * A_lz + mu**2 * T_zz]],
        [
            [0, steer_lean + T_xz / w * cos - mu * m_T * z_T],
            [-steer_lean, A_lz / w * cos + mu * (S_A + T_zz / w * cos)],
        ],
        [[m_T * z_T, -S_A], [-S_A, -S_A * sin]],
        cos / w * np.array([[0, S_T - m_T * z_T], [0, S_A + S_F * sin]]),
    )


def test_the_matrices_are_those_of_the_parts():
    printed = MASS, DAMPING, GRAVITY_STIFFNESS, SPEED_STIFFNESS
    for matrix, computed in zip(printed, matrices(), strict=True):
        assert np.allclose(matrix, computed, rtol=0, atol=1e-13)


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


def test_upright_each_place_is_seen_where_it_is():
    model = bicycle()
    upright = dict.fromkeys(model.equations.q, 0)
    saddle = model.skeleton.points[list(POSITIONS).index("saddle")]
    a, z = POSITIONS["saddle"]
    seen = [float(c.subs(upright)) for c in saddle]
    assert np.allclose(seen, (0.82 * a, 0.95 * z + 0.17 * a))
