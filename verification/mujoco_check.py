"""Another program's mechanics: the bodies on their joints, handed to MuJoCo where it is installed.

It knows nothing of our equations. Told places, speeds and the accelerations that these claim, it
says which forces that takes: ``pip install mujoco``, and the ladder has one more rung.
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
from verification.forcing import only_scaled
from verification.gravity import upward, weight
from verification.joints import Hung, along_coordinates, hangings
from verification.newton import MovingBodies, largest_part, moving_bodies, without_weight
from verification.results import Rung
from verification.sentences import NEAR, at, between, both, capital
from verification.subject import Subject

_NAME = "MuJoCo"
#: A moment of inertia that MuJoCo takes for one; it refuses none at all.
_LEAST = 2e-15
_OPEN = '<mujoco><option gravity="{}"/><compiler angle="radian"/><worldbody>'


class NotTakenError(ValueError):
    """Raised where MuJoCo refuses a body."""


def mujoco(subject: Subject) -> Rung:
    """Hand the bodies to MuJoCo, and ask it for M, and for the forces of the motion claimed.

    References
    ----------
    :cite:p:`TodorovErezTassa2012`.
    """
    if not subject.bodies:
        return Rung(_NAME, None, "No bodies are known that could be handed over.")
    if subject.moves_potential:
        return Rung(_NAME, None, "It knows no potential energy with speeds.")
    try:
        program = importlib.import_module("mujoco")
    except ImportError as error:
        return Rung(_NAME, None, _not_there(error))
    try:
        for x in subject.states:
            if failed := _differs(program, subject, x):
                return failed
        joints = _supports(_hung(program, subject, subject.states[0]).tree)
    except (NoNumberError, NotTakenError) as error:
        return Rung(_NAME, None, f"{capital(str(error))}.")
    return Rung(
        _NAME,
        True,
        f"MuJoCo has the same M for these bodies, {joints}, and says that their motion takes the "
        f"same forces, in {len(subject.states)} states.",
    )


def _not_there(error: ImportError) -> str:
    """Say whether MuJoCo is missing, or what keeps it from being imported."""
    if isinstance(error, ModuleNotFoundError) and error.name == "mujoco":
        return "It is not installed: pip install mujoco, and it is asked, too."
    return f"It is installed, and cannot be imported: {error}."


@dataclass(frozen=True, eq=False)
class Twin:
    """A machine in MuJoCo, in the place and at the speed of one state.

    Parameters
    ----------
    tree : tuple of Hung
        How each body is held.
    program : module
    model, data : MjModel and MjData
    moving : MovingBodies
        Of the bodies, as the equations under examination claim it.
    scale : float
        How many times heavier its bodies are: forces are that many times larger.
    """

    tree: tuple[Hung, ...]
    program: Any
    model: Any
    data: Any
    moving: MovingBodies
    scale: float

    def jacobian(self, find: str = "mj_jac") -> Array:
        """Return how joints move the bodies, shape (b, 6, joints); or the rate of that."""
        ask, blocks = getattr(self.program, find), []
        for b, place in enumerate(self.moving.places[: len(self.tree)]):
            block = np.zeros((2, 3, self.model.nv))
            body = self.model.body(f"body {b}").id
            ask(self.model, self.data, *block, place[:, None], body)
            blocks.append(block.reshape(6, -1))
        return np.array(blocks)

    def forces(self, accelerations: Array) -> Array:
        """Return what joints must give for these accelerations of theirs."""
        self.data.qacc = accelerations
        self.program.mj_inverse(self.model, self.data)
        return np.array(self.data.qfrc_inverse) / self.scale


def _hung(program: ModuleType, subject: Subject, x: Array) -> Twin:
    """Return the machine in MuJoCo, each body on the first joints that move it as it does."""
    moving = moving_bodies(subject, x, subject.accelerations(x)[: len(subject.equations.u)])
    ways, rigid = along_coordinates(subject, x), [bool(any(m)) for m in moving.moments]
    tree: tuple[Hung, ...] = ()
    for c in range(len(rigid)):
        for hung in hangings(ways, rigid, c):
            twin = _twin(program, subject, moving, (*tree, hung))
            if _moves_alike(twin, rigid):
                break
        tree = twin.tree
    return twin


def _twin(
    program: ModuleType, subject: Subject, moving: MovingBodies, tree: tuple[Hung, ...]
) -> Twin:
    reach = np.abs(moving.places).max() or 1.0
    scale = 1.0 / float(min(moving.masses[moving.masses > 0], default=1.0) * reach**2)
    up = np.eye(3)[upward(subject)]
    pull = weight(subject).pull
    text = _OPEN.format(_row(-pull * up)) + _inside(program, moving, tree, -1, scale)
    try:
        model = program.MjModel.from_xml_string(f"{text}</worldbody></mujoco>")
    except ValueError as error:
        raise NotTakenError(f"MuJoCo takes no such body: {error}") from error
    data = program.MjData(model)
    program.mj_kinematics(model, data)
    program.mj_comPos(model, data)
    return Twin(tree, program, model, data, moving, scale)


def _inside(
    program: ModuleType, moving: MovingBodies, tree: tuple[Hung, ...], parent: int, scale: float
) -> str:
    """Return the bodies that one holds, and what these hold; all axes are those of the world."""
    elements = []
    for b, hung in enumerate(tree):
        if hung.parent != parent:
            continue
        place, moments = moving.places[b], moving.moments[b] * scale
        if not moments[:2].any():  # in the plane only the last one matters, and MuJoCo asks for all
            moments = np.full(3, moments[2])
        turned = np.zeros(4)
        program.mju_mat2Quat(turned, np.ascontiguousarray(moving.axes[b]).ravel())
        joints = "".join(
            f'<joint type="{joint.kind}" axis="{_row(joint.axis)}" '
            f'pos="{_row(joint.anchor - place)}"/>'
            for joint in hung.joints
        )
        off = place - moving.places[parent] if parent >= 0 else place
        elements.append(
            f'<body name="body {b}" pos="{_row(off)}">{joints}'
            f'<inertial pos="0 0 0" quat="{_row(turned)}" '
            f'mass="{_row([max(moving.masses[b] * scale, _LEAST)])}" '
            f'diaginertia="{_row(np.maximum(moments, _LEAST))}"/>'
            f"{_inside(program, moving, tree, b, scale)}</body>"
        )
    return "".join(elements)


def _row(numbers: Iterable[float]) -> str:
    return " ".join(repr(float(number)) for number in numbers)


def _moves_alike(twin: Twin, rigid: list[bool]) -> bool:
    """Whether joints can move the last body as it moves, to the second order."""
    try:
        _joint_motion(twin, rigid)
    except NotTakenError:
        return False
    return True


def _joint_motion(twin: Twin, rigid: list[bool]) -> tuple[Array, Array]:
    """Return what joints must do along each speed, shape (joints, k); and their accelerations."""
    count = len(twin.tree)
    rows = np.array([[True] * 3 + [turns] * 3 for turns in rigid[:count]]).ravel()

    def solved(J: Array, moves: Array) -> Array:
        moves = moves.reshape(-1, 6 * count).T[rows]
        solution = np.linalg.lstsq(J, moves, rcond=1e-10)[0]
        if np.abs(J @ solution - moves).max() > NEAR * max(np.abs(moves).max(), np.abs(J).max()):
            raise NotTakenError("its joints cannot move the bodies so")
        return np.asarray(solution)

    J = twin.jacobian().reshape(6 * count, -1)[rows]
    along = solved(J, twin.moving.partial[:, :count])
    twin.data.qvel = speeds = solved(J, twin.moving.twists[:count])[:, 0]
    twin.program.mj_comVel(twin.model, twin.data)
    drift = (twin.jacobian("mj_jacDot") @ speeds).reshape(count, 6)
    return along, solved(J, twin.moving.rates[:count] - drift)[:, 0]


def _both_ways(
    program: ModuleType, subject: Subject, x: Array
) -> tuple[Array, Array, Array, Array]:
    """Return M and the forces along each speed as they stand, and M and forces of MuJoCo."""
    k, twin = len(subject.equations.u), _hung(program, subject, x)
    along, claimed = _joint_motion(twin, [bool(any(m)) for m in twin.moving.moments])
    rest = twin.forces(np.zeros(len(claimed)))
    M = np.array([along.T @ (twin.forces(way) - rest) for way in along.T])
    solved = subject.accelerations(x)
    active = without_weight(subject, x, solved[k:])
    mine = subject.matrix_at(subject.equations.mass_matrix, x)
    free = subject.free_directions(x)  # beside a constraint a place may be none of a body
    asked = along.T @ twin.forces(claimed)
    if subject.loop:
        mine, M, active, asked = (free @ free.T @ part for part in (mine, M, active, asked))
    return mine, active, M, asked


def _differs(program: ModuleType, subject: Subject, x: Array) -> Rung | None:
    """Compare M and forces in one state."""
    mine, active, M, asked = _both_ways(program, subject, x)
    if np.abs(mine - M).max() > NEAR * np.abs(M).max() and not only_scaled(subject):
        return _other_matrix(program, subject, x, mine, M)
    size = max(np.abs(active).max(), np.abs(asked).max(), largest_part(subject, x))
    if np.abs(active - asked).max() > NEAR * size:
        return _other_forces(program, subject, x, active, asked)
    return None


def _other_matrix(program: ModuleType, subject: Subject, x: Array, mine: Array, M: Array) -> Rung:
    i, j = divmod(int(np.argmax(np.abs(mine - M))), len(M))
    one, other = both(mine[i, j], M[i, j])

    def entries(state: Array) -> list[float]:
        return [part[i, j] for part in _both_ways(program, subject, state)[::2]]

    return Rung(
        _NAME,
        False,
        f"{capital(at(subject, x))}, entry ({i + 1}, {j + 1}) of M is {one}, and MuJoCo has "
        f"{other} for these bodies.",
        between(subject, entries, ["of the equations", "of MuJoCo"], "entry of M"),
    )


def _other_forces(
    program: ModuleType, subject: Subject, x: Array, active: Array, asked: Array
) -> Rung:
    i = int(np.argmax(np.abs(active - asked)))
    one, other = both(asked[i], active[i])
    label = label_of(subject.equations.u[i])

    def forces(state: Array) -> list[float]:
        return [part[i] for part in _both_ways(program, subject, state)[:0:-2]]

    return Rung(
        _NAME,
        False,
        f"{capital(at(subject, x))}, MuJoCo says that the motion of the equations takes {one} "
        f"along {label} beside the weight, and springs and loads give {other}.",
        between(subject, forces, ["asked by MuJoCo", "given by forces"], f"along {label}"),
    )


def _supports(tree: tuple[Hung, ...]) -> str:
    """Return what holds the bodies."""
    kinds = Counter(joint.kind for hung in tree if not hung.free for joint in hung.joints)
    counted = [f"{count} {kind}{'s' * (count > 1)}" for kind, count in sorted(kinds.items())]
    free = sum(hung.free for hung in tree)
    held = [f"on {listed(counted)}"] if counted else []
    return listed([*held, *([f"{free} of them free"] if free else [])]) or "all of them at rest"
