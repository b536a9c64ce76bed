"""A computed motion as a light moving picture: positions and a short script, no stack of images.

Every chapter opens with one. It plays at true speed, wherever HTML is shown, with no kernel.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, Protocol

import numpy as np

from tutlib.methods.trajectory import Trajectory
from tutlib.pictures.frames import (
    as_literal,
    ball_around,
    box_around,
    frame,
    resource,
    script,
    seen,
    skeleton_data,
    still_picture,
)
from tutlib.programs.right_hand_side import Array


class Skeleton(Protocol):
    """Lines, disks and pivots of a drawing, as indices of its points."""

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Paths through points."""
        ...

    @property
    def bodies(self) -> tuple[int, ...]:
        """Points drawn as disks."""
        ...

    @property
    def pivots(self) -> tuple[int, ...]:
        """Points fixed to the ground."""
        ...


class Drawable(Protocol):
    """Whatever can be drawn along a trajectory, such as a model."""

    @property
    def skeleton(self) -> Skeleton:
        """What joins and marks the points."""
        ...

    def positions(self, t: Array, x: Array) -> Array:
        """Return the points [m], shape (m, number of points, 2), or 3 in space."""
        ...


@dataclass(frozen=True)
class Animation:
    """A moving picture: shown by Jupyter as a small player, saved by Matplotlib as a film.

    Parameters
    ----------
    description : str
        What is seen, in a sentence, for readers who do not see it.
    frames_per_second : int
    times : array, shape (frames,)
        Times [s] of the frames.
    motions : mapping from label to array, shape (frames, points, 2) or (frames, points, 3)
        Positions [m]: y up in the plane, and z up in space, which the reader turns.
    skeleton : Skeleton
    height : int
        Of the player, in pixels.
    down : bool
        In space: whether the third axis pointed down before the picture was turned round.
    follow : float
        In space: the radius [m] around the last body that is shown, if not all.
    """

    description: str
    frames_per_second: int
    times: Array
    motions: Mapping[str, Array]
    skeleton: Skeleton
    height: int
    down: bool = False
    follow: float = 0.0

    def flat(self) -> dict[str, Array]:
        """Return the motions as they are seen at first, shapes (frames, points, 2)."""
        return {k: seen(p) if p.shape[-1] == 3 else p for k, p in self.motions.items()}

    def box(self) -> list[float]:
        """Return left, bottom, right, top of all that is ever seen, with a margin [m]."""
        return box_around(np.concatenate([p.reshape(-1, 2) for p in self.flat().values()]))

    def _space(self) -> dict[str, Any]:
        every = [p.reshape(-1, p.shape[-1]) for p in self.motions.values()]
        points = np.concatenate(every)
        if points.shape[1] == 2:
            return {}
        return {"ball": ball_around(points), "down": self.down, "follow": self.follow}

    def _repr_html_(self) -> str:
        data = {
            "duration": float(self.times[-1] - self.times[0]),
            "frames": len(self.times),
            "box": [round(v, 4) for v in self.box()],
            "skeleton": skeleton_data(self.skeleton),
            "motions": [
                {"label": label, "positions": base64.b64encode(p.astype("<f4").tobytes()).decode()}
                for label, p in self.motions.items()
            ],
            **self._space(),
        }
        turn = " Turn it with the mouse, a finger or the arrow keys." if "ball" in data else ""
        start = f'startPlayer(document.querySelector("main"), {as_literal(data)});'
        still = {label: positions[0] for label, positions in self.flat().items()}
        body = Template(resource("pictures/player.html")).substitute(
            description=html.escape(self.description + turn)
        )
        return frame(
            kind="tutlib-animation",
            description=self.description,
            height=self.height,
            body=body,
            module=script("pictures/drawing.js", "pictures/camera.js", "pictures/player.js")
            + start,
            still=still_picture(still, self.skeleton, self.box()),
            title="Animation",
        )

    def save(self, path: str | Path) -> Path:
        """Write a film for slides: a GIF, or an MP4 where ffmpeg is installed.

        Parameters
        ----------
        path : str or Path
            Ends in ``.gif`` or ``.mp4``; a file that is there already is kept.

        Returns
        -------
        Path

        Raises
        ------
        FileExistsError
            If the file exists: nothing is overwritten.
        """
        from matplotlib.animation import FuncAnimation

        from tutlib.pictures.plotting import new_axes

        path = Path(path)
        if path.exists():
            raise FileExistsError(f"{path} exists; choose another name")
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

        def draw(frame: int) -> list[Any]:
            ax.set_title(f"t = {self.times[frame]:.2f} s")
            for artist, positions, line in artists:
                artist.set_data(*positions[frame, list(line)].T)
            return [artist for artist, _, _ in artists]

        interval = 1000 / self.frames_per_second
        film = FuncAnimation(ax.figure, draw, frames=len(self.times), interval=interval)
        film.save(path, writer="pillow" if path.suffix == ".gif" else None)
        return path


def animate(
    trajectories: Trajectory | Mapping[str, Trajectory],
    model: Drawable | Mapping[str, Drawable],
    description: str,
    frames_per_second: int = 30,
    height: int = 400,
) -> Animation:
    """Make a moving picture of one motion, or of several in one drawing.

    Parameters
    ----------
    trajectories : Trajectory or mapping from label to Trajectory
    model : object with ``skeleton`` and ``positions(t, x)``, such as a model
        Or one for each label.
    description : str
        What is seen, in a sentence, for readers who do not see it.
    frames_per_second : int
        Frames that are kept; between them the player interpolates.
    height : int
        Of the player, in pixels.

    Returns
    -------
    Animation

    Raises
    ------
    ValueError
        If a trajectory is a single point, the description is empty, or there are no frames.
    """
    if not description.strip():
        raise ValueError("describe what is seen: some readers do not see it")
    if frames_per_second < 1:
        raise ValueError(f"frames_per_second must be at least 1; got {frames_per_second}")
    named = {"": trajectories} if isinstance(trajectories, Trajectory) else dict(trajectories)
    models = model if isinstance(model, Mapping) else dict.fromkeys(named, model)
    start = min(trajectory.t[0] for trajectory in named.values())
    end = max(trajectory.t[-1] for trajectory in named.values())
    if not end > start:
        raise ValueError("a moving picture needs at least two times")
    times = np.linspace(start, end, max(2, 1 + round((end - start) * frames_per_second)))
    motions = {}
    for label, trajectory in named.items():
        columns = [np.interp(times, trajectory.t, column) for column in trajectory.x.T]
        motions[label] = models[label].positions(times, np.stack(columns, axis=-1))
    first = next(iter(models.values()))
    down, follow = getattr(first, "down", False), getattr(first, "follow", 0.0)
    shown = (description, frames_per_second, times, motions, first.skeleton, height)
    return Animation(*shown, down, follow)
