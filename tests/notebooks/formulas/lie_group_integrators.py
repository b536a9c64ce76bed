"""Chapter 8."""

import math

import numpy as np
import sympy as sm
from scipy.linalg import expm, expm_frechet
from scipy.optimize import brentq
from scipy.special import bernoulli

from tests.notebooks.arithmetic import hat
from tests.notebooks.formulas import named
from tests.notebooks.formulas.rotations import (
    DIRECTION,
    OTHER,
    TURN,
    Curve,
    dexp,
    in_four,
    in_symbols,
    package_dexp,
    rotation,
)
from tests.notebooks.meanings import Of, case
from tutlib.methods import CF4, EULER, RK4, step
from tutlib.models import rigid_body, spherical_pendulum
from tutlib.spaces import R as flat_space
from tutlib.spaces import Sphere, TangentSphere, coefficients, lie

GROWTH = "omega * sm.sqrt(\n    (J_2 - J_1) * (J_3 - J_2) / (J_1 * J_3)\n)"
SIZE = 0.4


def displayed(nb):
    moved_along = along_a_curve()
    return {
        **dict.fromkeys(("attitude", "hat", "hat-after", "exp", "group"), vectors()),
        ("exp", 0): [{}, {r"\exp": lambda matrix: lie.SO3.exp(lie.vee(matrix))}],
        ("slopes", 0): moved_along
        | {r"\dot\sigma": OTHER, r"\operatorname{dexp}_\sigma": dexp(TURN), "f": turning},
        ("quaternion-rate-words", 0): quaternion_rate(),
        "bracket": two_series(),
        ("bracket", 2): two_turns(),
        ("motion-exp", 0): screw(),
        ("dexp", 0): along_the_way(),
        ("dexp", 1): {
            r"\sigma": hat(TURN),
            r"\dot\sigma": hat(OTHER),
            "[": commutator,
            r"\operatorname{dexp}_\sigma": lambda v: hat(dexp(TURN) @ lie.vee(v)),
            r"\dots": rest_of_dexp(3),
        },
        ("closed", 0): [
            {
                "u": TURN,
                "v": OTHER,
                r"\theta": np.linalg.norm(TURN),
                r"\operatorname{dexp}_u": differential,
                "d": coefficients.inverse_d,
            }
            for differential in (dexp(TURN), package_dexp(TURN))
        ],
        ("free", 0): free_step(),
        ("body", 0): euler_equations(),
        ("closed", 1): {r"\theta": 0.8, "i": sm.I},
        ("precession-rate", 0): precession(),
        ("sphere", 0): swinging(),
        ("rigid", 0): carried_back_by_a_motion(),
    }


