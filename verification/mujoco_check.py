"""Comparison with MuJoCo, an independent multibody program, where it is installed.

MuJoCo gets the bodies, their joints, and the accelerations that the equations claim, and returns
the forces that this motion requires. ``pip install mujoco`` adds this rung to the ladder.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from straightline.aliases import Array
from tutlib.reading.names import label_of, listed
from verification.differentiation import NoNumberError
from verification.forcing import rows_are_scaled
from verification.gravity import find_gravity, upward
from verification.joints import Mounting, coordinate_motions, possible_mountings
from verification.newton import MovingBodies, force_scale, forces_without_weight, moving_bodies
from verification.results import Rung
from verification.sentences import (
    TOLERANCE,
    capitalized,
    curves_between_states,
    distinct_texts,
    state_text,
)
from verification.subject import Subject

_NAME = "MuJoCo"
#: The smallest mass or moment of inertia that MuJoCo accepts; it rejects zero.
_SMALLEST = 2e-15
_OPEN = '<mujoco><option gravity="{}"/><compiler angle="radian"/><worldbody>'


class UnsupportedBodyError(ValueError):
    """Raised where MuJoCo rejects a body or cannot reproduce its motion."""


def mujoco(subject: Subject) -> Rung:
    """Compare M and the forces of the claimed motion with MuJoCo's.

    References
    ----------
    :cite:p:`TodorovErezTassa2012`.
    """
    if not subject.bodies:
        return Rung(_NAME, None, "No bodies are known that could be handed over.")
    if subject.potential_has_speeds:
        return Rung(_NAME, None, "It knows no potential energy with speeds.")
    try:
        program = importlib.import_module("mujoco")
    except ImportError as error:
        return Rung(_NAME, None, _import_problem(error))
    try:
        for x in subject.states:
            if failed := _compare(program, subject, x):
                return failed
        joints = _joints_text(_machine_in_mujoco(program, subject, subject.states[0]).tree)
    except (NoNumberError, UnsupportedBodyError) as error:
        return Rung(_NAME, None, f"{capitalized(str(error))}.")
    return Rung(
        _NAME,
        True,
        f"MuJoCo has the same M for these bodies, {joints}, and says that their motion takes the "
        f"same forces, in {len(subject.states)} states.",
    )


def _import_problem(error: ImportError) -> str:
    """Return whether MuJoCo is missing or fails to import."""
    if isinstance(error, ModuleNotFoundError) and error.name == "mujoco":
        return "It is not installed: pip install mujoco, and it is asked, too."
    return f"It is installed, and cannot be imported: {error}."


@dataclass(frozen=True, eq=False)
class MuJoCoMachine:
    """A machine in MuJoCo, in the pose and with the speeds of one state.

    Parameters
    ----------
    tree : tuple of Mounting
        The parent and joints of each body.
    program : module
    model, data : MjModel and MjData
    moving : MovingBodies
        The motion of the bodies that the equations claim.
    scale : float
        The factor by which masses, and therefore forces, are multiplied.
    """

    tree: tuple[Mounting, ...]
    program: Any
    model: Any
    data: Any
    moving: MovingBodies
    scale: float

    def jacobian(self, function: str = "mj_jac") -> Array:
        """Return the bodies' twists per joint speed, shape (b, 6, joints), or their rates."""
        evaluate, blocks = getattr(self.program, function), []
        for b, center in enumerate(self.moving.centers[: len(self.tree)]):
            block = np.zeros((2, 3, self.model.nv))
            body = self.model.body(f"body {b}").id
            evaluate(self.model, self.data, *block, center[:, None], body)
            blocks.append(block.reshape(6, -1))
        return np.array(blocks)

    def forces(self, accelerations: Array) -> Array:
        """Return the joint forces that given joint accelerations require."""
        self.data.qacc = accelerations
        self.program.mj_inverse(self.model, self.data)
        return np.array(self.data.qfrc_inverse) / self.scale


def _machine_in_mujoco(program: ModuleType, subject: Subject, x: Array) -> MuJoCoMachine:
    """Return the machine in MuJoCo, each body on the first joints that reproduce its motion."""
    moving = moving_bodies(subject, x, subject.accelerations(x)[: len(subject.equations.u)])
    motions, rigid = coordinate_motions(subject, x), [bool(any(m)) for m in moving.moments]
    tree: tuple[Mounting, ...] = ()
    for c in range(len(rigid)):
        for mounting in possible_mountings(motions, rigid, c):
            candidate = _with_mountings(program, subject, moving, (*tree, mounting))
            if _reproduces_motion(candidate, rigid):
                break
        tree = candidate.tree
    return candidate


