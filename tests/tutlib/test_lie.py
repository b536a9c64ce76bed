"""SO(3) and SE(3): group laws, and every map against its series in sixty digits."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.straightline.interpreter import followed
from tutlib.spaces import SE3, hat, vee
from tutlib.spaces.lie import SO3

mpmath.mp.dps = 60
ANGLES = [0.0, 1e-300, 1e-12, 1e-9, 1e-7, 1e-4, 1e-2, 0.1, 0.5, 0.999, 1.0, 1.001, 2.0, 3.0, np.pi,
          4.0, 5.5, 6.0]  # fmt: skip
AXIS = np.array([2.0, -1.0, 0.5]) / np.sqrt(5.25)


def element(group, angle, seed=0):
    rng = np.random.default_rng(seed)
    w = angle * AXIS
    return w if group is SO3 else np.concatenate([w, rng.normal(size=3)])


def series(group, xi, eta, coefficient):
    """Return Σ coefficient(k) ad_ξ^k η in sixty digits."""
    ad = mpmath.matrix(group.ad(xi).tolist())
    term = total = mpmath.matrix([mpmath.mpf(v) for v in eta.tolist()])
    total = total * coefficient(0)
    for k in range(1, 700):
        term = ad * term
        total += coefficient(k) * term
        if mpmath.norm(term, 1) * abs(coefficient(k)) < mpmath.mpf(10) ** -40 and k % 2 == 0:
            break
    return np.array([float(v) for v in total])


@pytest.mark.parametrize("group", [SO3, SE3], ids=lambda g: g.name)
@pytest.mark.parametrize("angle", ANGLES)
def test_dexp_and_its_inverse_against_their_series(group, angle):
    xi = element(group, angle)
    eta = np.random.default_rng(1).normal(size=group.dimension)
    expected = series(group, xi, eta, lambda k: 1 / mpmath.factorial(k + 1))
    np.testing.assert_allclose(group.dexp(xi, eta), expected, rtol=0, atol=1e-14)
    if angle < 5:
        expected = series(group, xi, eta, lambda k: mpmath.bernoulli(k) / mpmath.factorial(k))
        scale = max(1.0, np.abs(expected).max())
        found = group.dexp_inverse(xi, eta)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14 * scale)
    back = group.dexp(xi, group.dexp_inverse(xi, eta))
    np.testing.assert_allclose(back, eta, rtol=0, atol=1e-13 / (1 - angle / (2 * np.pi)))


@pytest.mark.parametrize("group", [SO3, SE3], ids=lambda g: g.name)
@pytest.mark.parametrize("angle", ANGLES)
def test_exp_against_the_exponential_of_a_matrix(group, angle):
    xi = element(group, angle)
    X = hat(xi[:3])
    if group is SE3:
        X = np.block([[X, xi[3:, None]], [np.zeros((1, 4))]])
    expected = np.array(mpmath.expm(mpmath.matrix(X.tolist())).tolist(), float)
    np.testing.assert_allclose(group.exp(xi), expected, rtol=0, atol=4e-15)


@pytest.mark.parametrize("group", [SO3, SE3], ids=lambda g: g.name)
@pytest.mark.parametrize("angle", [a for a in ANGLES if a <= np.pi])
def test_log_undoes_exp(group, angle):
    xi = element(group, angle)
    found = group.log(group.exp(xi))
    if angle == np.pi and found[:3] @ xi[:3] < 0:  # half a turn has two
        found, xi = -found[:3], xi[:3]
    np.testing.assert_allclose(found, xi, rtol=0, atol=2e-14)


vectors = st.lists(st.floats(-1.7, 1.7), min_size=3, max_size=3).map(np.array)
motions = st.lists(st.floats(-1.5, 1.5), min_size=6, max_size=6).map(np.array)


class TestLaws:
    @given(vectors, vectors)
    def test_hat_is_the_cross_product(self, a, b):
        np.testing.assert_allclose(hat(a) @ b, np.cross(a, b), atol=1e-14)
        np.testing.assert_array_equal(vee(hat(a)), a)
        square = np.outer(a, a) - a @ a * np.eye(3)
        np.testing.assert_allclose(hat(a) @ hat(a), square, atol=1e-14)

    @given(motions, motions)
    def test_the_adjoint_carries_the_algebra(self, xi, eta):
        g = SE3.exp(xi)
        moved = g @ SE3.exp(eta) @ np.linalg.inv(g)
        np.testing.assert_allclose(moved, SE3.exp(SE3.Ad(g) @ eta), atol=1e-12)

    def test_logarithm_of_half_turns_about_each_axis(self):
        for axis in np.eye(3):
            found = SO3.log(SO3.exp(np.pi * axis))
            np.testing.assert_allclose(np.abs(found), np.pi * axis, atol=1e-15)


GROUPS = pytest.mark.parametrize("group", [SO3, SE3], ids=lambda g: g.name)


class TestUnknownNumbers:
    """The maps of unknown numbers are those of known ones, but for NumPy's sine."""

    @GROUPS
    @pytest.mark.parametrize("name", ["exp", "dexp", "dexp_inverse"])
    def test_maps_of_unknown_numbers_are_those_of_known_ones(self, group, name):
        map_, n = getattr(group, name), group.dimension
        count = 1 if name == "exp" else 2
        formula = followed(lambda *x: np.ravel(map_(*np.split(np.array(x), count))), count * n)
        for angle in ANGLES:
            xi, eta = element(group, angle), np.random.default_rng(1).normal(size=n)
            known = np.ravel(map_(*[xi, eta][:count]))
            scale = max(1.0, np.abs(known).max())
            found = formula(*xi, *(eta if count == 2 else ()))
            np.testing.assert_allclose(found, known, rtol=0, atol=1e-15 * scale)
