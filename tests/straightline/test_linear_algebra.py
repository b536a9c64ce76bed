"""The small solvers against LAPACK, and with unknown numbers to the last bit."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from straightline.assignments import Assignments
from straightline.linear_algebra import solve_general, solve_symmetric
from tests.straightline.interpreter import followed, same

BOTH = pytest.mark.parametrize("solve", [solve_symmetric, solve_general])


def positive(n, rng):
    B = rng.normal(size=(n, n))
    return B @ B.T + n * np.eye(n)


def of_unknowns(solve, n):
    """Return a function of M and F that runs what the solver wrote down."""
    formula = followed(lambda *x: solve(x[: n * n], x[n * n :]), n * n + n)
    return lambda M, F: formula(*np.ravel(M).tolist(), *F)


def smallest_change(M, F, u):
    """Return the least relative change of M and F that u solves exactly."""
    residual = np.abs(M @ u - F).max()
    return residual / (np.abs(M).sum(axis=1).max() * np.abs(u).max() + np.abs(F).max())


@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_symmetric_and_general_systems_are_solved(n, seed):
    rng = np.random.default_rng(seed)
    orthogonal, _ = np.linalg.qr(rng.normal(size=(n, n)))
    general, F = orthogonal * rng.uniform(1, 3, size=n), rng.normal(size=n)
    for solve, M in ((solve_symmetric, positive(n, rng)), (solve_general, general)):
        u = np.array(solve(M.tolist(), F.tolist()))
        assert smallest_change(M, F, u) < n * 2.3e-16
        np.testing.assert_allclose(u, np.linalg.solve(M, F), rtol=1e-11, atol=1e-14)


def test_only_the_lower_half_of_a_symmetric_matrix_counts(rng):
    M, F = positive(4, rng), rng.normal(size=4)
    assert solve_symmetric(np.tril(M), F) == solve_symmetric(M, F)


@BOTH
@pytest.mark.parametrize("n", [3, 6, 8])
def test_systems_close_to_singular_are_solved_as_well_as_floats_can(solve, n):
    M = 1 / (1.0 + np.add.outer(np.arange(n), np.arange(n)))  # Hilbert's, condition 5e2 to 2e10
    u = np.array(solve(M, M.sum(axis=1)))
    assert smallest_change(M, M.sum(axis=1), u) < 2.3e-16
    assert np.abs(u - 1).max() < 2.3e-16 * np.linalg.cond(M)


def test_masses_of_very_different_size_are_no_singularity():
    scale, F = np.array([1e-9, 1.0, 1e8]), np.array([1.0, 2.0, 3.0])
    similar = np.eye(3) + 0.5
    u = solve_symmetric(np.outer(scale, scale) * similar, F)
    np.testing.assert_allclose(scale * u, np.linalg.solve(similar, F / scale), rtol=1e-14)


@pytest.mark.parametrize("order", [[1, 0], [1, 2, 0], [3, 1, 0, 2], [4, 3, 2, 1, 0]])
def test_rows_in_another_order_are_found(order, rng):
    n = len(order)
    F = rng.normal(size=n)
    assert solve_general(np.eye(n)[order], F[order]) == F.tolist()
    M = np.diag(rng.uniform(1, 2, n))[order] + np.triu(rng.normal(size=(n, n)), 1)[order]
    u = solve_general(M, M @ F)
    np.testing.assert_allclose(u, F, rtol=1e-13)
    assert list(map(float.hex, of_unknowns(solve_general, n)(M, M @ F))) == [v.hex() for v in u]


SINGULAR = [[0.0], [1.0, 2.0, 2.0, 4.0], [0.0] * 4, [2, 1, 3, 1, 1, 2, 3, 2, 5], [math.nan] * 4]


@BOTH
@pytest.mark.parametrize("M", SINGULAR)
def test_singular_systems_give_nan(solve, M):
    n = math.isqrt(len(M))
    assert np.isnan(solve(M, [1.0] * n)).all()
    assert np.isnan(of_unknowns(solve, n)(M, [1.0] * n)).all()


@BOTH
@pytest.mark.parametrize("n", [1, 2, 3, 5, 9])
def test_unknown_numbers_give_the_same_bits(solve, n, rng):
    formula = of_unknowns(solve, n)
    for _ in range(5):
        M, F = positive(n, rng), rng.normal(size=n)
        if solve is solve_general:
            M = rng.normal(size=(n, n))
        assert all(map(same, formula(M, F), solve(M, F)))


def operations(solve, n, width):
    """Return how many nodes a system takes whose entries beyond some diagonals are known zeros."""
    a = Assignments()
    m, F = a.inputs("m", n * n), a.inputs("F", n)
    M = [m[i * n + j] if abs(i - j) < width else 0.0 for i in range(n) for j in range(n)]
    solve(M, F)
    return len(a.nodes) - n * n - n


@BOTH
def test_known_zeros_cost_nothing(solve):
    small, large = operations(solve, 8, 2), operations(solve, 16, 2)
    assert large < 2.2 * small
    assert large < operations(solve, 16, 16) / 8
