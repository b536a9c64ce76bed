"""Chapter 3."""

from itertools import pairwise, product

import numpy as np
import sympy as sm

from tests.notebooks.formulas import indexed
from tests.notebooks.meanings import case
from tutlib.models import chain


def shared(nb):
    return {"P": nb.P}


def displayed(nb):
    absolute, relative = chain(3).equations, chain(3, "relative").equations
    summed = {
        old: new
        for letters in (absolute.q, absolute.u)
        for old, new in zip(letters, nb.P * sm.Matrix(list(letters)))
    }
    centers, links = [center(i) for i in range(3)], [link(0), link(1)]
    return {
        ("rates-words", 0): {
            r"M_\text{rel}": relative.mass_matrix,
            r"M_\text{abs}": absolute.mass_matrix.xreplace(summed),
            r"F_\text{rel}": relative.forcing,
            r"F_\text{abs}": absolute.forcing.xreplace(summed),
        },
        **dict.fromkeys((("any-length", 0), ("velocity-words", 0)), centers),
        ("energy-words", 0): energy(),
        ("closed-mass-matrix", 0): [entry(j, k) for j, k in product(range(3), repeat=2)],
        ("sine-words", 0): centers,
        ("sine-words", 1): [row(j) for j in range(3)],
        "one-link-words": last_link(),
        **dict.fromkeys(("two-links-words", "any-link-words"), links),
    }


def apart(j, k):
    """Return two angles, and their difference by what it does to the equations."""
    links, angles = chain(3), [0.3, -0.4, 0.9]
    eom = links.equations
    known = dict(zip(eom.q, angles)) | links.parameters
    sine = -eom.forcing[j].diff(eom.u[k], 2).subs(known) / 2
    return {
        r"\Delta_{jk}": float(sm.atan2(sine, eom.mass_matrix[j, k].subs(known))),
        r"\theta_j": angles[j],
        r"\theta_k": angles[k],
    }


def bent(nb, angle):
    """Ask whether the stop lets a joint be bent so."""
    known = {nb.theta_1: 0.2, nb.theta_2: 0.2 + angle, nb.beta: 0.5, nb.k: 3.0}
    energy = nb.said("stop-solution", "k / 2 * sm.Max(0, theta_2 - theta_1 - beta) ** 2")
    return case({r"\theta_2": angle, r"\beta": 0.5}, holds=energy.subs(known) == 0)


def parameters_of(links):
    """Return m, l, d and I of three links, and their arms."""
    of = {str(symbol): symbol for symbol in links.parameters}
    m, l, d, inertia = ([of[f"{name}_{i}"] for i in (1, 2, 3)] for name in ("m", "l", "d", "In"))
    arm = [[l[j] if j < i else d[i] * l[i] if j == i else 0 for j in range(3)] for i in range(3)]
    return m, l, d, inertia, arm


def center(i):
    """Return the center of a link by the points that the sketch draws, and its parts."""
    links = chain(3)
    _, _, d, _, arm = parameters_of(links)
    start, end = (sm.Matrix(point) for point in links.skeleton.points[i : i + 2])
    return {
        r"\boldsymbol r_i": start + d[i] * (end - start),
        "i": i,
        **indexed({"a_{ij}": arm, "a_{ik}": arm}),
        **unit_vectors(links),
        **{rf"\sum_{index}": (0, 1, 2) for index in "jk"},
    }


def unit_vectors(links):
    """Return angles, and how the end of each link moves by its own."""
    points = [sm.Matrix(point) for point in links.skeleton.points]
    l, angle = parameters_of(links)[1], links.equations.q
    across = [(end - start).diff(a) / s for a, s, (start, end) in zip(angle, l, pairwise(points))]
    turned = [vector.diff(a) for vector, a in zip(across, angle)]
    vectors = {"e_j": across, "e_k": across, "n_k": turned}
    bold = {rf"\boldsymbol {name}": values for name, values in vectors.items()}
    apart = [[one - other for other in angle] for one in angle]
    return indexed(bold | {r"\theta_j": angle, r"\theta_k": angle, r"\Delta_{jk}": apart})


def energy():
    """Return the kinetic energy of three links, and what the sums add."""
    links = chain(3)
    m, _, _, inertia, arm = parameters_of(links)
    return {
        "T": links.kinetic_energy,
        **indexed({"m_i": m, "I_j": inertia, "a_{ij}": arm, "a_{ik}": arm}),
        **unit_vectors(links),
        **{rf"\sum_{index}": (0, 1, 2) for index in "ijk"},
    }


def pair(j, k):
    """Return the unit vectors of two links."""
    known = {"j": j, "k": k}
    return {
        name: meaning.function(*(known[index] for index in meaning.indices))
        for name, meaning in unit_vectors(chain(3)).items()
    }


SIZES = {"m": [0.7, 1.3, 0.9], "l": [1.1, 0.8, 1.4], "d": [0.4, 0.6, 0.3], "In": [0.05, 0.09, 0.2]}
PLACES, RATES, TORQUES = np.array([[0.5, -0.9, 1.3], [0.7, -1.1, 1.6], [0.4, -0.8, 1.9]])
WEIGHT = np.array([0, -9.81])


