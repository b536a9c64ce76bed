"""Two point masses on massless rods: hanging or balanced upright; and a two-link arm with servos.

Chapter 2 covers the rods and the arm, chapter 7 the controller that balances them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy as sm

from tutlib.models.chain import chain
from tutlib.models.model import Model
from tutlib.models.skeleton import Center
from tutlib.models.symbol_meanings import numbered

#: Gains of the balancing controller: for both angles, then for both angular velocities.
GAINS = (-2.40145317639, -144.687377757, -25.4947369323, -42.9467239012)


def double_pendulum() -> Model:
    """Return two point masses on massless rods, the second rod hung from the first mass.

    The coordinates are the angles ``theta_1, theta_2`` [rad] of the rods, counterclockwise from
    hanging straight down. The parameters are ``m_1 = m_2`` = 1 kg, ``l_1 = l_2`` = 1 m, and
    ``g`` = 9.81 m/s²; the inputs are those of a `chain`.

    Returns
    -------
    Model
    """
    rods = chain(2)
    at_the_ends = {
        symbol: sm.S.One if str(symbol).startswith("d_") else sm.S.Zero
        for symbol in rods.parameters
        if str(symbol).startswith(("d_", "In_"))
    }
    eom, drawn = rods.equations, rods.skeleton
    marks = [mark for mark in drawn.marks if not isinstance(mark, Center)]
    masses = [mark.symbol for mark in drawn.marks if isinstance(mark, Center)]
    return replace(
        rods,
        name="double pendulum",
        equations=replace(
            eom,
            mass_matrix=eom.mass_matrix.xreplace(at_the_ends).applyfunc(sm.factor),
            forcing=eom.forcing.xreplace(at_the_ends),
        ),
        kinetic_energy=rods.kinetic_energy.xreplace(at_the_ends),
        potential_energy=rods.potential_energy.xreplace(at_the_ends),
        skeleton=replace(drawn, masses=tuple(masses), marks=tuple(marks)),
        parameters={s: value for s, value in rods.parameters.items() if s not in at_the_ends},
        names=_names(rods.names),
        bodies=tuple(body.with_known(at_the_ends) for body in rods.bodies),
    )


def _names(of_links: Mapping[str, str]) -> dict[str, str]:
    """Return the meanings of the symbols: a rod for each link, with its mass at its end."""
    names = {symbol: meaning.replace("link", "rod") for symbol, meaning in of_links.items()}
    return names | {f"m_{i}": numbered(i, "mass").removeprefix("the ") for i in (1, 2)}


def pendubot() -> Model:
    """Return a `double_pendulum` that stands on the ground, with a motor at its lower hinge only.

    The input is the torque ``tau_1`` [N·m] of the motor on the lower rod.

    Returns
    -------
    Model
    """
    mechanism = double_pendulum().standing().with_inputs({"F_x": 0, "F_y": 0, "tau_2": 0})
    return replace(mechanism, name="pendubot")


def balanced_pendubot() -> Model:
    """Return the `pendubot` with a control law that balances it upright.

    The torque is τ₁ = −k·(x − x*) with x* = [π, π, 0, 0], limited to ±``tau_max`` = 60 N·m. The
    gains ``k_1, ..., k_4`` [N·m/rad, N·m·s/rad] are those of the linear-quadratic regulator with
    weights 1 for the square of each angle [rad], 0.1 for that of each angular velocity [rad/s], and
    0.01 for that of the torque [N·m]: chapter 7 derives them. The single motor makes both rods
    controllable. The pendubot has fallen if a rod points below the horizontal.

    Returns
    -------
    Model

    References
    ----------
    :cite:p:`AstromMurray2021`, chapter 7.
    """
    rods, gains = pendubot(), sm.symbols("k_1:5")
    most, states = sm.Symbol("tau_max", positive=True), rods.equations.states
    wanted = -sum(k * (x - top) for k, x, top in zip(gains, states, (sm.pi, sm.pi, 0, 0)))
    closed = rods.with_inputs(
        {"tau_1": sm.Max(-most, sm.Min(most, wanted))},
        parameters={most: 60.0, **dict(zip(gains, GAINS))},
    )
    upright = sm.Min(*(-sm.cos(angle) for angle in rods.equations.q))
    return replace(closed.with_names({"tau_max": "largest motor torque"}), upright=upright)


def servo_arm() -> Model:
    """Return a two-link arm with a PD servo at each joint, in relative angles.

    The links are those of a `chain`. Set points ``goal_1, goal_2`` [rad] and gains ``k_p`` = 200
    N·m/rad and ``k_d`` = 12 N·m·s/rad are parameters: τ_i = k_p (goal_i − θ_i) − k_d θ̇_i.

    Returns
    -------
    Model
    """
    arm = chain(2, "relative")
    k_p, k_d, *goals = sm.symbols("k_p k_d goal_1 goal_2", real=True)
    torques = {
        f"tau_{i + 1}": k_p * (goal - angle) - k_d * angle.diff()
        for i, (goal, angle) in enumerate(zip(goals, arm.equations.q))
    }
    values = {k_p: 200.0, k_d: 12.0, goals[0]: 0.0, goals[1]: 0.0}
    closed = arm.with_inputs({"F_x": 0, "F_y": 0, **torques}, parameters=values)
    names = {"k_p": "stiffness of the servos", "k_d": "damping of the servos"}
    names |= {f"goal_{i}": f"goal of {numbered(i, 'joint')}" for i in (1, 2)}
    units = {"k_p": "N·m/rad", "k_d": "N·m·s/rad", "goal_1": "rad", "goal_2": "rad"}
    return replace(closed.with_names(names), name="servo arm", units={**arm.units, **units})
