"""Chapter 5."""

import numpy as np
import sympy as sm

from tests.notebooks.meanings import Each
from tutlib.models import double_pendulum, pendulum, rolling_disc
from tutlib.spaces import hat
from tutlib.spaces.lie import SO3


def shared(nb):
    return {
        r"\theta": nb.theta,
        "m": nb.m,
        "l": nb.l,
        "g": nb.g,
        "t": nb.t,
        r"\sum": [{"i": 0}, {"i": 1}],
    }


def displayed(nb):
    disc, turned = rolling_disc().equations, sm.Matrix(nb.components)
    rates = turned.jacobian([angle.diff(nb.t) for angle in (nb.yaw, nb.lean, nb.spin)])
    first, second = two_bobs(nb, 0), two_bobs(nb, 1)
    others = sm.Symbol("u_3") * sm.Matrix([0.3, -0.8])  # what a third speed would add
    return {
        ("choice", 0): {
            r"\dot q": rates.inv() * sm.Matrix(disc.u),
            "N": lambda q, t: disc.kinematic_matrix[:3, :],
            "q": disc.q,
            "u": disc.u,
        },
        ("pendulum-partial", 0): {
            r"\vec v": first["velocity"] + others,
            r"\dots": others,
            r"\vec v_1": first["partial"],
            r"\vec v_2": second["partial"],
            "u_1": nb.rates[0],
            "u_2": nb.rates[1],
        },
        ("pendulum-active", 0): [first["row"], second["row"]],
        ("pendulum-inertia", 0): [first["row"], second["row"]],
        ("many", 0): {"x": nb.l * sm.sin(nb.theta), "y": -nb.l * sm.cos(nb.theta)},
    }


def two_bobs(nb, r):
    """Return forces and partial velocities of two bobs that belong to one of their speeds."""
    arms = [l * sm.Matrix([sm.sin(a), -sm.cos(a)]) for l, a in zip(nb.lengths, nb.angles)]
    places = [arms[0], arms[0] + arms[1]]
    rate = nb.rates[r]
    partial = [place.diff(nb.t).diff(rate) for place in places]
    row = {
        "F_r": -nb.V.diff(nb.angles[r]),
        "F_r^*": nb.T.diff(nb.angles[r]) - nb.T.diff(rate).diff(nb.t),
        r"\vec v_r": Each(lambda i: partial[i]),
        r"\vec R": Each(lambda i: sm.Matrix([0, -nb.masses[i] * nb.gravity])),
        "m": Each(lambda i: nb.masses[i]),
        r"\vec a": Each(lambda i: places[i].diff(nb.t, 2)),
    }
    return {"velocity": places[1].diff(nb.t), "partial": partial[1], "row": row}


def inline(nb):
    theta, l, m, t = nb.theta, nb.l, nb.m, nb.t
    rods = double_pendulum().equations
    along, across = (sm.Matrix(v) for v in ([-sm.sin(theta), sm.cos(theta)], axis(theta)))
    moving = {theta.diff(t, 2): nb.u_dot, theta.diff(t): nb.u}
    a = (-l * along).diff(t, 2).subs(moving)
    place = {"x": l * sm.sin(theta), "y": -l * sm.cos(theta)}
    speeds = {"v_x": place["x"].diff(t), "v_y": place["y"].diff(t)}
    slower = nb.said("same-motion-code", "1 / l")
    of_xy = nb.said("many-class-code", "[x.diff(t) - v_x, y.diff(t) - v_y]")
    by_w = nb.said("disc-both", "[a.diff(t) - s for a, s in zip((yaw, lean, spin), w)]")
    angles = (nb.yaw, nb.lean, nb.spin)
    return {
        r"u = \dot q": {"u": rods.u, "q": rods.q},
        r"u = \dot\theta": {"u": pendulum().equations.u[0]},
        r"F_r + F_r^* = 0": {
            "F_r": nb.F_active,
            "F_r^*": nb.F_inertia.subs(nb.u.diff(t), nb.u_dot),
        },
        r"\vec R - m\vec a = 0": {
            r"\vec R": sm.Matrix([0, -m * nb.g]) + nb.pull * along,
            r"\vec a": a,
        },
        r"u = l\dot\theta": {"u": nb.u, r"\dot\theta": slower * nb.u},
        r"\dot\theta = u/l": {"u": nb.u, r"\dot\theta": slower * nb.u},
        r"\vec v = l u\,\hat a_x + u_a\,\hat a_y": {
            r"\vec v": sliding(nb, along),
            "u": nb.u,
            "u_a": nb.u_a,
            r"\hat a_x": across,
            r"\hat a_y": along,
        },
        r"F_a + F_a^* = 0": {"F_a": nb.pull - m * nb.g * sm.cos(theta), "F_a^*": -m * along.dot(a)},
        r"u_i = \dot\theta_i": [{"u_i": u, r"\theta_i": angle} for u, angle in zip(rods.u, rods.q)],
        r"m_i \vec a_i = \vec F_i": newton(nb),
        r"\vec v = \vec\omega\times r L_z": rolling(),
        r"u = (\dot q_1, \dot q_2, \dot q_3)": {
            "u": [sm.solve(row, w)[0] for row, w in zip(by_w, nb.w)],
            **{f"q_{i}": angle for i, angle in enumerate(angles, 1)},
        },
        r"x v_x + y v_y = 0": {**place, **speeds},
        r"v_x = \dot x": {"v_x": nb.v_x, r"\dot x": sm.solve(of_xy[0], nb.x.diff(t))[0]},
        r"v_y = \dot y": {"v_y": nb.v_y, r"\dot y": sm.solve(of_xy[1], nb.y.diff(t))[0]},
        r"\theta = \arctan(x / {-y})": {"x": np.sin(0.7), "y": -np.cos(0.7), r"\theta": 0.7},
        r"v_y = -x v_x / y": {**place, **speeds},
    }


