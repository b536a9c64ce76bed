"""A computed motion as a light moving picture: positions and a short script, no stack of images.

Every chapter opens with one. It plays at true speed, wherever HTML is shown, with no kernel.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, Protocol

import numpy as np

from tutlib.pictures.frames import (
    as_literal,
    ball_around,
    box_around,
    check_description,
    check_height,
    frame,
    resource,
    script,
    seen,
    skeleton_data,
    still_picture,
)
from tutlib.pictures.plotting import Trajectories, labelled, new_axes
from tutlib.programs.arguments import shown, whole_number
from tutlib.programs.progress import progress
from tutlib.programs.right_hand_side import Array

#: So many frames are some megabytes of a page; one motion at 30 a second lasts eleven minutes.
MOST_FRAMES = 20_000


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

    def _drawing(self) -> tuple[Any, Callable[[int], list[Any]]]:
        """Return axes, and a function that draws the frame of a number into them."""
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

        return ax, draw

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
        ValueError
            If the name ends otherwise, or there is no ffmpeg for an MP4.
        """
        import matplotlib.pyplot as plt
        from matplotlib.animation import FuncAnimation

        path = Path(path)
        if path.exists():
            raise FileExistsError(f"{path} exists; choose another name")
        writer = _writer(path)
        ax, draw = self._drawing()
        interval = 1000 / self.frames_per_second
        film = FuncAnimation(ax.figure, draw, frames=len(self.times), interval=interval)
        aside = path.with_name(f"part-of-{path.name}")  # what fails half-way leaves nothing
        try:
            film.save(aside, writer=writer, progress_callback=progress("frames"))
            aside.rename(path)
        finally:
            aside.unlink(missing_ok=True)
            plt.close(ax.figure)
        return path


def _writer(path: Path) -> str:
    """Return what writes films that end like this."""
    from matplotlib.animation import writers

    if path.suffix.lower() == ".gif":
        return "pillow"
    if path.suffix.lower() != ".mp4":
        raise ValueError(f"a film's name ends in .gif or .mp4; got {path.name}")
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
    frames_per_second: int = 30,
    height: int = 400,
) -> Animation:
    """Make a moving picture of one motion, or of several in one drawing.

    Parameters
    ----------
    trajectories : Trajectory, mapping from label to Trajectory, or list of Trajectory
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
    TypeError
        If something is no trajectory, no model or no number.
    ValueError
        If a trajectory is a single point, the description is empty, a label has no model, or there
        are no frames, or more than a page can hold.
    """
    check_description(description)
    rate = whole_number(frames_per_second, "frames_per_second", least=1)
    named = labelled(trajectories)
    models = _models(model, named)
    start = min(trajectory.t[0] for trajectory in named.values())
    end = max(trajectory.t[-1] for trajectory in named.values())
    if not end > start:
        raise ValueError("a moving picture needs at least two times")
    times = np.linspace(start, end, _number_of_frames(end - start, rate, len(named)))
    motions = {}
    for label, trajectory in named.items():
        columns = [np.interp(times, trajectory.t, column) for column in trajectory.x.T]
        motions[label] = models[label].positions(times, np.stack(columns, axis=-1))
    first = next(iter(models.values()))
    down, follow = getattr(first, "down", False), getattr(first, "follow", 0.0)
    held = (description, rate, times, motions, first.skeleton, check_height(height))
    return Animation(*held, down, follow)


def _models(model: Any, labels: Iterable[str]) -> dict[str, Drawable]:
    """Return the model of each label."""
    models = dict(model) if isinstance(model, Mapping) else dict.fromkeys(labels, model)
    if missing := [label for label in labels if label not in models]:
        raise ValueError(f"no model for {', '.join(missing)}; there are {', '.join(models)}")
    for one in models.values():
        if not (hasattr(one, "skeleton") and hasattr(one, "positions")):
            raise TypeError(
                f"animate needs a model, which has a skeleton and positions(t, x); got {shown(one)}"
            )
    return models


def _number_of_frames(seconds: float, rate: int, motions: int) -> int:
    """Return how many frames there are; refuse what no page can hold."""
    frames = max(2.0, 1 + round(seconds * rate, 0))
    if frames * motions > MOST_FRAMES:
        longest = MOST_FRAMES // (rate * motions)
        raise ValueError(
            f"{seconds:g} s at {rate} frames per second are {frames:.0f} frames of each motion; a "
            f"page holds {MOST_FRAMES} in all: show at most {longest} s, or give a lower "
            "frames_per_second"
        )
    return int(frames)
