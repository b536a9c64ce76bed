"""The same chain in MuJoCo and in Pinocchio, where they are installed: pip install mujoco pin.

MuJoCo takes whole Runge-Kutta steps in its own loop. Pinocchio evaluates its articulated-body
algorithm; four of them and nothing else are counted as a step.
"""

import numpy as np

from benchmarks.measure import best_times
from tutlib import compiled
from tutlib.integrate import coefficients
from tutlib.models import chain, chain_recursion
from tutlib.right_hand_side import RightHandSide
from tutlib.tableaus import RK4

H = 1e-3
#: Up to here the equations' own mass matrix is cheaper than the recursion.
DENSE = 4


def right_hand_side(n: int) -> RightHandSide:
    """Return the chain as one would choose it for its length."""
    return chain(n, "relative").free().compile() if n <= DENSE else chain_recursion(n, "relative")


def own_step(n: int, steps: int = 5000) -> tuple[np.ndarray, float]:
    """Return the state after 500 steps, and the time of a step [µs]."""
    f = right_hand_side(n)
    c, A, b = coefficients(RK4)
    t, X = H * np.arange(steps + 1), np.zeros((steps + 1, 2 * n))
    X[0, :n] = 0.05

    def run() -> None:
        compiled.run_tableau(f.kernel, f.parameter_values, t, X, n, A, b, c)

    run()
    (time,) = best_times(run, rounds=3)
    return X[500], time / steps * 1e6


def mujoco_step(n: int, steps: int = 5000) -> tuple[np.ndarray, float] | None:
    """Return the same of MuJoCo, or None where it is not installed."""
    try:
        import mujoco
        from mujoco import rollout
    except ImportError:
        return None
    links = "".join(
        f'<body pos="0 {-(i > 0)} 0"><joint type="hinge" axis="0 0 1"/>'
        '<inertial pos="0 -0.5 0" mass="1" diaginertia="0.08 0.08 0.08"/>'
        for i in range(n)
    )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 -9.81 0" timestep="{H}" integrator="RK4">'
        '<flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{links}{'</body>' * n}</worldbody></mujoco>"
    )
    data, everything = mujoco.MjData(model), mujoco.mjtState.mjSTATE_FULLPHYSICS
    data.qpos[:] = 0.05
    start = np.zeros((1, mujoco.mj_stateSize(model, everything)))
    mujoco.mj_getState(model, data, start[0], everything)
    states, _ = rollout.rollout(model, data, start, nstep=500)
    (time,) = best_times(lambda: rollout.rollout(model, data, start, nstep=steps), rounds=3)
    return states[0, -1, 1 : 1 + 2 * n], time / steps * 1e6


def pinocchio_step(n: int, calls: int = 20_000) -> tuple[float, float] | None:
    """Return the largest difference of accelerations from ours, and the time of a step [µs]."""
    try:
        import pinocchio
    except ImportError:
        return None
    model, joint = pinocchio.Model(), 0
    model.gravity.linear = np.array([0.0, -9.81, 0.0])
    inertia = pinocchio.Inertia(1.0, np.array([0.0, -0.5, 0.0]), 0.08 * np.eye(3))
    for i in range(n):
        place = pinocchio.SE3(np.eye(3), np.array([0.0, -1.0 * (i > 0), 0.0]))
        joint = model.addJoint(joint, pinocchio.JointModelRZ(), place, f"joint {i}")
        model.appendBodyToJoint(joint, inertia, pinocchio.SE3.Identity())
    data, q, v, torque = model.createData(), np.full(n, 0.05), np.full(n, 0.3), np.zeros(n)
    theirs = pinocchio.aba(model, data, q, v, torque)
    ours = right_hand_side(n)(0.0, np.concatenate([q, v]))[n:]

    def run() -> None:
        for _ in range(calls):
            pinocchio.aba(model, data, q, v, torque)

    (time,) = best_times(run, rounds=3)
    return float(np.abs(theirs - ours).max()), 4 * time / calls * 1e6


def rows() -> list[tuple[str, str, str]]:
    """Return the rows of the table; a peer that is not installed is said to be so."""
    table = []
    for n in (1, 2, 4, 8, 16, 32, 64):
        state, own = own_step(n)
        if (found := mujoco_step(n)) is None:
            table.append((f"chain of {n}: an RK4 step, against MuJoCo", "not installed", ""))
        else:
            away = np.abs(found[0] - state).max()
            assert away < 1e-9, f"the motions differ by {away}"
            ratio = f"{found[1] / own:.1f} times as fast"
            measured = f"{own:.2f} and {found[1]:.2f} µs; states agree to {away:.0e}"
            table.append((f"chain of {n}: an RK4 step, against MuJoCo", ratio, measured))
        if (pair := pinocchio_step(n)) is None:
            table.append((f"chain of {n}: against Pinocchio's recursion", "not installed", ""))
        else:
            assert pair[0] < 1e-9, f"the accelerations differ by {pair[0]}"
            ratio = f"{pair[1] / own:.1f} times as fast"
            measured = f"{own:.2f} and {pair[1]:.2f} µs for four, called from Python"
            table.append((f"chain of {n}: against Pinocchio's recursion", ratio, measured))
    return table
