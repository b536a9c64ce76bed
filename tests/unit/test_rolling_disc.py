"""The rolling disc against SymPy's Kane, steady circles, and what must not change."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tutlib import EquationsOfMotion, integrate
from tutlib.methods import energy_error
from tutlib.models import rolling_disc


@pytest.fixture(scope="module")
def disc():
    return rolling_disc()


def by_kane(disc):
    """Derive the same in three coordinates by SymPy's KanesMethod."""
    t, q, u = me.dynamicsymbols._t, disc.equations.q[:3], disc.equations.u
    (m, r), g = sm.symbols("m r", positive=True), sm.Symbol("g", real=True)
    N = me.ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q[0], N.z])
    L = Y.orientnew("L", "Axis", [q[1], Y.x])
    R = L.orientnew("R", "Axis", [q[2], L.y])
    omega = R.ang_vel_in(N)
    kinematic = [omega.dot(axis) - speed for axis, speed in zip((L.x, L.y, L.z), u)]
    turning = u[0] * L.x + u[1] * L.y + u[2] * L.z
    contact, center = me.Point("C"), me.Point("D")
    center.set_pos(contact, r * L.z)
    center.set_vel(N, turning.cross(r * L.z))
    R.set_ang_vel(N, turning)
    L.set_ang_vel(N, turning - (u[1] - u[2] * sm.tan(q[1])) * L.y)
    inertia = me.inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    body = me.RigidBody("B", center, R, m, (inertia, center))
    kane = me.KanesMethod(N, list(q), list(u), kinematic)
    kane.kanes_equations([body], [(center, -m * g * N.z)])
    assert all(c.diff(t) in kane.kindiffdict() for c in q)
    return EquationsOfMotion.from_sympy(kane)


def test_it_is_what_kane_gives(disc):
    own, other = disc.compile(), by_kane(disc).compile({"m": 1.0, "r": 0.5, "g": 9.81})
    for x in np.random.default_rng(0).uniform(-1, 1, (20, 8)):
        np.testing.assert_allclose(
            own(0, x)[[0, 1, 2, 5, 6, 7]], other(0, [*x[:3], *x[5:]]), rtol=1e-11, atol=1e-11
        )


def test_energy_and_slipping(disc):
    """The contact moves as far as the rim unrolls, and the energy stays."""
    t = np.linspace(0, 5, 5001)
    run = integrate(disc.compile(), t, [0.2, 0.1, 0, 0, 0, 0.3, 8, 0.5])
    assert np.abs(energy_error(disc.energies(run.t, run.x).sum(axis=1))).max() < 1e-10
    path = np.hypot(*np.diff(run.x[:, 3:5], axis=0).T).sum()
    assert path == pytest.approx(0.5 * np.abs(np.diff(run.x[:, 2])).sum(), rel=1e-6)


def test_a_steady_circle(disc):
    """With constant lean, u_3 follows from 0 = g sin + 3/2 r u_2 u_3 - r u_3² tan / 4."""
    lean, u_3 = 0.3, 1.5
    u_2 = (0.5 * u_3**2 * np.tan(lean) / 4 - 9.81 * np.sin(lean)) / (1.5 * 0.5 * u_3)
    run = integrate(disc.compile(), np.linspace(0, 3, 3001), [0, lean, 0, 0, 0, 0, u_2, u_3])
    np.testing.assert_allclose(run.x[:, 1], lean, rtol=0, atol=1e-9)
    rate = u_3 / np.cos(lean)
    np.testing.assert_allclose(run.x[:, 0], rate * run.t, rtol=0, atol=1e-9)
    radius = 0.5 * (u_2 - u_3 * np.tan(lean)) / rate
    center = np.array([0, radius])
    distance = np.hypot(*(run.x[:, 3:5] - center).T)
    np.testing.assert_allclose(distance, abs(radius), rtol=1e-9)


def test_the_picture_is_of_a_disc_on_its_contact(disc):
    x = np.array([0.4, 0.5, 0.2, 1.0, -2.0, 0, 0, 0])
    points = disc.positions(np.zeros(1), x[None])[0]
    np.testing.assert_allclose(points[-1], [1.0, 0.423 * -2.0])
    rim, shadow = points[:24], points[36:48]
    np.testing.assert_allclose(rim[0] + rim[12], 2 * rim.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(shadow[:, 0], rim[::2, 0], atol=1e-12)  # below it, on the table
    assert (shadow[:, 1] <= rim[::2, 1] + 1e-12).all()
    (below,) = (line for line in disc.skeleton.lines if 36 in line)
    assert disc.skeleton.lines.index(below) in disc.skeleton.faint
