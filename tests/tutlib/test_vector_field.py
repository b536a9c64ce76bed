"""Fields compiled with their spaces, and the models on spaces: one step, the same numbers."""

import numpy as np
import pytest
from scipy.special import ellipj

from tutlib import Field, compiled, integrate, spaces
from tutlib.methods import DOP853, SimulationError, integrate_adaptive
from tutlib.models import pendulum, rigid_body, spherical_pendulum
from tutlib.spaces import Product, R, Sphere, TangentSO3
from tutlib.spaces.lie import SO3

OMEGA = np.array([0.02, 5.0, 0.02])


def tumbling():
    return rigid_body(), np.concatenate([np.eye(3).ravel(), OMEGA])


def swinging():
    q = np.array([np.sin(1.0), 0, -np.cos(1.0)])
    return spherical_pendulum(), np.concatenate([q, np.cross(q, [0.3, 2.0, -1.0])])


def driven(t, x, k):
    return np.array([0, 0, k * t, x[0]])


TURNING = Field(compiled(driven), Product(Sphere, R(1)), {"k": 2.0})


def test_a_field_on_a_product_that_depends_on_time():
    x = integrate(TURNING, np.linspace(0, 1, 11), [1, 0, 0, 0], DOP853).x[-1]
    np.testing.assert_allclose(x[:3], [np.cos(1), np.sin(1), 0], rtol=0, atol=1e-14)
    assert x[3] == pytest.approx(0.904524237900272, abs=1e-9)  # ∫ cos t² dt, a Fresnel integral


def turning(t, x):
    """Return rates of an attitude, and of two more numbers if x has them."""
    return np.concatenate([x[:9].reshape(3, 3) @ [0.2, np.cos(t), -0.1], -x[9:11]])


def free(t, x):
    return np.concatenate([x[9:], np.cross(x[9:], [1, t, 2])])


ATTITUDE = np.concatenate([np.eye(3).ravel(), [0.3, 1.0, 0.2]])


@pytest.mark.parametrize(
    ("f", "space", "x0"),
    [
        (turning, spaces.SO3, ATTITUDE[:9]),
        (turning, Product(spaces.SO3, R(2)), ATTITUDE[:11]),
        (free, TangentSO3, ATTITUDE),
        (lambda t, x: np.array([0.2, t, -x[0]]), Sphere, np.array([1.0, 0, 0])),
    ],
)
def test_the_space_of_a_call_is_that_of_a_compiled_function(f, space, x0):
    t = np.linspace(0, 1, 21)
    expected = integrate(f, t, x0, "dop853", space).x[-1]
    for found in (
        integrate(compiled(f), t, x0, "dop853", space),
        integrate(Field(compiled(f), space), t, x0, "dop853"),
        integrate_adaptive(compiled(f), (0, 1), x0, 1e-13, 1e-13, space=space),
    ):
        np.testing.assert_allclose(found.x[-1], expected, rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match=f"shape \\({space.algebra},\\); got"):
        integrate(compiled(lambda t, x: [*x, t]), t, x0, space=space)


class TestRigidBody:
    def test_against_jacobi(self):
        """Ω(0) = (Ω₁, 0, Ω₃) with 2 E J₂ > |J Ω|²: Ω = (a₁ dn, a₂ sn, a₃ cn)."""
        J, w1, w3 = np.array([0.1, 0.2, 0.3]), 2.0, 0.3
        model = rigid_body()
        energy, square = J[0] * w1**2 + J[2] * w3**2, (J[0] * w1) ** 2 + (J[2] * w3) ** 2
        a2 = np.sqrt((square - energy * J[0]) / (J[1] * (J[1] - J[0])))
        rate = np.sqrt((J[1] - J[0]) * (energy * J[2] - square) / J.prod())
        modulus = (J[2] - J[1]) * (square - energy * J[0])
        modulus /= (J[1] - J[0]) * (energy * J[2] - square)
        t = np.linspace(0, 20, 4001)
        x0 = np.concatenate([np.eye(3).ravel(), [w1, 0.0, w3]])
        run = integrate(model.field, t, x0, DOP853)
        sn, cn, dn, _ = ellipj(rate * t, modulus)
        sign = np.sign(run.x[1, 10])
        expected = np.column_stack([w1 * dn, sign * a2 * sn, w3 * cn])
        np.testing.assert_allclose(run.x[:, 9:], expected, rtol=0, atol=1e-12)
        attitudes = run.x[:, :9].reshape(-1, 3, 3)
        momentum = np.einsum("tij,tj->ti", attitudes, J * run.x[:, 9:])
        np.testing.assert_allclose(momentum, momentum[:1].repeat(len(t), 0), rtol=0, atol=1e-12)
        np.testing.assert_allclose(model.energies(t, run.x), energy / 2, rtol=1e-12)


def test_the_spherical_pendulum_keeps_its_momentum_about_the_vertical():
    model, x0 = swinging()
    run = integrate(model.field, np.linspace(0, 10, 2001), x0, DOP853)
    np.testing.assert_allclose(run.x[:, 5], x0[5], rtol=0, atol=1e-12)
    energy = model.energies(run.t, run.x)
    np.testing.assert_allclose(energy, energy[0], rtol=0, atol=1e-12)
    assert np.abs((run.x[:, :3] * run.x[:, 3:]).sum(axis=1)).max() < 1e-12


def test_in_a_plane_it_is_the_pendulum_of_chapter_1():
    flat = pendulum().free().compile()
    t = np.linspace(0, 3, 601)
    theta = integrate(flat, t, [1.0, 0.0], DOP853).x[:, 0]
    q = np.array([np.sin(1.0), 0, -np.cos(1.0)])
    x = integrate(spherical_pendulum().field, t, [*q, 0, 0, 0], DOP853).x
    np.testing.assert_allclose(x[:, 0], np.sin(theta), rtol=0, atol=1e-11)
    np.testing.assert_allclose(x[:, 2], -np.cos(theta), rtol=0, atol=1e-11)


@pytest.mark.parametrize("method", ["euler", "rk4", "cf4"])
def test_a_method_turns_with_the_group(method):
    """From A·x it goes to A·(where it goes from x): for the free body every A, in every step."""
    model, x0 = tumbling()
    A = SO3.exp(np.array([0.4, -1.0, 0.7]))

    def turned(x):
        return np.concatenate([(A @ x[:9].reshape(3, 3)).ravel(), x[9:]])

    t = np.linspace(0, 2, 101)
    one, other = (integrate(model.field, t, start, method).x for start in (x0, turned(x0)))
    np.testing.assert_allclose(other, [turned(x) for x in one], rtol=0, atol=1e-12)


def run(make, method, **start):
    model, x0 = make()
    x0[9:] = start.get("rate", x0[9:])
    return integrate(model.field, [0, 0.5, 1.0], x0, method)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rigid_body((0.1, 0.2, 0.5)), "no body has .*: one exceeds the sum of the others"),
        (
            lambda: spherical_pendulum().with_parameters({"L": 1}),
            "parameter: L; the parameters are m, l, g",
        ),
        (lambda: run(tumbling, "rk4", rate=[0, 40.0, 1]), r"less than 2π; got .* smaller step"),
    ],
)
def test_what_makes_no_sense_is_told(call, message):
    with pytest.raises((ValueError, SimulationError), match=message):
        call()
