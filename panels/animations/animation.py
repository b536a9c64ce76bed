"""Animations of trajectories: positions and a short script, instead of a stack of images.

They play in real time wherever HTML is displayed, without a kernel.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any, Protocol

import numpy as np

from panels.animations.interpolation import rigid_frames, states_at
from panels.drawing.bundle import resource, script
from panels.drawing.frames import (
    SkeletonLike,
    as_literal,
    box_around,
    check_description,
    check_height,
    frame,
    skeleton_data,
    still_picture,
)
from panels.drawing.goals import goal_positions
from panels.drawing.packing import packed_positions
from panels.drawing.space import ball_around, lines_data, seen, still_in_space
from straightline.aliases import Array
from straightline.arguments import several, shown, whole_number
from tutlib.methods.trajectory import Trajectory
from tutlib.plots.plotting import Trajectories, labelled, new_axes, styled
from tutlib.progress import progress

#: The largest number of frames: one or two megabytes, or eleven minutes of one motion at 60 Hz.
MOST_FRAMES = 40_000
#: The largest number of frames per second of a saved video.
SAVED_RATE = 30


class Drawable(Protocol):
    """Anything that can be drawn along a trajectory, such as a model."""

    @property
    def skeleton(self) -> SkeletonLike:
        """The lines and marks between the points."""
        ...

    def positions(self, t: Array, x: Array) -> Array:
        """Return the points [m], shape (m, number of points, 2), or 3 in space."""
        ...


@dataclass(frozen=True)
class Animation:
    """An animation: Jupyter shows it in a small player, and Matplotlib saves it as a video.

    Parameters
    ----------
    description : str
        What is visible, in a sentence, for screen readers.
    frames_per_second : int
        As requested; a fast motion has more frames.
    times : array, shape (frames,)
        Times [s] of the frames, equally spaced.
    motions : mapping from label to array, shape (frames, points, 2) or (frames, points, 3)
        Positions [m]: y up in the plane, and z up in space, where the reader can rotate the view.
    skeleton : SkeletonLike
    height : int
        Height of the player [px].
    down : bool
        In space: whether the model's third axis points down, so that the picture is rotated.
    follow : float
        In space: the radius [m] around the last body that is visible; 0 shows everything.
    values : mapping from Symbol to float
        Of the parameters, for the sizes of masses.
    goals : array, shape (frames, goals, 2) or (frames, goals, 3)
        Positions that are marked with rings [m].
    ghosts : tuple of str
        Labels of motions that are drawn faint.
    """

    description: str
    frames_per_second: int
    times: Array
    motions: Mapping[str, Array]
    skeleton: SkeletonLike
    height: int
    down: bool = False
    follow: float = 0.0
    values: Mapping[Any, float] = field(default_factory=dict)
    goals: Array = field(default_factory=lambda: np.zeros((0, 0, 2)))
    ghosts: tuple[str, ...] = ()

    def flat(self) -> dict[str, Array]:
        """Return the motions as initially projected, shapes (frames, points, 2)."""
        return {k: _flat(p) for k, p in self.motions.items()}

    def box(self) -> list[float]:
        """Return left, bottom, right, and top of all positions, with a margin [m]."""
        positions = [*self.flat().values(), _flat(self.goals)]
        return box_around(np.concatenate([p.reshape(-1, 2) for p in positions]))

    def _space(self) -> dict[str, object]:
        """Return the data that only an animation in space has."""
        if not self._in_space():
            return {}
        positions = [p.reshape(-1, 3) for p in (*self.motions.values(), self.goals) if p.size]
        ball = ball_around(np.concatenate(positions))
        return {"ball": ball, "down": self.down, "follow": self.follow}

    def _data(self) -> dict[str, object]:
        """Return the data for player.js."""
        box, space = self.box(), self._space()
        size = self.follow or max(box[2] - box[0], box[3] - box[1])
        return {
            "duration": float(self.times[-1] - self.times[0]),
            "frames": len(self.times),
            "box": [round(v, 4) for v in box],
            "skeleton": self._skeleton(),
            "motions": [
                {"label": label, "ghost": label in self.ghosts, **packed_positions(p, size)}
                for label, p in self.motions.items()
            ],
            "goals": packed_positions(self.goals, size) if self.goals.size else None,
            **space,
        }

    def _skeleton(self) -> dict[str, object]:
        """Return the skeleton as data."""
        if self._in_space():
            return lines_data(self.skeleton)
        return skeleton_data(self.skeleton, self.values)

    def _in_space(self) -> bool:
        """Whether positions have three coordinates."""
        return bool(next(iter(self.motions.values())).shape[-1] == 3)

    def still(self) -> str:
        """Return the first frame as an SVG."""
        first = {label: positions[0] for label, positions in self.motions.items()}
        goals = self.goals[0] if len(self.goals) else ()
        if self._in_space():
            return still_in_space(first, self.skeleton, self._still_box(), goals=goals)
        return still_picture(first, self.skeleton, self.box(), values=self.values, goals=goals)

    def _still_box(self) -> list[float]:
        """Return the visible box of the first frame."""
        if not self.follow:
            return self.box()
        x, y = seen(next(iter(self.motions.values()))[0, self.skeleton.bodies[-1]])
        reach = self.follow
        return [float(v) for v in (x - reach, y - reach, x + reach, y + reach)]

    def _repr_mimebundle_(self, **options: object) -> dict[str, str]:
        """Return the player as HTML, a still as SVG, and the description as text."""
        return {
            "text/html": self._repr_html_(),
            "image/svg+xml": self.still(),
            "text/plain": self.description,
        }

    def _repr_html_(self) -> str:
        data = self._data()
        turn = " Rotate it with the mouse, a finger, or the arrow keys." if "ball" in data else ""
        start = f'await startPlayer(document.querySelector("main"), {as_literal(data)});'
        body = Template(resource("panels/animations/player.html")).substitute(
            description=html.escape(self.description + turn), name=html.escape(self.description)
        )
        return frame(
            kind="tutlib-animation",
            description=self.description,
            height=self.height,
            body=body,
            module=script("panels/animations/player.js") + start,
            still=self.still(),
            title="Animation",
        )

    def _drawing(self) -> tuple[Any, Callable[[int], list[Any]]]:
        """Return axes, and a function that draws a frame into them by its index."""
        left, bottom, right, top = self.box()
        ax = new_axes("x [m]", "y [m]", figsize=(6, 6))
        ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
        artists = [
            (ax.plot([], [], lw=3, label=label or None)[0], positions, line)
            for label, positions in self.flat().items()
            for line in self.skeleton.lines
        ]
        if any(self.motions):
            ax.legend(loc="upper right")

        def draw(frame: int) -> list[object]:
            ax.set_title(f"t = {self.times[frame]:.2f} s")
            for artist, positions, line in artists:
                artist.set_data(*positions[frame, list(line)].T)
            return [artist for artist, _, _ in artists]

        return ax, draw

    def save(self, path: str | Path) -> Path:
        """Write a video for slides: a GIF, or an MP4 if ffmpeg is installed.

        Parameters
        ----------
        path : str or Path
            Ends in ``.gif`` or ``.mp4``; an existing file is not overwritten.

        Returns
        -------
        Path

        Raises
        ------
        FileExistsError
            If the file exists.
        ValueError
            If the name has another ending, or ffmpeg is missing for an MP4.
        """
        import matplotlib.pyplot as plt
        from matplotlib.animation import FuncAnimation

        path = Path(path)
        if path.exists():
            raise FileExistsError(f"{path} exists; choose another name")
        writer = _writer(path)
        with styled():
            ax, draw = self._drawing()
        step = self.times[1] - self.times[0]
        every = max(1, round(1 / (step * min(self.frames_per_second, SAVED_RATE))))
        numbers = range(0, len(self.times), every)
        film = FuncAnimation(ax.figure, draw, frames=numbers, interval=1000 * step * every)
        partial = path.with_name(f"part-of-{path.name}")  # so that a failure leaves no partial file
        try:
            film.save(partial, writer=writer, progress_callback=progress("frames"))
            partial.rename(path)
        finally:
            partial.unlink(missing_ok=True)
            plt.close(ax.figure)
        return path


def _writer(path: Path) -> str:
    """Return the Matplotlib writer for a file's ending."""
    from matplotlib.animation import writers

    if path.suffix.lower() == ".gif":
        return "pillow"
    if path.suffix.lower() != ".mp4":
        raise ValueError(f"the name of a video must end in .gif or .mp4; got {path.name}")
    if not writers.is_available("ffmpeg"):
        raise ValueError(
            f"{path.name} needs ffmpeg, which is not installed here: choose a name that ends in "
            ".gif, or install ffmpeg"
        )
    return "ffmpeg"