def inline(nb):
    swing, box, moved_along = swinging(), euler_in_space(), along_a_curve()
    rest = sum(np.linalg.matrix_power(hat(TURN), k) / math.factorial(k) for k in range(3, 30))
    body = dict(zip((nb.J_1, nb.J_2, nb.J_3, nb.omega), (*nb.J, 1.7)))
    growth = float(nb.said("growth-solution", GROWTH).subs(body))
    moments = {f"J_{i}": float(J) for i, J in enumerate(nb.J, 1)}
    middle = moments["J_2"] - moments["J_1"], moments["J_3"] - moments["J_2"]
    pace = growth / np.sqrt(middle[0] * middle[1] / (moments["J_1"] * moments["J_3"]))
    return {
        r"|q| = 1": {"q": step(turning_field, 0.0, DIRECTION, SIZE, RK4, Sphere)},
        r"\dot q = \omega\times q": swing,
        r"\dot R = R\,\hat\Omega": box,
        r"\Omega = E(\beta, \gamma)\,(\dot\alpha, \dot\beta, \dot\gamma)": rate_by_angles(nb),
        r"\beta = \pm 90°": [
            {r"\beta": brentq(lambda b: det_at(nb, b), *ends), r"\pm": sign}
            for sign, ends in ((1, (1, 2)), (-1, (-2, -1)))
        ],
        r"\hat a\,b = a\times b": [{}, {r"\hat a": lie.hat(OTHER)}],
        r"\hat a^{\mathsf T} = -\hat a": {r"\hat a": lie.hat(OTHER)},
        r"\exp\hat w = 1 + \hat w + \hat w^2/2 + \dots": {r"\dots": rest},
        r"[a, b] = a b - b a": {
            "a": hat(TURN),
            "b": hat(OTHER),
            "[": lambda a, b: hat(np.cross(lie.vee(a), lie.vee(b))),
        },
        r"\dot a = w\times a + v": shifting(),
        r"\theta = |w|": {r"\theta": np.linalg.norm(lie.SO3.log(lie.SO3.exp(TURN)))},
        r"f = \omega": {"f": spherical_pendulum().field(0.0, on_tangent())[:3], **swing},
        r"q\cdot\omega = 0": after_a_step(),
        r"q\cdot\dot\omega = 0": {"q": swing["q"], r"\dot\omega": swing[r"\dot\omega"]},
        r"y_1 = \exp(h f(y_0))\cdot y_0": {
            "y_1": nb.function("lie-euler-code", "lie_euler")(
                turning_field, 0.0, DIRECTION, SIZE, Sphere
            ),
            r"\exp": rotation,
            "h": SIZE,
            "y_0": DIRECTION,
            "f": lambda y: turning_field(0.0, y),
        },
        r"G = e^{s\sigma}": {"G": lie.SO3.exp(0.6 * TURN), "s": 0.6, r"\sigma": hat(TURN)},
        r"D = \dot G\,G^{-1}": along_the_way(),
        r"y(t) = \exp(\sigma(t))\cdot y_0": moved_along
        | {"y": lambda t: Sphere.flow(Curve()(t), DIRECTION), "t": 0.6},
        r"\frac{\mathrm d}{\mathrm dt}\exp\sigma = "
        r"(\operatorname{dexp}_\sigma\dot\sigma)\exp\sigma": in_symbols(),
        r"k_i = h f(Y_i)": stages_of_free_step(),
        r"J_1 < J_2 < J_3": [moments, case(moments, {"J_1": 0.25}, holds=False)],
        r"\Omega_2 = \omega": {r"\Omega_2": pace, r"\omega": 1.7},
        r"s > 0": {"s": growth},
        r"f = (\omega,\; q\times\dot\omega)": swing
        | {"f": spherical_pendulum(l=0.7).field(0.0, on_tangent()).reshape(2, 3).T},
        r"\dot q = f(t, q)\times q": {
            "q": DIRECTION,
            "t": 0.3,
            "f": turning_field,
            r"\dot q": turned_at_once(turning_field(0.3, DIRECTION), DIRECTION),
        },
    }