def _with_mountings(
    program: ModuleType, subject: Subject, moving: MovingBodies, tree: tuple[Mounting, ...]
) -> MuJoCoMachine:
    """Return a MuJoCo model of the bodies with given mountings."""
    reach = np.abs(moving.centers).max() or 1.0
    scale = 1.0 / float(min(moving.masses[moving.masses > 0], default=1.0) * reach**2)
    upward_axis = np.eye(3)[upward(subject)]
    gravity = find_gravity(subject).acceleration
    text = _OPEN.format(_numbers_text(-gravity * upward_axis)) + _body_elements(
        program, moving, tree, -1, scale
    )
    try:
        model = program.MjModel.from_xml_string(f"{text}</worldbody></mujoco>")
    except ValueError as error:
        raise UnsupportedBodyError(f"MuJoCo takes no such body: {error}") from error
    data = program.MjData(model)
    program.mj_kinematics(model, data)
    program.mj_comPos(model, data)
    return MuJoCoMachine(tree, program, model, data, moving, scale)


def _body_elements(
    program: ModuleType, moving: MovingBodies, tree: tuple[Mounting, ...], parent: int, scale: float
) -> str:
    """Return the XML of the bodies on one parent, recursively; all axes are the world's."""
    elements = []
    for b, mounting in enumerate(tree):
        if mounting.parent != parent:
            continue
        center, moments = moving.centers[b], moving.moments[b] * scale
        if not moments[:2].any():
            # only the last moment matters in the plane, but MuJoCo needs all three
            moments = np.full(3, moments[2])
        quaternion = np.zeros(4)
        program.mju_mat2Quat(quaternion, np.ascontiguousarray(moving.axes[b]).ravel())
        joints = "".join(
            f'<joint type="{joint.kind}" axis="{_numbers_text(joint.axis)}" '
            f'pos="{_numbers_text(joint.anchor - center)}"/>'
            for joint in mounting.joints
        )
        offset = center - moving.centers[parent] if parent >= 0 else center
        elements.append(
            f'<body name="body {b}" pos="{_numbers_text(offset)}">{joints}'
            f'<inertial pos="0 0 0" quat="{_numbers_text(quaternion)}" '
            f'mass="{_numbers_text([max(moving.masses[b] * scale, _SMALLEST)])}" '
            f'diaginertia="{_numbers_text(np.maximum(moments, _SMALLEST))}"/>'
            f"{_body_elements(program, moving, tree, b, scale)}</body>"
        )
    return "".join(elements)


def _numbers_text(numbers: Iterable[float]) -> str:
    """Return numbers as text for XML."""
    return " ".join(repr(float(number)) for number in numbers)


def _reproduces_motion(machine: MuJoCoMachine, rigid: list[bool]) -> bool:
    """Whether the joints can reproduce the motion of the last body, to second order."""
    try:
        _joint_motion(machine, rigid)
    except UnsupportedBodyError:
        return False
    return True


def _joint_motion(machine: MuJoCoMachine, rigid: list[bool]) -> tuple[Array, Array]:
    """Return joint speeds per speed of the machine, shape (joints, k), and joint accelerations."""
    count = len(machine.tree)
    rows = np.array([[True] * 3 + [is_rigid] * 3 for is_rigid in rigid[:count]]).ravel()

    def solve(J: Array, motion: Array) -> Array:
        motion = motion.reshape(-1, 6 * count).T[rows]
        solution = np.linalg.lstsq(J, motion, rcond=1e-10)[0]
        if np.abs(J @ solution - motion).max() > TOLERANCE * max(
            np.abs(motion).max(), np.abs(J).max()
        ):
            raise UnsupportedBodyError("its joints cannot move the bodies so")
        return np.asarray(solution)

    J = machine.jacobian().reshape(6 * count, -1)[rows]
    joint_speeds = solve(J, machine.moving.partial[:, :count])
    machine.data.qvel = speeds = solve(J, machine.moving.twists[:count])[:, 0]
    machine.program.mj_comVel(machine.model, machine.data)
    drift = (machine.jacobian("mj_jacDot") @ speeds).reshape(count, 6)
    return joint_speeds, solve(J, machine.moving.rates[:count] - drift)[:, 0]


