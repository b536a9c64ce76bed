"""Chapter 5."""

from functools import cache

import numpy as np
import sympy as sm

from tests.notebooks.formulas import named
from tests.notebooks.meanings import Each
from tutlib.models import rolling_disc
from tutlib.spaces import hat
from tutlib.spaces.lie import SO3


def shared(nb):
    return named(nb, r"\theta m l g t") | {r"\sum": [{"i": 0}, {"i": 1}]}


def displayed(nb):
    disc, turned = rolling_disc().equations, sm.Matrix(nb.components)
    rates = turned.jacobian([angle.diff(nb.t) for angle in (nb.yaw, nb.lean, nb.spin)])
    first, second = two_bobs(nb, 0), two_bobs(nb, 1)
    others = sm.Symbol("u_3") * sm.Matrix([0.3, -0.8])  # what a third speed would add
    partial = {r"\vec v_1": first["partial"], r"\vec v_2": second["partial"], r"\dots": others}
    partial |= dict(zip(("u_1", "u_2"), nb.rates))
    return {
        ("choice", 0): {
            r"\dot q": rates.inv() * sm.Matrix(disc.u),
            "N": lambda q: disc.kinematic_matrix[:3, :],
            "q": disc.q,
            "u": disc.u,
        },
        ("pendulum-partial", 0): partial | {r"\vec v": first["velocity"] + others},
        ("pendulum-active", 0): [first["row"], second["row"]],
        ("pendulum-inertia", 0): [first["row"], second["row"]],
        ("many", 0): {"x": nb.l * sm.sin(nb.theta), "y": -nb.l * sm.cos(nb.theta)},
        "space": turning_box(),
        "contact-words": rolling_on(),
        "no-slip": rolling_on() | last_product(),
        "push-words": pushed(nb),
        **dict.fromkeys(("skate", "skate-hand", "skate-better"), gliding()),
    }


@cache
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


def axis(angle):
    return [sm.cos(angle), sm.sin(angle)]


def pushed(nb):
    """A bob as it swings, and a way that is neither along the rod nor across it."""
    angle, rate, length, m, g = 0.6, 1.7, 2.0, 1.3, 9.81
    along, down = np.array([-np.sin(angle), np.cos(angle)]), np.array([0, -1])
    values = {nb.theta: angle, nb.u: rate, nb.l: length, nb.m: m, nb.g: g}
    S = float(nb.pull.subs(nb.u.diff(nb.t), 0).subs(values))
    a = (S * along + m * g * down) / m
    names = {r"\vec v_a": np.array([0.8, 0.6]), "S": S, "m": m, "g": g, r"\vec a": a}
    return names | {r"\hat a_y": along, r"\hat n_y": -down}


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


def turning_box():
    """A box with the angular momentum R J u, of which R turns and u changes; its torque follows."""
    J, u, change = np.array([0.3, 0.7, 1.1]), np.array([0.7, -0.4, 1.1]), np.array([0.3, 1.2, -0.5])
    R = SO3.exp(np.array([0.2, 0.9, -0.5]))
    rate = R @ hat(u) @ (J * u) + R @ (J * change)
    names = {r"\vec\omega": R @ u, r"\vec H": R @ (J * u), r"\dot{\vec H}": rate}
    for i, axis in enumerate("xyz"):
        names |= {rf"\hat b_{axis}": R[:, i], f"J_{i + 1}": J[i], f"u_{i + 1}": u[i]}
        names |= {rf"\dot u_{i + 1}": change[i]}
    return names | {r"\tau_1": R[:, 0] @ rate}