def terms(nb):
    R, motion = lie.SO3.exp(TURN), np.concatenate([TURN, OTHER])
    dexp = math.expm1(0.7) / 0.7  # of a number, here of 0.7
    # dexp⁻¹ is the sum of B_k / k! adᵏ with Bernoulli's numbers
    powers = [np.linalg.matrix_power(hat(TURN), k) / math.factorial(k) for k in range(40)]
    rest = sum(B * ad @ OTHER for B, ad in list(zip(bernoulli(39), powers))[3:])
    moved = lie.SE3.exp(motion)
    q, omega = on_tangent()[:3], on_tangent()[3:]
    turned = step(lambda t, x: np.cross(omega, x), 0.0, q, SIZE, EULER)
    rates = np.array([0.7, -1.3, 2.1])
    box = rigid_body().field(0.0, np.concatenate([R.ravel(), rates]))
    return {
        r"q + h\,\omega\times q": {"q": q, "h": SIZE, r"\omega": omega, "=": turned},
        r"R^{\mathsf T}R - 1": {"R": hat(TURN), "=": -hat(TURN) @ hat(TURN) - np.eye(3)},
        r"(1 + \hat w/n)^n": {"n": 2, "=": np.eye(3) + hat(TURN) + hat(TURN) @ hat(TURN) / 4},
        r"p - 2": {"p": 3, "=": len((-1 / 2,))},
        r"1 + x/2 + x^2/6 + \dots": {"x": 0.7, r"\dots": dexp - 1.35 - 0.49 / 6, "=": dexp},
        r"(e^x - 1)/x": {"x": 0.7, "=": dexp},
        r"w\times q": {"w": TURN, "q": q, "=": turned_at_once(TURN, q)},
        r"\omega + 7q": {"q": q, r"\omega": omega, "=": omega + 7 * q},
        r"1 + t\hat w": {"t": 0.3, "w": TURN, "=": np.eye(3) + 0.3 * hat(TURN)},
        r"R\Omega\times b_3": {
            "R": R,
            r"\Omega": rates,
            "b_3": R[:, 2],
            "=": turned_at_once(R @ rates, R[:, 2]),
        },
        r"Ab + a": {"A": R, "b": OTHER, "a": TURN, "=": (moving(R, TURN) @ [*OTHER, 1])[:3]},
        r"a\times Aq": {"a": TURN, "A": R, "q": q, "=": hat(TURN) @ R @ q},
        r"AB\omega + A(b\times Bq) + a\times ABq": moved_twice(),
        r"w\times a": bracket_of_motions(slice(3)),
        r"w\times b + v\times a": bracket_of_motions(slice(3, 6)),
        r"x + a": {"x": TURN, "a": OTHER, "=": flat_space(3).flow(OTHER, TURN)},
        r"(Aq,\; A\omega + a\times Aq)": {
            "A": moved[:3, :3],
            "a": moved[:3, 3],
            "q": q,
            r"\omega": omega,
            "=": in_columns(TangentSphere.flow(motion, on_tangent())),
        },
        r"(\mu_1\times q,\;\mu_1\times\omega + \mu_2\times q)": dict(
            zip((r"\mu_1", r"\mu_2", "q", r"\omega"), np.reshape([nb.mu, nb.on_tangent], (4, 3)))
        )
        | {"=": in_columns(nb.generator)},
        r"(R\Omega,\, J^{-1}(J\Omega\times\Omega))": {
            "R": R,
            r"\Omega": rates,
            "J": np.diag(nb.J),
            "=": in_columns(box),
        },
        r"v - \frac12[u, v] + \frac1{12}[u,[u,v]] - \dots": {
            "u": TURN,
            "v": OTHER,
            "[": np.cross,
            r"\dots": -rest,
            "=": lie.SO3.dexp_inverse(TURN, OTHER),
        },
    }


def vectors():
    R, length = lie.SO3.exp(TURN), np.linalg.norm(TURN)
    return {"a": OTHER, "b": TURN, "w": TURN, r"\theta": length, "R": R, "q": DIRECTION}


def along_a_curve():
    return {r"\sigma": Curve(), r"\exp": rotation, "y_0": DIRECTION}


def turned_at_once(omega, q):
    """Return how a direction begins to turn: the slope of SciPy's exponential at zero."""
    return expm_frechet(np.zeros((3, 3)), hat(omega))[1] @ q


def commutator(a, b):
    return a @ b - b @ a


def quaternion_matrix(z):
    """Return the matrix of what a quaternion does to another one from the left."""
    z = np.asarray(z, dtype=float)
    left = z[0] * np.eye(4)
    left[0, 1:], left[1:, 0] = -z[1:], z[1:]
    left[1:, 1:] += hat(z[1:])
    return left


def quaternion_rate():
    """Return how the quaternion of a turning body changes: SciPy's, of a matrix exponential."""
    half = quaternion_matrix([0, *OTHER]) / 2
    z = quaternion_matrix([0.5, -0.5, 0.1, 0.7])
    change = expm_frechet(np.zeros((4, 4)), half)[1]
    return {"z": z, r"\Omega": 2 * half, r"\dot z": z @ change}


def cubic(matrices):
    """Return the terms of third order and more of a product of truncated exponentials."""
    a, b = matrices
    return (a @ b @ b + a @ a @ b) / 2 + a @ a @ b @ b / 4


def two_series():
    a, b = hat(TURN), hat(OTHER)
    return {"a": a, "b": b, r"\dots": cubic((a, b))}


def two_turns():
    a, b = hat(TURN) / 2, hat(OTHER) / 3
    log = lie.SO3.log(expm(a) @ expm(b))
    cross = np.cross(TURN, OTHER) / 6
    rest = hat(log - TURN / 2 - OTHER / 3 - cross / 2)
    return {"a": a, "b": b, "[": commutator, r"\dots": rest, r"\exp": expm}