def axis(angle):
    return [sm.cos(angle), sm.sin(angle)]


def sliding(nb, along):
    """Return the velocity of a bob on a rod that becomes shorter."""
    shift = sm.Function("shift")(nb.t)
    velocity = (-(nb.l - shift) * along).diff(nb.t)
    return velocity.subs({shift.diff(nb.t): nb.u_a, nb.theta.diff(nb.t): nb.u}).subs(shift, 0)


def newton(nb):
    """Return masses, accelerations and forces of both bobs, by the solution of Newton's law."""
    (first, second, *rates), (m_1, m_2), g = nb.state, (1.3, 0.7), 9.81
    known = dict(zip((*nb.lengths, *nb.masses, nb.gravity), (1.0, 1.0, m_1, m_2, g)))
    known |= dict(zip((*nb.angles, *nb.rates), nb.state))
    system = (np.array(part.subs(known), dtype=float) for part in (nb.matrix, nb.right))
    turning_1, turning_2, *pulls = np.linalg.solve(*system)[:, 0]
    bends = []
    for angle, rate, turning in ((first, rates[0], turning_1), (second, rates[1], turning_2)):
        x, y = np.sin(angle), -np.cos(angle)
        bends.append(turning * np.array([-y, x]) - rate**2 * np.array([x, y]))
    ropes = [np.array([-np.sin(angle), np.cos(angle)]) for angle in (first, second)]
    weight, upper, lower = np.array([0, -g]), pulls[0] * ropes[0], pulls[1] * ropes[1]
    each = [
        (m_1, bends[0], m_1 * weight + upper - lower),
        (m_2, bends[0] + bends[1], m_2 * weight + lower),
    ]
    return [{"m_i": m, r"\vec a_i": a, r"\vec F_i": force} for m, a, force in each]


def rolling():
    """Return the velocity of a disc's center by that of its contact, and its turning."""
    disc, t = rolling_disc(), sm.Symbol("t")
    eom, r = disc.equations, next(s for s in disc.parameters if str(s) == "r")
    yaw, lean, _, x, y = eom.q
    heading = sm.Matrix([sm.cos(yaw), sm.sin(yaw), 0])
    up = sm.Matrix([sm.sin(yaw) * sm.sin(lean), -sm.cos(yaw) * sm.sin(lean), sm.cos(lean)])
    omega = eom.u[0] * heading + eom.u[1] * up.cross(heading) + eom.u[2] * up
    moving = dict(zip([q.diff(t) for q in eom.q], eom.kinematic_matrix * sm.Matrix(eom.u)))
    velocity = (sm.Matrix([x, y, 0]) + r * up).diff(t).subs(moving)
    return {r"\vec v": velocity, r"\vec\omega": omega, "r": r, "L_z": up}


def terms(nb):
    """A body of which R turns, with the angular momentum R J Rᵀ ω."""
    J, omega = np.diag([0.1, 0.2, 0.4]), np.array([0.7, -0.4, 1.1])
    alpha, R = np.array([0.3, 1.2, -0.5]), SO3.exp(np.array([0.2, 0.9, -0.5]))
    momentum, turning = R @ J @ R.T, hat(omega) @ R
    change = turning @ J @ R.T @ omega + R @ J @ turning.T @ omega + momentum @ alpha
    return {
        r"-(I\vec\alpha + \vec\omega\times I\vec\omega)": {
            "I": momentum,
            r"\vec\alpha": alpha,
            r"\vec\omega": omega,
            "=": -change,
        }
    }
