"""Chapter 9."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import expm

from tests.notebooks.arithmetic import hat
from tests.notebooks.formulas import indexed
from tests.notebooks.formulas.rotations import in_four
from tests.notebooks.meanings import Each
from tutlib.models.quadrotors import AttitudeController, LoadController, two_quadrotors
from tutlib.models.single_quadrotor import one_quadrotor
from tutlib.spaces import with_derivatives

DOWN = np.array([0.0, 0.0, 1.0])
TIME = 0.3


def shared(nb):
    pair = two_quadrotors()
    s = pair.state(nb.x_any)
    known = {
        "m_y": pair.load,
        "g": pair.g,
        "e_3": DOWN,
        r"\sum_i": (0, 1),
        r"\ddot y": nb.y_ddot,
        **indexed({"m_i": pair.mass, "L_i": pair.length, "q_i": s.q, r"\omega_i": s.omega}),
        **indexed({"u_i": nb.u_any, r"\dot\omega_i": nb.omega_dot}),
        r"\ddot q_i": Each(lambda i: second_rate(s, nb.omega_dot, i)),
        "T_i": Each(lambda i: tension(pair, s, nb, i)),
    }
    return [known | {"i": i} for i in (0, 1)]


def displayed(nb):
    pair = two_quadrotors()
    s, (control, attitude) = pair.state(nb.x_any), controllers(pair)
    M_q = pair.load * np.eye(3) + sum(m * np.outer(q, q) for m, q in zip(pair.mass, s.q))
    return {
        "mixing": one_vehicle(nb),
        ("newton-euler", 0): one_vehicle(nb),
        "point-words": flown_to_a_point(nb),
        ("space", 0): spaces(pair),
        **dict.fromkeys(("eliminate", "energy-route"), kinetic_energy(pair, s) | {"M_q": M_q}),
        "one-function": [moved_parts(pair, s, nb, i) for i in (0, 1)],
        ("control", 0): load_force(control, s),
        **dict.fromkeys(("shares", "along"), shares(control, s)),
        ("frame-formula", 0): commanded_frame(attitude, s),
        ("control-more", 0): across(pair, control, s),
        **dict.fromkeys(("steering-words", "wish-words"), steering(pair, control, s, nb)),
        "moment": moment(attitude, s),
        ("epsilon-words", 0): [small_turns(attitude, J) for J in pair.inertia[0]],
        ("home-border", 0): too_high(pair, control),
        ("yours", 0): {"t": TIME, "y_d": nb.function("yours-code", "leaning_eight")},
        ("three", 0): {
            r"\sum_i": (0, 1, 2),
            "m_y": nb.trio["load"],
            **indexed({"m_i": nb.trio["mass"], "u_i": nb.u_hover}),
        },
    }


def one_vehicle(nb):
    """Return one vehicle in a random state, with the accelerations that its model gives."""
    one, thrusts = one_quadrotor(), nb.some
    s = one.state(nb.x_one)
    rates = one.vector_field(lambda t, s: thrusts)(TIME, nb.x_one)
    f, *M = one.mixing @ thrusts
    sides = (r"f_\text{front}", r"f_\text{right}", r"f_\text{back}", r"f_\text{left}")
    return {
        **dict(zip(sides, thrusts)),
        r"\ell": one.arm,
        r"\kappa": one.drag,
        "m": one.mass,
        "f": f,
        "M": np.array(M),
        r"\ddot y": rates[3:6],
        "R": s.attitude,
        r"\Omega": s.rate,
        r"\dot\Omega": rates[9:],
        r"\dot R": hat(rates[6:9]) @ s.attitude,
        "J": np.diag(one.inertia),
    }


def flown_to_a_point(nb):
    """Return what the controller of one vehicle commands, off its goal at the origin."""
    one = one_quadrotor()
    s = one.state(nb.x_one)
    u = one.mass * (-s.y - 2 * s.v - one.g * DOWN)
    third = s.attitude[:, 2]
    error = s.attitude.T @ np.cross(third, -u / np.linalg.norm(u))
    moving = {"e_y": s.y, r"\dot y": s.v, "R": s.attitude, r"\Omega": s.rate, "m": one.mass}
    return moving | {
        "u": u,
        "d": s.attitude.T @ -u / np.linalg.norm(u),
        "M": 2 * error - 0.8 * s.rate,
    }


def too_high(pair, control, d=0.4):
    """Return the force on a load that keeps up with its path, but is too high by d."""
    place, velocity = control.path(TIME)[:2]
    still = pair.start(place - d * DOWN, control.formation)
    still[3:6] = velocity
    return {"F": control.load_force(TIME, pair.state(still))[0][0], "d": d}


def kinetic_energy(pair, s):
    """Return the kinetic energy: all energy where there is no gravity."""
    return {
        "K": replace(pair, g=0.0).energy(flat_state(s)),
        r"\dot y": s.v,
        **indexed({r"\Omega_i": s.rates, "J_i": [np.diag(J) for J in pair.inertia]}),
    }


def flat_state(s):
    bodies = np.column_stack([s.attitudes.reshape(2, 9), s.rates])
    return np.concatenate([s.y, s.v, bodies.ravel(), np.column_stack([s.q, s.omega]).ravel()])


def moved_parts(pair, s, nb, i):
    """Return a state before and after a group element, whose parts are SciPy's exponentials."""
    xi, after = nb.xi, pair.state(pair.space.flow(nb.xi, nb.x_any))
    turn, shift = xi[6 + 6 * i :][:6].reshape(2, 3)
    motion = expm(in_four(*xi[18 + 6 * i :][:6].reshape(2, 3)))
    moved = {
        name: value
        for arrow, x in (("", s), (r"\leftarrow ", after))
        for name, value in (
            (rf"{arrow}y", x.y),
            (rf"{arrow}\dot y", x.v),
            (rf"{arrow}R_i", x.attitudes[i]),
            (rf"{arrow}\Omega_i", x.rates[i]),
            (rf"{arrow}q_i", x.q[i]),
            (rf"{arrow}\omega_i", x.omega[i]),
        )
    }
    parts = {"a_1": xi[:3], "a_2": xi[3:6], "B_i": expm(hat(turn)), "b_i": shift}
    return moved | parts | {"i": i, "C_i": motion[:3, :3], "w_i": motion[:3, 3]}


