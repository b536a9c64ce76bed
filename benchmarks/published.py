"""A chain simulated as a published notebook does it: SymPy solves the equations in every step.

Positions by rotations inside rotations, Lagrange's equations by Jacobians with the accelerations
in them, nothing simplified; then, in each step, numbers for the symbols and ``solve``.
"""

import numpy as np
import sympy as sm


def symbols(n: int) -> tuple[sm.Matrix, sm.Matrix, sm.Matrix]:
    """Return angles, rates and accelerations as plain symbols."""
    return tuple(sm.Matrix(sm.symbols(f"{name}_1:{n + 1}")) for name in ("q", "dq", "ddq"))


def rotate(v: sm.Matrix, angle: sm.Expr) -> sm.Matrix:
    c, s = sm.cos(angle), sm.sin(angle)
    return sm.Matrix([[c, -s], [s, c]]) * v


def equations(n: int, orientation: str, values: dict[str, float]) -> sm.Matrix:
    """Return Lagrange's equations for links that are all alike, F_x still a symbol."""
    q, dq, ddq = symbols(n)
    m, l, d, inertia, g = (sm.Symbol(name) for name in ("m", "l", "d", "In", "g"))
    before, here = sm.Matrix([0, -(1 - d) * l]), sm.Matrix([0, -d * l])
    relative = orientation == "relative"
    centers, headings = [rotate(here, q[0])], [q[0]]
    for i in range(1, n):
        turn = q[i] if relative else q[i] - q[i - 1]
        centers.append(centers[-1] + rotate(before + rotate(here, turn), headings[-1]))
        headings.append(headings[-1] + q[i] if relative else q[i])
    tip = centers[-1] + rotate(before, headings[-1])
    T = V = sm.S.Zero
    for center, heading in zip(centers, headings):
        velocity, rate = center.jacobian(q) * dq, (sm.Matrix([heading]).jacobian(q) * dq)[0]
        T += m * velocity.dot(velocity) / 2 + inertia * rate**2 / 2
        V += m * g * center[1]
    Q = tip.jacobian(q).T * sm.Matrix([sm.Symbol("F_x"), 0])
    momenta = sm.Matrix([T]).jacobian(dq).T
    inertial = momenta.jacobian(q) * dq + momenta.jacobian(dq) * ddq
    potential = sm.Matrix([V]).jacobian(q).T
    return (inertial - sm.Matrix([T]).jacobian(q).T + potential - Q).subs(values)


def steps(eom: sm.Matrix, count: int, h: float = 0.01) -> np.ndarray:
    """Step from rest by semi-implicit Euler, a force shaking the end; return the last state."""
    n = len(eom)
    q, dq, ddq = symbols(n)
    angles, rates = np.zeros(n), np.zeros(n)
    for k in range(count):
        now = [*zip(q, angles), *zip(dq, rates), ("F_x", 5 * np.sin(8 * np.pi * k * h))]
        solved = sm.solve(eom.subs(now), list(ddq))
        rates = rates + h * np.array([float(solved[a]) for a in ddq])
        angles = angles + h * rates
    return np.concatenate([angles, rates])