def _matrices_and_forces(
    program: ModuleType, subject: Subject, x: Array
) -> tuple[Array, Array, Array, Array]:
    """Return M and the applied forces of the equations, and M and the forces of MuJoCo."""
    k, machine = len(subject.equations.u), _machine_in_mujoco(program, subject, x)
    joint_speeds, joint_accelerations = _joint_motion(
        machine, [bool(any(m)) for m in machine.moving.moments]
    )
    bias = machine.forces(np.zeros(len(joint_accelerations)))
    M = np.array([joint_speeds.T @ (machine.forces(column) - bias) for column in joint_speeds.T])
    accelerations = subject.accelerations(x)
    applied = forces_without_weight(subject, x, accelerations[k:])
    own_matrix = subject.matrix_at(subject.equations.mass_matrix, x)
    free = subject.free_directions(x)  # off a constraint, no pose of a body may exist
    required = joint_speeds.T @ machine.forces(joint_accelerations)
    if subject.loop:
        own_matrix, M, applied, required = (
            free @ free.T @ part for part in (own_matrix, M, applied, required)
        )
    return own_matrix, applied, M, required


def _compare(program: ModuleType, subject: Subject, x: Array) -> Rung | None:
    """Return a failed rung if M or the forces differ in one state."""
    own_matrix, applied, M, required = _matrices_and_forces(program, subject, x)
    if np.abs(own_matrix - M).max() > TOLERANCE * np.abs(M).max() and not rows_are_scaled(subject):
        return _wrong_matrix(program, subject, x, own_matrix, M)
    scale = max(np.abs(applied).max(), np.abs(required).max(), force_scale(subject, x))
    if np.abs(applied - required).max() > TOLERANCE * scale:
        return _wrong_forces(program, subject, x, applied, required)
    return None


def _wrong_matrix(
    program: ModuleType, subject: Subject, x: Array, own_matrix: Array, M: Array
) -> Rung:
    """Return a failed rung for the entry of M that differs most."""
    i, j = divmod(int(np.argmax(np.abs(own_matrix - M))), len(M))
    own_text, mujoco_text = distinct_texts(own_matrix[i, j], M[i, j])

    def entries(state: Array) -> list[float]:
        return [part[i, j] for part in _matrices_and_forces(program, subject, state)[::2]]

    return Rung(
        _NAME,
        False,
        f"{capitalized(state_text(subject, x))}, entry ({i + 1}, {j + 1}) of M is {own_text}, and "
        f"MuJoCo has {mujoco_text} for these bodies.",
        curves_between_states(subject, entries, ["of the equations", "of MuJoCo"], "entry of M"),
    )


def _wrong_forces(
    program: ModuleType, subject: Subject, x: Array, applied: Array, required: Array
) -> Rung:
    """Return a failed rung for the force that differs most."""
    i = int(np.argmax(np.abs(applied - required)))
    required_text, applied_text = distinct_texts(required[i], applied[i])
    label = label_of(subject.equations.u[i])

    def forces(state: Array) -> list[float]:
        return [part[i] for part in _matrices_and_forces(program, subject, state)[:0:-2]]

    return Rung(
        _NAME,
        False,
        f"{capitalized(state_text(subject, x))}, MuJoCo says that the motion of the equations "
        f"takes {required_text} along {label} beside the weight, and springs and loads give "
        f"{applied_text}.",
        curves_between_states(
            subject, forces, ["asked by MuJoCo", "given by forces"], f"along {label}"
        ),
    )


def _joints_text(tree: tuple[Mounting, ...]) -> str:
    """Return the joints that carry the bodies, in words."""
    kinds = Counter(
        joint.kind for mounting in tree if not mounting.free for joint in mounting.joints
    )
    counted = [f"{count} {kind}{'s' * (count > 1)}" for kind, count in sorted(kinds.items())]
    free = sum(mounting.free for mounting in tree)
    on_joints = [f"on {listed(counted)}"] if counted else []
    return (
        listed([*on_joints, *([f"{free} of them free"] if free else [])]) or "all of them at rest"
    )