def across(pair, control, s):
    """Return what acts across the links, and how they turn by it."""
    u, (_, mu) = control(TIME, s), control.load_force(TIME, s)
    _, turned = pair.accelerations(s, u)
    aside = [pull - (pull @ q) * q for pull, q in zip(u, s.q)]
    return indexed({"n_i": aside, r"\dot\omega_i": turned}) | {r"\mu_1": mu[0], r"\mu_2": mu[1]}


def steering(pair, control, s, nb):
    """Return the errors of a link, and how the control turns it."""
    _, turned = pair.accelerations(s, control(TIME, s))
    wanted = {"d_i": nb.d, r"\nu_i": nb.nu, r"\dot\nu_i": nb.nu_dot, r"\dot d_i": nb.d_dot}
    errors = {"e_q": nb.e_q, r"e_\omega": nb.e_omega}
    moving = {r"\dot q_i": nb.q_dot, r"\dot\omega_i": turned}
    return indexed(wanted | moving) | indexed(errors, "i")


def small_turns(attitude, J):
    """Return frequency and damping of a small turn about one axis, from its eigenvalues."""
    (k_R, k_rate), epsilon = attitude.gains, attitude.quickness
    poles = np.linalg.eigvals([[0, 1], [-k_R / epsilon**2 / J, -k_rate / epsilon / J]])
    frequency = np.sqrt(poles.prod().real)
    gains = {"k_R": k_R, r"k_\Omega": k_rate, r"\varepsilon": epsilon, "J": J}
    return gains | {r"\omega_n": frequency, r"\zeta": -poles.sum().real / 2 / frequency}


def controllers(pair):
    path = with_derivatives(lambda t: [t - 2.5, 0.0, (t - 2.5) ** 2 - 7])
    slant = np.array([[0.5, 0, np.sqrt(0.75)], [-0.5, 0, np.sqrt(0.75)]])
    control = LoadController(pair, path, slant, np.array([0, -1.0, 0]))
    return control, AttitudeController(pair, control, np.array([-1.0, 0, 0]))


