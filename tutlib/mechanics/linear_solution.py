"""Solution of linear equations as SymPy expressions that are evaluated numerically.

Independent speeds (chapter 6) use it if there are many constraints, because symbolic determinants
grow too fast.
"""

from __future__ import annotations

import sympy as sm

from straightline.assignments import Number
from straightline.linear_algebra import solve_general


class LinearSolution(sm.Function):  # type: ignore[misc]
    """One entry of x in K x = b: LinearSolution(i, n, entries of K row by row, entries of b)."""

    is_commutative = True
    is_real = True

    @classmethod
    def eval(cls, *_: object) -> None:
        """Return None: the function is not evaluated symbolically."""

    @classmethod
    def formula(cls, i: float, n: float, *numbers: Number) -> Number:
        """Return the entry, for numbers or traced unknowns; nan where K is singular."""
        size = int(n)
        return solve_general(numbers[: size**2], numbers[size**2 :])[int(i)]

    def _eval_derivative(self, symbol: sm.Expr) -> sm.Expr:
        """Return the entry of K⁻¹ (db − dK x)."""
        n = int(self.args[1])
        K = sm.Matrix(n, n, self.args[2 : 2 + n * n])
        b = sm.Matrix(self.args[2 + n * n :])
        right = b.diff(symbol)
        if slope := K.diff(symbol):
            right -= slope * solution(K, b)
        return LinearSolution(self.args[0], n, *K, *right)

    def _sympystr(self, printer: object) -> str:
        return f"solution_{self.args[0]}(...)"

    def _latex(self, printer: object) -> str:
        return rf"\left(K^{{-1}} b\right)_{{{int(self.args[0]) + 1}}}"


def solution(K: sm.MatrixBase, b: sm.MatrixBase) -> sm.MatrixBase:
    """Return x of K x = b as expressions that are evaluated numerically.

    Parameters
    ----------
    K : Matrix, shape (n, n)
    b : Matrix, shape (n, k)

    Returns
    -------
    Matrix, shape (n, k)
    """
    n, k = b.shape
    columns = [b[:, j] for j in range(k)]
    return sm.Matrix(
        n, k, lambda i, j: LinearSolution(i, n, *K, *columns[j]) if any(columns[j]) else 0
    )