def animate(
    trajectories: Trajectories,
    model: Drawable | Mapping[str, Drawable],
    description: str,
    frames_per_second: int = 60,
    height: int = 400,
    goals: Sequence[object] = (),
    ghosts: Sequence[str] = (),
) -> Animation:
    """Animate a trajectory, or several in one drawing.

    Between the times of a trajectory, states are interpolated with cubic splines, and positions
    are computed from the states, so that a rod keeps its length. A wrapped angle, such as one
    between −π and π, takes the shortest direction from one time to the next, so the times must be
    less than half a revolution apart.

    Parameters
    ----------
    trajectories : Trajectory, mapping from label to Trajectory, or list of Trajectory
    model : object with ``skeleton`` and ``positions(t, x)``, such as a model
        The model that moves, or a mapping with a model for each label.
    description : str
        What is visible, in a sentence, for screen readers.
    frames_per_second : int
        The smallest number of frames per second; a fast motion has more.
    height : int
        Height of the player [px].
    goals : sequence
        Positions to mark with rings. Each is a point in the model's axes [m], of numbers or, in the
        plane, of expressions in the state, the parameters, and time; in space it may be a
        ``function (t, x, **parameters)``. The state is that of the first trajectory.
    ghosts : sequence of str
        Labels of trajectories that are drawn faint.

    Returns
    -------
    Animation

    Raises
    ------
    TypeError
        If an argument is not a trajectory, a model, a goal, or a number where one is expected.
    ValueError
        If a trajectory is a single point, is not finite, or goes back in time; if the description
        is empty, a label has no model, or a ghost no trajectory; or if there are no frames, or more
        than a page can contain.
    """
    check_description(description)
    rate = whole_number(frames_per_second, "frames_per_second", least=1)
    named = labelled(trajectories)
    models, faint = _models(model, named), _ghosts(ghosts, named)
    start = min(trajectory.t[0] for trajectory in named.values())
    end = max(trajectory.t[-1] for trajectory in named.values())
    if not end > start:
        raise ValueError("a moving picture needs at least two times")
    times = np.linspace(start, end, _number_of_frames(end - start, rate, len(named)))
    first = next(iter(models[label] for label in named))
    follow = getattr(first, "follow", 0.0)

    def points_at(instants: Array) -> list[Array]:
        states = {k: _states(models[k], trajectory, instants) for k, trajectory in named.items()}
        goal_points = goal_positions(goals, first, instants, next(iter(states.values())))
        return [
            *(models[k].positions(instants, x) for k, x in states.items()),
            *_as_points(goal_points),
        ]

    lengths = [part.shape[1] for part in points_at(times[:1])]
    times, positions = rigid_frames(
        lambda at: np.concatenate(points_at(at), axis=1), times, follow, MOST_FRAMES // len(named)
    )
    pieces = np.split(positions, np.cumsum(lengths), axis=1)
    return Animation(
        *(description, rate, times, dict(zip(named, pieces)), first.skeleton, check_height(height)),
        getattr(first, "down", False),
        follow,
        getattr(first, "parameters", {}),
        np.concatenate(pieces[len(named) :], axis=1),
        faint,
    )