def rest_of_dexp(first):
    """Return the series of dexp from a term on: adᵏ / (k + 1)! of each."""
    powers = [np.linalg.matrix_power(hat(TURN), k) / math.factorial(k + 1) for k in range(40)]
    return hat(sum(power @ OTHER for power in powers[first:]))


def along_the_way():
    """Return D, the exponential along the way and its rate, as expressions in the place s."""
    s, length = sm.Symbol("s"), np.linalg.norm(TURN)
    W, rate = hat(TURN), hat(OTHER)
    turned = np.eye(3) + sm.sin(s * length) / length * W
    turned = turned + (1 - sm.cos(s * length)) / length**2 * (W @ W)
    ad = (1 - sm.cos(s * length)) / length**2 * hat(TURN)
    ad = ad + (s * length - sm.sin(s * length)) / length**3 * (W @ W)
    D = hat(s * OTHER + ad @ OTHER)
    return {
        r"\sigma": W,
        r"\dot\sigma": rate,
        "s": s,
        "D": D,
        "[": commutator,
        "G": turned,
        r"\dot G": D @ turned,
    }


def screw():
    """Return the shift of a screw after a time of one, by SciPy's exponential."""
    w, v = TURN, OTHER
    terms = [np.linalg.matrix_power(hat(w), k) @ v / math.factorial(k + 1) for k in range(3, 30)]
    shift, length = expm(in_four(w, v))[:3, 3], np.linalg.norm(w)
    return {"a": shift, "w": w, "v": v, r"\theta": length, r"\dots": sum(terms)}


def moving(A, a):
    return np.block([[A, np.reshape(a, (3, 1))], [np.zeros((1, 3)), np.ones((1, 1))]])


def shifting():
    """Return the shift of a screw after some time, and its rate."""
    screw = in_four(TURN, OTHER)
    after = expm(0.6 * screw)
    return {"w": TURN, "v": OTHER, "a": after[:3, 3], r"\dot a": (screw @ after)[:3, 3]}


def bracket_of_motions(part):
    """Return two elements of se(3), and a part of their commutator as matrices."""
    w, v, a, b = TURN, OTHER, np.array([0.4, 1.0, -0.7]), np.array([0.2, 0.6, -0.1])
    both = commutator(in_four(w, v), in_four(a, b))
    found = np.concatenate([lie.vee(both[:3, :3]), both[:3, 3]])[part]
    return {"w": w, "v": v, "a": a, "b": b, "=": found}


def carried_back_by_a_motion():
    """Return both halves of dexp⁻¹ of se(3), by the series of brackets: B_k / k! adᵏ."""
    names = bracket_of_motions(slice(6))
    w, v, a, b = (names[letter] for letter in "wvab")
    ad = np.block([[hat(w), np.zeros((3, 3))], [hat(v), hat(w)]])
    powers = [np.linalg.matrix_power(ad, k) / math.factorial(k) for k in range(40)]
    halves = np.split(sum(B * power @ [*a, *b] for B, power in zip(bernoulli(39), powers)), 2)
    angle = np.linalg.norm(w)
    d, c = coefficients.inverse_d(angle), coefficients.inverse_d_slope(angle)
    letters = {"w": w, "v": v, "a": a, "b": b, "c": c, "d": d}
    return letters | {r"\alpha": halves[0], r"\beta": halves[1]}


def moved_twice():
    A, a, B, b = lie.SO3.exp(TURN), OTHER, lie.SO3.exp(OTHER), TURN
    x = on_tangent()
    both = moving(A, a) @ moving(B, b)
    q = both[:3, :3] @ x[:3]
    second = both[:3, :3] @ x[3:] + np.cross(both[:3, 3], q)
    return {"A": A, "a": a, "B": B, "b": b, "q": x[:3], r"\omega": x[3:], "=": second}


def in_columns(pair):
    return np.reshape(pair, (2, 3)).T


def turning_field(t, y):
    return np.array([np.sin(y[0]), y[1] * y[2] + 0.4, 1 - y[0] ** 2])


def on_tangent():
    return np.concatenate([DIRECTION, np.cross(DIRECTION, OTHER)])


def after_a_step():
    x = step(spherical_pendulum().field, 0.0, on_tangent(), SIZE, RK4, TangentSphere)
    return {"q": x[:3], r"\omega": x[3:]}


