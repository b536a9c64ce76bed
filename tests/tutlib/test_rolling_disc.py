"""The rolling disc against SymPy's Kane, steady circles, and what must not change."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tutlib import EquationsOfMotion, integrate
from tutlib.methods import energy_error
from tutlib.models import rolling_disc, rolling_disc_in_space


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


class TestInSpace:
    x = np.array([0.4, 0.5, 0.2, 1.0, -2.0, 0.3, 4.0, -1.2])

    def test_it_is_the_same_disc(self, disc):
        coin, row = rolling_disc_in_space(), (np.zeros(1), self.x[None])
        assert np.array_equal(coin.field(0.0, self.x), disc.compile()(0.0, self.x))
        assert coin.energies(*row)[0] == pytest.approx(disc.energies(*row).sum(), rel=1e-14)
        heavy = coin.with_parameters({"m": 3.0})
        assert heavy.energies(*row)[0] == pytest.approx(3 * coin.energies(*row)[0], rel=1e-14)

    def test_its_points_are_those_of_the_drawing_in_the_plane(self, disc):
        """That shows x, and a part of height and depth, of the rim's middle."""
        coin, row = rolling_disc_in_space(), (np.zeros(1), self.x[None])
        points, flat = coin.positions(*row)[0], disc.positions(*row)[0]
        rim = (points[:24] + points[24:48]) / 2
        seen = np.column_stack([rim[:, 0], 0.906 * rim[:, 2] + 0.423 * rim[:, 1]])
        np.testing.assert_allclose(seen, flat[:24], atol=1e-12)
        np.testing.assert_array_equal(points[coin.skeleton.traced], [1.0, -2.0, 0.0])
        assert coin.skeleton.ground == 0

    def test_the_center_moves_as_the_angular_velocity_turns_the_radius(self):
        coin, d = rolling_disc_in_space(), 1e-6
        rates = coin.field(0.0, self.x)
        near = np.array([self.x - d * rates, self.x, self.x + d * rates])
        before, now, after = coin.positions(np.zeros(3), near)
        contact, center, *tips = (now[k] for k in range(50, 55))
        axes = [(tip - center) / 0.8 for tip in tips]
        np.testing.assert_allclose(axes @ np.transpose(axes), np.eye(3), atol=1e-12)
        omega = self.x[5:] @ axes
        np.testing.assert_allclose(
            (after[51] - before[51]) / (2 * d), np.cross(omega, center - contact), atol=1e-8
        )

    def test_its_faces_look_outward(self):
        coin = rolling_disc_in_space(axes=False)
        points = coin.positions(np.zeros(1), self.x[None])[0]
        for face in coin.skeleton.faces:
            a, b, c, *_ = corners = points[list(face.corners)]
            assert np.cross(b - a, c - a) @ (corners.mean(axis=0) - points[51]) > 0
        assert (coin.skeleton.arrows, coin.skeleton.names) == ((), ())

    @pytest.mark.parametrize("name", ["m", "r"])
    def test_what_is_no_disc_is_refused(self, name):
        with pytest.raises(ValueError, match=f"{name} must be positive; got 0"):
            rolling_disc_in_space().with_parameters({name: 0.0})
