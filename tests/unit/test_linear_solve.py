"""The small solvers against LAPACK."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutlib.programs.linear_solve import rows, solve_general, solve_rows, solve_symmetric


@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_symmetric_systems_are_solved(n, seed):
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(n, n))
    M, F = B @ B.T + n * np.eye(n), rng.normal(size=n)
    u = F.tolist()
    solve_symmetric(M.ravel().tolist(), u)
    np.testing.assert_allclose(u, np.linalg.solve(M, F), rtol=1e-11, atol=1e-13)


@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_general_systems_are_solved(n, seed):
    rng = np.random.default_rng(seed)
    orthogonal, _ = np.linalg.qr(rng.normal(size=(n, n)))
    M, F = orthogonal * rng.uniform(1, 3, size=n), rng.normal(size=n)
    u = F.copy()
    solve_general(M.ravel().tolist(), u)
    np.testing.assert_allclose(u, np.linalg.solve(M, F), rtol=1e-11, atol=1e-13)


def test_masses_of_very_different_size_are_no_singularity():
    scale, F = np.array([1e-9, 1.0, 1e8]), np.array([1.0, 2.0, 3.0])
    similar = np.eye(3) + 0.5
    u = F.tolist()
    solve_symmetric((np.outer(scale, scale) * similar).ravel().tolist(), u)
    np.testing.assert_allclose(scale * u, np.linalg.solve(similar, F / scale), rtol=1e-12)


@pytest.mark.parametrize("solve", [solve_symmetric, solve_general])
@pytest.mark.parametrize("M", [[0.0], [1.0, 2.0, 2.0, 4.0], [0.0, 0.0, 0.0, 0.0]])
def test_singular_systems_give_nan(solve, M):
    F = [1.0] * int(np.sqrt(len(M)))
    solve(list(M), F)
    assert np.isnan(F).all()


def test_many_systems_side_by_side(rng):
    M, F = rng.normal(size=(3, 3, 5)) + 4 * np.eye(3)[..., None], rng.normal(size=(3, 5))
    u = solve_rows(M.reshape(9, 5), F)
    for i in range(5):
        np.testing.assert_allclose(M[..., i] @ u[:, i], F[:, i], atol=1e-13)
    assert np.isnan(solve_rows(np.zeros(4), np.ones(2))).all()


def test_rows_get_the_shape_of_a_row():
    assert rows([1, 2.0], np.zeros(2)).tolist() == [1, 2]
    assert rows([1, np.arange(3)], np.zeros((2, 3))).tolist() == [[1, 1, 1], [0, 1, 2]]