def links_from(i, a=(0.0, 0.0), more=0.0):
    """Return how the links from i on turn if their joint moves so, and what force that takes.

    By their mass matrix: more is added to the torque in the joint.
    """
    m, l, d, inertia = (np.array(SIZES[name][i:]) for name in ("m", "l", "d", "In"))
    angle, rate, torque = PLACES[i:], RATES[i:], np.append(TORQUES[i:], 0)
    arm = np.tril(np.tile(l, (len(l), 1)), -1) + np.diag(d * l)
    e, n = np.array([np.cos(angle), np.sin(angle)]).T, np.array([-np.sin(angle), np.cos(angle)]).T
    forcing = torque[:-1] - torque[1:] + np.eye(len(l))[0] * more
    pulls = arm @ (n * rate[:, None] ** 2) + a - WEIGHT
    ways = np.einsum("ij,jx->ijx", arm, e)  # of center i by angle j
    forcing -= np.einsum("i,ijx,ix->j", m, ways, pulls)
    M = np.einsum("i,ijx,ikx->jk", m, ways, ways) + np.diag(inertia)
    alpha = np.linalg.solve(M, forcing)
    return alpha, m @ (pulls + arm @ (e * alpha[:, None]))


def of_link(i):
    """Return all that belongs to a link, by what it does when its joint is moved or turned."""
    (free, *_), rest = links_from(i)
    D = 1 / (links_from(i, more=1.0)[0][0] - free)
    moved = [links_from(i, a) for a in np.eye(2)]
    angle, s = PLACES[i], SIZES["d"][i] * SIZES["l"][i]
    alpha = links_from(0)[0]
    joint = np.zeros(2)
    for k in range(i):
        joint = joint + end_of(k, alpha[k])
    sizes = dict(zip("mldI", (SIZES[name][i] for name in ("m", "l", "d", "In"))))
    turning = {r"\theta": angle, r"\omega": RATES[i], r"\tau": TORQUES[i], r"\alpha": alpha[i]}
    e, n = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    vectors = {"a": joint, "e": e, "n": n, "f": links_from(i, joint)[1], "b": rest}
    vectors["v"] = D * np.array([free - turned[0] for turned, _ in moved])
    matrix = np.array([force - rest for _, force in moved]).T
    bold = {rf"\boldsymbol {name}": vector for name, vector in vectors.items()}
    return sizes | turning | bold | {"s": s, "D": D, r"\gamma": D * free, "A": matrix}


def end_of(k, alpha):
    """Return the acceleration of a link's end against its joint."""
    c, s = np.cos(PLACES[k]), np.sin(PLACES[k])
    return SIZES["l"][k] * (alpha * np.array([c, s]) + RATES[k] ** 2 * np.array([-s, c]))


def last_link():
    return {**of_link(2), r"\boldsymbol g": WEIGHT, "g": 9.81}


def link(i):
    """Return the names of link i, and of the one beyond."""
    own, beyond = of_link(i), of_link(i + 1)
    return {
        **{f"{name}_i": value for name, value in own.items()},
        **{f"{name}_{{i+1}}": value for name, value in beyond.items()},
        r"\boldsymbol g": WEIGHT,
        "g": 9.81,
    }


def row(j):
    """Return one row of the equations of three links, without motors, in a certain pose."""
    links = chain(3).free()
    values = {f"{name}_{i}": v for name, every in SIZES.items() for i, v in enumerate(every, 1)}
    links = links.with_parameters(values)
    alpha = links.compile()(0.0, np.concatenate([PLACES, RATES]))[3:]
    m, l, d, inertia = (SIZES[name] for name in ("m", "l", "d", "In"))
    arm = np.tril([l] * 3, -1) + np.diag(np.multiply(d, l))
    shared, weighed = arm.T @ np.diag(m) @ arm, np.array(m) @ arm
    own = {"w_j": weighed[j], "I_j": inertia[j], r"\theta_j": PLACES[j], r"\ddot\theta_j": alpha[j]}
    apart = PLACES[:, None] - PLACES
    of_others = {"S_{jk}": shared, r"\Delta_{jk}": apart, "m_i": m, "a_{ij}": arm}
    of_others |= {r"\dot\theta_k": RATES, r"\ddot\theta_k": alpha}
    sums = dict.fromkeys((r"\sum_i", r"\sum_k"), (0, 1, 2))
    return own | indexed(of_others) | sums | {"g": 9.81, "j": j}


def entry(j, k):
    """Return the meanings of one entry of the mass matrix of three links."""
    links = chain(3)
    m, _, _, inertia, arm = parameters_of(links)
    eom = links.equations
    lever = eom.forcing[j].diff(eom.u[k], 2) / 2 if j != k else eom.mass_matrix[j, j] - inertia[j]
    shared = -lever / sm.sin(eom.q[j] - eom.q[k]) if j != k else lever
    of_both = {"M_{jk}": eom.mass_matrix[j, k], "S_{jk}": shared, r"\delta_{jk}": int(j == k)}
    sums = indexed({"a_{ij}": arm, "a_{ik}": arm, "m_i": m}) | {r"\sum_i": (0, 1, 2)}
    both = {r"\Delta_{jk}": eom.q[j] - eom.q[k], "I_j": inertia[j], "j": j, "k": k}
    return of_both | sums | both
