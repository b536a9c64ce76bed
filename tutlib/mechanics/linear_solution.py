"""Solutions of linear equations as SymPy expressions.

Independent speeds (chapter 6) use those that are evaluated numerically if there are many
constraints, because symbolic determinants grow too fast. Linearization in symbols, for the small
motions of chapter 7, uses those that are cancelled.
"""

from __future__ import annotations

import sympy as sm
from sympy.polys.matrices import DomainMatrix
from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

from straightline.assignments import Number
from straightline.linear_algebra import solve_general

#: Number of operations up to which an expression is simplified, which takes a second at most.
_LONG = 100


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


def solve_symbolically(M: sm.MatrixBase, right: sm.MatrixBase) -> sm.MatrixBase:
    """Return M⁻¹ right in symbols, by elimination without fractions; reject a singular M."""
    n, both = M.rows, M.row_join(right)
    if both.has(sm.Float):  # polynomials with rounded coefficients cannot be divided exactly
        _refuse_singular(M, M.det())
        return M.LUsolve(right).applyfunc(readable) if right.cols else right
    # Roots and functions, such as cos(alpha), count as further unknowns of the polynomials.
    polynomials = DomainMatrix.from_Matrix(both, composite=True)
    try:
        numerators, denominator = polynomials[:, :n].solve_den(polynomials[:, n:])
    except DMNonInvertibleMatrixError:
        _refuse_singular(M, sm.S.Zero)
    _refuse_singular(M, polynomials.domain.to_sympy(denominator))
    return (numerators.to_field() / denominator).to_Matrix().applyfunc(readable)


def _refuse_singular(M: sm.MatrixBase, determinant: sm.Expr) -> None:
    if determinant == 0:
        raise ValueError(f"the mass matrix is singular at this point: {M}")


def readable(expression: sm.Expr) -> sm.Expr:
    """Return an expression simplified, unless it is so long that this would take many seconds."""
    return sm.simplify(expression) if expression.count_ops() <= _LONG else expression
