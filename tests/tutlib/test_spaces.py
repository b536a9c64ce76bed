"""Curved spaces: actions, steps that never leave them, orders, and starts that are refused."""

import functools

import numpy as np
import pytest

from tutlib import integrate
from tutlib.methods import CF4, DOP853, LIE_EULER, observed_order
from tutlib.methods.commutator_free import CROUCH_GROSSMAN2, CROUCH_GROSSMAN3
from tutlib.spaces import (
    SO3,
    Product,
    R,
    Space,
    Sphere,
    TangentSO3,
    TangentSphere,
    lie,
)

pytestmark = pytest.mark.slow

J = np.array([0.1, 0.2, 0.3])
OMEGA = np.array([0.3, 2.0, 0.1])
METHODS = {"euler": 1, "heun": 2, "midpoint": 2, "kutta3": 3, "rk4": 4}


def body(t, x):
    """Free rigid body on TSO(3): R and the body rate; the spatial rate is R Ω."""
    attitude, rate = x[:9].reshape(3, 3), x[9:]
    return np.concatenate([attitude @ rate, -np.cross(rate, J * rate) / J])


def spherical_pendulum(t, x, g=9.81):
    """On TS², 1 m long: q̇ = ω × q and ω̇ = q × (-g e₃), so f = (ω, q × ω̇)."""
    q, omega = x[:3], x[3:]
    rate = np.cross(q, [0, 0, -g])
    return np.concatenate([omega, np.cross(q, rate)])


SPACES = {
    "TSO(3)": (TangentSO3, body, np.concatenate([np.eye(3).ravel(), OMEGA])),
    "TS^2": (
        TangentSphere,
        spherical_pendulum,
        np.array([np.sin(1.0), 0, -np.cos(1.0), 0.5, 1.0, 0.5 * np.tan(1.0)]),
    ),
}
SPACES["product"] = (
    Product(TangentSphere, R(2), TangentSO3),
    lambda t, x: np.concatenate([spherical_pendulum(t, x[:6]), [x[7], -x[6]], body(t, x[8:])]),
    np.concatenate([SPACES["TS^2"][2], [1.0, 0.0], SPACES["TSO(3)"][2]]),
)


@functools.cache
def reference(name):
    space, f, x0 = SPACES[name]
    return integrate(f, np.linspace(0, 0.25, 151), x0, DOP853, space=space).x[-1]


ALL = METHODS | {LIE_EULER: 1, CROUCH_GROSSMAN2: 2, CROUCH_GROSSMAN3: 3, CF4: 4}


@pytest.mark.parametrize("method", ALL, ids=lambda m: getattr(m, "name", m))
def test_every_tableau_keeps_its_order(method):
    space, f, x0 = SPACES["product"]
    steps = (80, 160) if ALL[method] < 3 else (20, 40)
    found = observed_order(f, (0, 0.25), x0, method, reference("product"), steps, space=space)
    assert found.order == pytest.approx(ALL[method], abs=0.05)


class TestCommutatorFree:
    @pytest.mark.parametrize("method", [LIE_EULER, CROUCH_GROSSMAN2, CROUCH_GROSSMAN3, CF4])
    def test_on_a_flat_space_it_is_a_runge_kutta_method_of_its_order(self, method):
        def f(t, x):
            return np.array([x[1], np.cos(t) - x[0] ** 3])

        assert method.summed.order >= ALL[method]
        t = np.linspace(0, 2, 51)
        one, other = (integrate(f, t, [1.0, 0.2], m).x for m in (method, method.summed))
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13)


def test_on_a_flat_space_the_result_is_the_same_to_the_last_bit():
    def f(t, x):
        return np.array([x[1], -np.sin(x[0])])

    t = np.linspace(0, 3, 101)
    for method in METHODS:
        flat = integrate(f, t, [1.0, 0.2], method).x
        np.testing.assert_array_equal(integrate(f, t, [1.0, 0.2], method, space=R(2)).x, flat)
        curved = integrate(f, t, [1.0, 0.2], method, space=Product(R(1), R(1))).x
        np.testing.assert_array_equal(curved, flat)


def test_without_dexp_inverse_rk4_falls_to_order_two_on_the_group():
    """And it stays on the group all the same: on the manifold is not accurate."""
    space, f, x0 = SPACES["TSO(3)"]
    without = Space("TSO(3)", 12, space.flow, lambda u, v: v, 6)
    found = observed_order(f, (0, 0.25), x0, "rk4", reference("TSO(3)"), (20, 40), space=without)
    assert found.order == pytest.approx(2, abs=0.1)
    last = integrate(f, np.linspace(0, 4, 201), x0, "rk4", space=without).x[-1, :9].reshape(3, 3)
    assert np.abs(last.T @ last - np.eye(3)).max() < 1e-14


class TestActions:
    def test_the_group_of_the_tangent_sphere_acts(self):
        """exp(ξ)·(exp(η)·x) is the action of the product, and stays tangent."""
        rng = np.random.default_rng(0)
        x = SPACES["TS^2"][2]
        for _ in range(20):
            xi, eta = rng.normal(size=(2, 6)) / 2
            twice = TangentSphere.flow(xi, TangentSphere.flow(eta, x))
            product = lie.SE3.log(lie.SE3.exp(xi) @ lie.SE3.exp(eta))
            np.testing.assert_allclose(TangentSphere.flow(product, x), twice, atol=1e-12)
            assert abs(twice[:3] @ twice[3:]) < 1e-12
            assert np.linalg.norm(twice[:3]) == pytest.approx(1, abs=1e-14)


class TestRefusals:
    @pytest.mark.parametrize(
        ("space", "x0", "message"),
        [
            (Sphere, [1.0, 0.1, 0], r"not on S\^2: .*its length is 1\.00499; use S\^2's nearest"),
            (TangentSphere, [1.0, 0, 0, 0.2, 1, 0], r"ω is not tangent.*q·ω = 0\.2"),
            (SO3, [1.0, 0, 0, 0, 1, 0.1, 0, 0, 1], r"not a rotation: RᵀR differs from 1 by 0\.1"),
            (SO3, np.diag([1.0, 1, -1]).ravel(), "it is a reflection"),
            (TangentSO3, np.ones(11), r"a state on TSO\(3\) has 12 entries; got 11"),
        ],
    )
    def test_a_start_off_the_space_is_named(self, space, x0, message):
        with pytest.raises(ValueError, match=message):
            integrate(lambda t, x: np.zeros(space.algebra), [0, 1], x0, space=space)