def euler_in_space():
    """Return how an attitude changes, by the element that moves it."""
    R, rates = lie.SO3.exp(OTHER), np.array([0.7, -1.3, 2.1])
    spatial = rigid_body().field(0.0, np.concatenate([R.ravel(), rates]))[:3]
    return {"R": R, r"\dot R": hat(spatial) @ R, r"\Omega": rates}


def rate_by_angles(nb):
    rates = sm.symbols("rate_1:4")
    angles = (nb.alpha, nb.beta, nb.gamma)
    W = nb.turn.T * sum((nb.turn.diff(a) * r for a, r in zip(angles, rates)), sm.zeros(3))
    names = dict(zip((r"\dot\alpha", r"\dot\beta", r"\dot\gamma"), rates))
    own = {r"\Omega": [W[2, 1], W[0, 2], W[1, 0]], "E": Of(nb.E, nb.beta, nb.gamma)}
    return named(nb, r"\beta \gamma") | names | own


def det_at(nb, beta):
    return float(nb.E.subs(nb.beta, beta).subs(nb.gamma, 0.3).det())


def stages_of_free_step():
    step_of = free_step()
    ks = [lie.vee(step_of[f"k_{i}"]) for i in (2, 3, 4)]
    return [
        {"k_i": k, "h": SIZE, "Y_i": step_of[f"Y_{i}"], "f": lambda y: turning_field(0, y)}
        for i, k in zip((2, 3, 4), ks)
    ]


def turning(y):
    """Return the angular velocity with which the curve moves, where it moves y."""
    if not np.allclose(y, rotation(TURN) @ DIRECTION):
        raise ValueError("the curve does not pass here")
    return dexp(TURN) @ OTHER


def free_step():
    """Return what a step of CF4 asks for, and where it ends."""
    stages, slopes = [], []

    def watched(t, y):
        stages.append(np.array(y))
        slopes.append(turning_field(t, y))
        return slopes[-1]

    y_1 = step(watched, 0.3, DIRECTION, SIZE, CF4, Sphere)
    k = [SIZE * slope for slope in slopes]
    half = lie.SO3.exp(sum(w * slope for w, slope in zip(CF4.flows[-1][0], k))) @ DIRECTION
    inside = {f"Y_{i}": stages[i - 1] for i in (2, 3, 4)}
    slopes_of_it = {f"k_{i + 1}": hat(slope) for i, slope in enumerate(k)}
    return inside | slopes_of_it | {"y_0": DIRECTION, "y_{1/2}": half, "y_1": y_1}


def euler_equations():
    moments, rates = [0.1, 0.2, 0.3], [0.7, -1.3, 2.1]
    change = rigid_body(moments).field(0.0, np.concatenate([np.eye(3).ravel(), rates]))[3:]
    letters = (("J", moments), (r"\Omega", rates), (r"\dot\Omega", change))
    return {f"{name}_{i}": values[i - 1] for name, values in letters for i in (1, 2, 3)}


def precession():
    """Return how fast the third axis goes around the momentum, by its own velocity."""
    names = euler_equations()
    moments = np.array([names[f"J_{i}"] for i in (1, 2, 3)])
    rates = np.array([names[rf"\Omega_{i}"] for i in (1, 2, 3)])
    axis, momentum = np.array([0.0, 0, 1]), moments * rates
    along = momentum / np.linalg.norm(momentum)
    around = np.cross(axis, np.cross(rates, axis)) @ along / (1 - (axis @ along) ** 2)
    return names | {"J": np.diag(moments), r"\Omega": rates, r"\dot\psi": around}


def swinging():
    """Return how a spherical pendulum moves: by the generator of its element of se(3)."""
    q, omega, l = DIRECTION, np.cross(DIRECTION, OTHER), 0.7
    mu = spherical_pendulum(l=l).field(0.0, np.concatenate([q, omega]))
    slopes = np.cross(mu[:3], q), np.cross(mu[:3], omega) + np.cross(mu[3:], q)
    moving = {"q": q, r"\omega": omega, r"\dot q": slopes[0], r"\dot\omega": slopes[1]}
    return moving | {"g": 9.81, "l": l, "e_3": np.array([0.0, 0, 1])}