def _flat(positions: Array) -> Array:
    """Return positions as initially projected."""
    return seen(positions) if positions.shape[-1] == 3 else positions


def _as_points(positions: Sequence[Array]) -> list[Array]:
    """Return positions of shape (frames, axes) with an axis of one point."""
    return [position[:, None] for position in positions]


def _states(model: Any, trajectory: Trajectory, times: Array) -> Array:
    """Return the states at times; on a curved space, projected back onto it."""
    states = states_at(trajectory, times, _wrapped(model, trajectory))
    return np.asarray(model.nearest(states)) if hasattr(model, "nearest") else states


def _wrapped(model: Any, trajectory: Trajectory) -> list[int]:
    """Return the indices of wrapped angles: states that jump by a revolution.

    The picture is the same if such a state changes by a revolution.
    """
    t, x, revolution = trajectory.t, trajectory.x, 2 * np.pi
    jumps = np.abs(np.diff(x, axis=0)) > np.pi
    within = np.ptp(x, axis=0) <= revolution * (1 + 1e-9)
    found = []
    for i in np.flatnonzero(jumps.any(axis=0) & within):
        row = int(np.argmax(jumps[:, i]))
        turned = x[[row, row]]
        turned[1, i] += revolution
        shown, same = model.positions(t[[row, row]], turned)
        if np.abs(shown - same).max(initial=0.0) <= 1e-9 * max(1.0, np.abs(shown).max(initial=0.0)):
            found.append(int(i))
    return found


def _ghosts(ghosts: object, labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels of ghosts; reject unknown ones."""
    names = tuple(several(ghosts, "ghosts", str))
    if unknown := [name for name in names if name not in labels]:
        raise ValueError(f"no motion for the ghost {unknown[0]!r}; choose from {', '.join(labels)}")
    return names


def _models(model: Any, labels: Iterable[str]) -> dict[str, Drawable]:
    """Return the model of each label."""
    models = dict(model) if isinstance(model, Mapping) else dict.fromkeys(labels, model)
    if missing := [label for label in labels if label not in models]:
        raise ValueError(f"no model for {', '.join(missing)}; there are {', '.join(models)}")
    for candidate in models.values():
        if not (hasattr(candidate, "skeleton") and hasattr(candidate, "positions")):
            raise TypeError(
                "animate needs a model, which has a skeleton and positions(t, x); got "
                f"{shown(candidate)}"
            )
    return models


def _number_of_frames(seconds: float, rate: int, motions: int) -> int:
    """Return the number of frames; reject more than a page can hold."""
    frames = max(2.0, 1 + round(seconds * rate, 0))
    if frames * motions > MOST_FRAMES:
        longest = MOST_FRAMES // (rate * motions)
        raise ValueError(
            f"{seconds:g} s at {rate} frames per second are {frames:.0f} frames of each motion; a "
            f"page holds {MOST_FRAMES} in all: show at most {longest} s, or give a lower "
            "frames_per_second"
        )
    return int(frames)
