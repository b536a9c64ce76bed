"""The same chain in MuJoCo and in Pinocchio, where they are installed: pip install mujoco pin jax.

Each takes whole Runge-Kutta steps in its own loop, without Python. Pinocchio is also called from
Python: four evaluations of its articulated-body algorithm are counted as a step.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.measure import best_times
from tutlib import Field, integrate
from tutlib.models import chain, chain_recursion

H = 1e-3
#: Up to here the equations' own mass matrix is cheaper than the recursion.
DENSE = 3


def right_hand_side(n: int) -> Field:
    """Return the chain as one would choose it for its length."""
    return chain(n).free().compile() if n <= DENSE else chain_recursion(n)


def own_step(n: int, steps: int = 20_000) -> tuple[np.ndarray, float]:
    """Return the joint angles after 500 steps, and the time of a step [µs]."""
    f, t = right_hand_side(n), H * np.arange(steps + 1)
    start = np.zeros(2 * n)
    start[:n] = 0.05 * np.arange(1, n + 1)  # links' own angles: 0.05 rad at each joint
    X = integrate(f, t, start).x
    (time,) = best_times(lambda: integrate(f, t, start), rounds=20)
    return np.diff(X[500, :n], prepend=0.0), time / steps * 1e6


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
    (time,) = best_times(lambda: rollout.rollout(model, data, start, nstep=steps), rounds=10)
    return states[0, -1, 1 : 1 + n], time / steps * 1e6


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
    ours = np.diff(right_hand_side(n)(0.0, np.cumsum([q, v], axis=1).ravel())[n:], prepend=0.0)

    def run() -> None:
        for _ in range(calls):
            pinocchio.aba(model, data, q, v, torque)

    (time,) = best_times(run, rounds=3)
    return float(np.abs(theirs - ours).max()), 4 * time / calls * 1e6


def pinocchio_steps(lengths: tuple[int, ...]) -> dict[int, tuple[np.ndarray, float]]:
    """Return angles after 500 steps and the time of a step [µs] in C++, by the number of links.

    It needs Pinocchio's headers, which come with it, and a C++ compiler and Eigen, which do not;
    where one is missing, the result is empty.
    """
    try:
        import pinocchio
    except ImportError:
        return {}
    base = next(p for p in Path(pinocchio.__file__).parents if (p / "include/pinocchio").is_dir())
    includes = [f"-I{base / 'include'}", "-I/usr/include/eigen3", "-I/usr/local/include/eigen3"]
    limits = ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]
    options = ["-O3", "-DNDEBUG", "-march=native", "-std=c++17", *limits, *includes]
    source = Path(__file__).with_name("pinocchio.cpp")
    with tempfile.TemporaryDirectory() as folder:
        program, library = str(Path(folder) / "steps"), str(base / "lib")
        link = [f"-L{library}", "-lpinocchio_default", f"-Wl,-rpath,{library}"]
        command = ["g++", *options, str(source), "-o", program, *link]
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return {}
        printed = subprocess.check_output([program, *map(str, lengths)], text=True)
    lines = [line.split() for line in printed.splitlines()]
    return {int(n): (np.array(angles, float), float(time)) for n, time, *angles in lines}


LENGTHS = (1, 2, 4, 8, 16, 32, 64)


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield the rows about other programs; one that is not installed is said to be so."""
    in_cpp = pinocchio_steps(LENGTHS)
    for n in LENGTHS:
        angles, our_time = own_step(n)
        peers = {
            "MuJoCo": mujoco_step(n),
            "Pinocchio, in C++": in_cpp.get(n),
        }
        for name, peer in peers.items():
            what = f"chain of {n}: an RK4 step, against {name}"
            if peer is None:
                yield what, "not installed", ""
                continue
            away = np.abs(peer[0] - angles).max()
            assert away < 1e-9, f"the motions differ by {away}"
            ratio = f"{peer[1] / our_time:.1f} times as fast"
            measured = f"{our_time:.2f} and {peer[1]:.2f} µs; angles agree to {away:.0e}"
            yield what, ratio, measured
        if (pair := pinocchio_step(n)) is not None:
            assert pair[0] < 1e-9, f"the accelerations differ by {pair[0]}"
            ratio = f"{pair[1] / our_time:.1f} times as fast"
            measured = f"{our_time:.2f} and {pair[1]:.2f} µs for four accelerations"
            yield f"chain of {n}: against Pinocchio, from Python", ratio, measured
        if called := [peer[1] for peer in (peers["MuJoCo"], pair) if peer is not None]:
            ratio, measured = f"{min(called) / our_time:.1f} times as fast", f"{our_time:.2f} µs"
            yield f"chain of {n}: against the faster one from Python", ratio, measured
