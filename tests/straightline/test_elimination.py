"""Elimination in loops: against LAPACK, compiled, and with redundant rows."""

import numpy as np
import pytest

from straightline.elimination import System
from straightline.evaluator import Evaluator
from straightline.linear_algebra import (
    MOST_GENERAL,
    MOST_SYMMETRIC,
    solve_general,
    solve_symmetric,
)
from tests.straightline.interpreter import same


def saddle(n, G, rng):
    """Return [[M, -Gᵀ], [-G, 0]] and a right side that redundant rows of G agree with."""
    M, m = np.diag(rng.uniform(1, 2, n)), len(G)
    K = np.block([[M, -G.T], [-G, np.zeros((m, m))]])
    return K, np.concatenate([rng.normal(size=n), G @ rng.normal(size=n)])


def whole(n, multipliers=0):
    return System(n, tuple(range(n * n)), multipliers)


@pytest.mark.parametrize("n", [1, 2, 17, 24])
def test_it_solves_what_lapack_solves(n, rng):
    K, b = rng.normal(size=(n, n)), rng.normal(size=n)
    x = whole(n).solve([*K.ravel(), *b])
    np.testing.assert_allclose(x, np.linalg.solve(K, b), rtol=1e-10, atol=1e-12)


def test_only_entries_that_may_be_other_than_zero_are_given(rng):
    n = 30
    K = np.diag(rng.uniform(1, 2, n)) + np.diag(rng.normal(size=n - 3), 3)[:n, :n]
    K[5, 5] = 0.0  # a row must be exchanged, or nothing be found
    K[5, 0] = K[0, 5] = 1.0
    places, b = np.flatnonzero(K), rng.normal(size=n)
    x = System(n, tuple(places.tolist())).solve([*K.ravel()[places], *b])
    np.testing.assert_allclose(x, np.linalg.solve(K, b), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("n", "m"), [(5, 4), (20, 10)])
@pytest.mark.parametrize("redundant", [1, 3])
def test_redundant_constraints_get_the_forces_of_least_norm(n, m, redundant, rng):
    G = rng.normal(size=(m - redundant, n))
    G = np.vstack([G, rng.normal(size=(redundant, m - redundant)) @ G])[rng.permutation(m)]
    K, b = saddle(n, G, rng)
    least = np.linalg.lstsq(K, b, rcond=1e-12)[0]
    np.testing.assert_allclose(solve_general(K, b, m, True), least, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(whole(n + m, m).solve([*K.ravel(), *b]), least, rtol=1e-8, atol=1e-9)


def test_of_constraints_that_drift_apart_those_count_that_are_independent(rng):
    G = rng.normal(size=(2, 6))
    G = np.vstack([G, G[0] - G[1] + 1e-8 * rng.normal(size=6)])
    K, b = saddle(6, G, rng)
    found = np.array(solve_general(K, b, 3, True))
    assert np.abs(found).max() < 100  # 1e8 and more, if all three counted
    np.testing.assert_allclose(K @ found, b, atol=1e-6)


@pytest.mark.parametrize("n", [6, 24])
def test_what_contradicts_has_no_solution(n, rng):
    G = rng.normal(size=(2, n))
    K, b = saddle(n, np.vstack([G, G[0]]), rng)
    b[-1] += 0.01
    assert np.isnan(solve_general(K, b, 3)).all()
    assert np.isnan(solve_general(K, b, 3, True)).all()


@pytest.mark.parametrize("wrong", [np.nan, np.inf, "a column twice"])
def test_what_is_no_number_and_what_is_singular_gives_none(wrong, rng):
    n = MOST_GENERAL + 4
    K, b = rng.normal(size=(n, n)), rng.normal(size=n)
    if isinstance(wrong, str):
        K[:, 3] = K[:, 1]
    else:
        K[3, 4] = wrong
    assert np.isnan(solve_general(K, b)).all()
    assert np.isnan(solve_general(K, b, 2)).all()


@pytest.mark.parametrize("n", [4, MOST_GENERAL + 3])
@pytest.mark.parametrize("redundant", [False, True])
def test_unknown_numbers_give_the_same_bits(n, redundant, rng):
    G = rng.normal(size=(3, n))
    G[2] = G[0] if redundant else G[2]
    K, b = saddle(n, G, rng)
    given = [*K.ravel(), *b]
    size = n + 3

    def formula(t, x, p):
        return solve_general(x[: size**2], x[size**2 :], 3, redundant)

    evaluator = Evaluator(formula, len(given), [])
    for _ in range(2):  # the first call runs the formula itself
        found = evaluator(0.0, given)
        assert all(map(same, found, solve_general(K, b, 3, redundant)))


def test_a_large_symmetric_system_needs_its_lower_half_alone(rng):
    n = MOST_SYMMETRIC + 3
    B, F = rng.normal(size=(n, n)), rng.normal(size=n)
    M = B @ B.T + n * np.eye(n)
    u = solve_symmetric(np.tril(M), F)
    np.testing.assert_allclose(u, np.linalg.solve(M, F), rtol=1e-11)