@cache
def rolling_on():
    """A disc as it rolls: places of contact and center, and what their derivatives are."""
    disc, t = rolling_disc(), sm.Symbol("t")
    eom, (m, r, g) = disc.equations, (1.3, 0.6, 9.81)
    values = dict(zip(sorted(disc.parameters, key=str), (g, m, r)))
    radius = next(s for s in values if str(s) == "r")
    yaw, lean, spin, x, y = eom.q
    heading = sm.Matrix([sm.cos(yaw), sm.sin(yaw), 0])
    up = sm.Matrix([sm.sin(yaw) * sm.sin(lean), -sm.cos(yaw) * sm.sin(lean), sm.cos(lean)])
    axle, vertical = up.cross(heading), sm.Matrix([0, 0, 1])
    moving = dict(zip([q.diff(t) for q in eom.q], eom.rates))
    rates = dict(zip([u.diff(t) for u in eom.u], eom.accelerations()))
    velocity = (sm.Matrix([x, y, 0]) + radius * up).diff(t).subs(moving)
    of_frame = yaw.diff(t) * vertical + lean.diff(t) * heading
    omega = of_frame + spin.diff(t) * axle
    momentum = values_of_disc(omega, axle) * values[next(s for s in values if str(s) == "m")]
    state = dict(zip(eom.states, [0.3, 0.4, 0.7, 0.2, -0.1, 0.5, 3.1, -1.2]))

    def now(expression):
        return sm.sympify(expression).subs(rates).subs(moving).subs(state).subs(values)

    names = {
        r"\vec v": velocity,
        r"\vec a": velocity.diff(t),
        r"\vec\omega": omega,
        r"\vec\omega_L": of_frame,
        r"\vec H": radius**2 * momentum,
        **dict(zip(("L_x", "L_y", "L_z"), (heading, axle, up))),
        **dict(zip(("N_x", "N_y", "N_z"), (sm.eye(3)[:, k] for k in range(3)))),
        **{f"q_{i}": q for i, q in enumerate(eom.q[:3], 1)},
        **{f"u_{i}": u for i, u in enumerate(eom.u, 1)},
        **{rf"\dot q_{i}": q.diff(t) for i, q in enumerate(eom.q[:3], 1)},
        **{rf"\dot u_{i}": u.diff(t) for i, u in enumerate(eom.u, 1)},
        r"\dot x_c": x.diff(t),
        r"\dot y_c": y.diff(t),
    }
    found = {name: numbers(now(value)) for name, value in names.items()}
    return found | {"r": r, "m": m, "g": g}


def last_product():
    """The part along the radius of the cross product of the frame's turning and the momentum."""
    disc = rolling_on()
    turned = np.cross(disc[r"\vec\omega_L"], disc[r"\vec H"]) @ disc["L_z"]
    return {"c": turned / (disc["m"] * disc["r"] ** 2 / 4)}


def values_of_disc(omega, axle):
    """Return the angular momentum of a thin disc for its mass and the square of its radius."""
    return (omega + omega.dot(axle) * axle) / 4


def numbers(value):
    """Return a number, or a vector of numbers."""
    found = np.array(value, dtype=float)
    return found[:, 0] if found.ndim == 2 else float(found)


def gliding():
    """A skate on a slope, by its speed along the blade."""
    phi, omega, v, beta, m, g = 0.4, 0.8, 1.3, 0.2, 2.1, 9.81
    along = np.array([np.cos(phi), np.sin(phi)])
    across = np.array([-np.sin(phi), np.cos(phi)])
    change = along @ np.array([0.0, -g * np.sin(beta)])
    accelerates = change * along + v * omega * across
    names = {r"\phi": phi, r"\dot\phi": omega, r"\omega": omega, r"\beta": beta, "m": m, "g": g}
    names |= {"v": v, r"\dot v": change, r"\vec v": v * along, r"\dot x": v * along[0]}
    names |= {r"\dot y": v * along[1], r"\hat n_x": np.array([1, 0]), r"\hat n_y": np.array([0, 1])}
    names |= dict(zip(("v_x", "v_y"), v * along))
    return names | dict(zip((r"\dot v_x", r"\dot v_y"), accelerates))