def second_rate(s, omega_dot, i):
    """Differentiate ω × q once more."""
    q_dot = np.cross(s.omega[i], s.q[i])
    return np.cross(omega_dot[i], s.q[i]) + np.cross(s.omega[i], q_dot)


def tension(pair, s, nb, i):
    """Return how a link pulls: what its vehicle's acceleration needs besides weight and thrust."""
    moved = nb.y_ddot - pair.length[i] * second_rate(s, nb.omega_dot, i)
    return (pair.mass[i] * (moved - pair.g * DOWN) - nb.u_any[i]) @ s.q[i]


def load_force(control, s):
    y_d, y_dot_d, y_ddot_d = control.path(TIME)[:3]
    errors = {"e_y": s.y - y_d, r"\dot e_y": s.v - y_dot_d}
    return errors | {"F": control.load_force(TIME, s)[0][0], r"\ddot y_d": y_ddot_d}


def shares(control, s):
    """Return the shares of the vehicles, read off the controller, and what acts along links.

    The legs of its formation are not alike here, so that one cannot stand for the other.
    """
    control = replace(control, formation=np.array([[0.6, 0, 0.8], [0, -0.28, 0.96]]))
    (F, *_), mu = control.load_force(TIME, s)
    u, r = control(TIME, s), control.formation
    c = [(one @ q) / (q @ F) for one, q in zip(mu, s.q)]
    p = [(pull @ q) * q for pull, q in zip(u, s.q)]
    single = {"r_1": r[0], "r_2": r[1], r"\mu_1": mu[0], r"\mu_2": mu[1]}
    return indexed({"r_i": r, r"\mu_i": mu, "c_i": c, "p_i": p}) | single | {"F": F}


def commanded_frame(attitude, s):
    """Return a frame, and two axes; each column is to be made of length 1."""
    u, R_c = attitude.wanted(TIME, s)[0], attitude.commanded(TIME, s)[1][0]
    b_3 = -u / np.linalg.norm(u)
    across = np.linalg.norm(np.cross(b_3, attitude.heading))
    return {"R_c": R_c * [across, across, 1], "b_3": b_3, "b_1": attitude.heading}


def moment(attitude, s):
    _, R_c, rate_c, rate_dot_c = attitude.commanded(TIME, s)
    _, moments = attitude(TIME, s)
    R, rate, back = s.attitudes[0], s.rates[0], s.attitudes[0].T @ R_c[0]
    k_R, k_rate = attitude.gains
    wanted = {"R_c": R_c[0], r"\Omega_c": rate_c[0], r"\dot\Omega_c": rate_dot_c[0]}
    gains = {"k_R": k_R, r"k_\Omega": k_rate, r"\varepsilon": attitude.quickness}
    body = {"J": np.diag(attitude.quadrotors.inertia[0]), "R": R, r"\Omega": rate, "M": moments[0]}
    twist = (back.T - back)[[2, 0, 1], [1, 2, 0]] / 2
    return wanted | gains | body | {"e_R": twist, r"e_\Omega": rate - back @ rate_c[0]}


@dataclass(frozen=True)
class Spaces:
    """A product of spaces, by their names."""

    names: tuple

    def __matmul__(self, other):
        return Spaces(self.names + other.names)

    def __pow__(self, n):
        if self.names == ("S",):  # no power: the sphere of this dimension
            return Spaces((f"S^{n}",))
        return Spaces(self.names * n)


def spaces(pair):
    """Return where the vehicles are: half the numbers of ℝ⁶, and no tangents."""
    flat, *curved = pair.space.name.split(" x ")
    places = ("R",) * (int(flat.removeprefix("R^")) // 2)
    return {
        "Q": Spaces(places + tuple(name.removeprefix("T") for name in curved)),
        r"\mathbb R": Spaces(("R",)),
        "S": Spaces(("S",)),
        r"\mathrm{SO}": lambda n: Spaces((f"SO({n})",)),
    }
