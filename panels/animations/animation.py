"""A computed motion as a light moving picture: positions and a short script, no stack of images.

Every chapter opens with one. It plays at true speed, wherever HTML is shown, with no kernel.
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
    Drawing,
    as_literal,
    box_around,
    check_description,
    check_height,
    frame,
    skeleton_data,
    still_picture,
)
from panels.drawing.goals import places_of
from panels.drawing.packing import packed_positions
from panels.drawing.space import ball_around, lines_data, seen, still_in_space
from straightline.aliases import Array
from straightline.arguments import several, shown, whole_number
from tutlib.methods.trajectory import Trajectory
from tutlib.plots.plotting import Trajectories, labelled, new_axes
from tutlib.progress import progress

#: So many frames are a megabyte or two of a page; one motion at 60 a second lasts eleven minutes.
MOST_FRAMES = 40_000
#: A film that is saved holds no more frames a second than this.
SAVED_RATE = 30


class Drawable(Protocol):
    """Whatever can be drawn along a trajectory, such as a model."""

    @property
    def skeleton(self) -> Drawing:
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
        That were asked for; there are more where the motion is quick.
    times : array, shape (frames,)
        Times [s] of the frames, equally spaced.
    motions : mapping from label to array, shape (frames, points, 2) or (frames, points, 3)
        Positions [m]: y up in the plane, and z up in space, which the reader turns.
    skeleton : Drawing
    height : int
        Of the player, in pixels.
    down : bool
        In space: whether the third axis pointed down before the picture was turned round.
    follow : float
        In space: the radius [m] around the last body that is shown, if not all.
    values : mapping from Symbol to float
        Of the parameters, which the masses' sizes are drawn with.
    goals : array, shape (frames, goals, 2) or (frames, goals, 3)
        Places marked by rings [m].
    ghosts : tuple of str
        Labels of motions that are drawn faint.
    """

    description: str
    frames_per_second: int
    times: Array
    motions: Mapping[str, Array]
    skeleton: Drawing
    height: int
    down: bool = False
    follow: float = 0.0
    values: Mapping[Any, float] = field(default_factory=dict)
    goals: Array = field(default_factory=lambda: np.zeros((0, 0, 2)))
    ghosts: tuple[str, ...] = ()

    def flat(self) -> dict[str, Array]:
        """Return the motions as they are seen at first, shapes (frames, points, 2)."""
        return {k: _flat(p) for k, p in self.motions.items()}

    def box(self) -> list[float]:
        """Return left, bottom, right, top of all that is ever seen, with a margin [m]."""
        every = [*self.flat().values(), _flat(self.goals)]
        return box_around(np.concatenate([p.reshape(-1, 2) for p in every]))

    def _space(self) -> dict[str, object]:
        if not self._in_space():
            return {}
        every = [p.reshape(-1, 3) for p in (*self.motions.values(), self.goals) if p.size]
        ball = ball_around(np.concatenate(every))
        return {"ball": ball, "down": self.down, "follow": self.follow}

    def _data(self) -> dict[str, object]:
        """Return what player.js plays."""
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
        if self._in_space():
            return lines_data(self.skeleton)
        return skeleton_data(self.skeleton, self.values)

    def _in_space(self) -> bool:
        return bool(next(iter(self.motions.values())).shape[-1] == 3)

    def still(self) -> str:
        """Return the first frame as an SVG."""
        first = {label: positions[0] for label, positions in self.motions.items()}
        goals = self.goals[0] if len(self.goals) else ()
        if self._in_space():
            return still_in_space(first, self.skeleton, self._still_box(), goals=goals)
        return still_picture(first, self.skeleton, self.box(), values=self.values, goals=goals)

    def _still_box(self) -> list[float]:
        """Return what the first frame shows."""
        if not self.follow:
            return self.box()
        x, y = seen(next(iter(self.motions.values()))[0, self.skeleton.bodies[-1]])
        reach = self.follow
        return [float(v) for v in (x - reach, y - reach, x + reach, y + reach)]

    def _repr_mimebundle_(self, **options: object) -> dict[str, str]:
        """Show the player where HTML is shown, a still where only pictures are, else the words."""
        return {
            "text/html": self._repr_html_(),
            "image/svg+xml": self.still(),
            "text/plain": self.description,
        }

    def _repr_html_(self) -> str:
        data = self._data()
        turn = " Turn it with the mouse, a finger or the arrow keys." if "ball" in data else ""
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

        def draw(frame: int) -> list[object]:
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
        step = self.times[1] - self.times[0]
        every = max(1, round(1 / (step * min(self.frames_per_second, SAVED_RATE))))
        numbers = range(0, len(self.times), every)
        film = FuncAnimation(ax.figure, draw, frames=numbers, interval=1000 * step * every)
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
    frames_per_second: int = 60,
    height: int = 400,
    goals: Sequence[object] = (),
    ghosts: Sequence[str] = (),
) -> Animation:
    """Make a moving picture of one motion, or of several in one drawing.

    Between the times of a trajectory its states are interpolated by cubic splines, and the
    positions follow from them: a rod keeps its length.

    Parameters
    ----------
    trajectories : Trajectory, mapping from label to Trajectory, or list of Trajectory
    model : object with ``skeleton`` and ``positions(t, x)``, such as a model
        Or one for each label.
    description : str
        What is seen, in a sentence, for readers who do not see it.
    frames_per_second : int
        Frames that are kept at least; more where the motion is quick.
    height : int
        Of the player, in pixels.
    goals : sequence
        Places that are marked by rings. Each is a point in the model's axes [m], of numbers or, in
        the plane, of expressions of the state, the parameters and time; in space it may be a
        ``function (t, x, **parameters)``. The state is that of the first motion.
    ghosts : sequence of str
        Labels of motions that are drawn faint.

    Returns
    -------
    Animation

    Raises
    ------
    TypeError
        If something is no trajectory, no model, no goal or no number.
    ValueError
        If a trajectory is a single point, is not finite or goes back in time; if the description
        is empty, a label has no model, a ghost no motion; or if there are no frames, or more than
        a page can hold.
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

    def points_at(at: Array) -> list[Array]:
        states = {k: _states(models[k], trajectory, at) for k, trajectory in named.items()}
        places = places_of(goals, first, at, next(iter(states.values())))
        return [*(models[k].positions(at, x) for k, x in states.items()), *_each(places)]

    lengths = [part.shape[1] for part in points_at(times[:1])]
    times, every = rigid_frames(
        lambda at: np.concatenate(points_at(at), axis=1), times, follow, MOST_FRAMES // len(named)
    )
    pieces = np.split(every, np.cumsum(lengths), axis=1)
    return Animation(
        *(description, rate, times, dict(zip(named, pieces)), first.skeleton, check_height(height)),
        getattr(first, "down", False),
        follow,
        getattr(first, "parameters", {}),
        np.concatenate(pieces[len(named) :], axis=1),
        faint,
    )


def _flat(positions: Array) -> Array:
    return seen(positions) if positions.shape[-1] == 3 else positions


def _each(places: Sequence[Array]) -> list[Array]:
    """Return places of shape (frames, axes) as points of one each."""
    return [place[:, None] for place in places]


def _states(model: Any, trajectory: Trajectory, times: Array) -> Array:
    """Return the states at times; on a curved space, put back on it."""
    states = states_at(trajectory, times)
    return np.asarray(model.nearest(states)) if hasattr(model, "nearest") else states


def _ghosts(ghosts: object, labels: Iterable[str]) -> tuple[str, ...]:
    names = tuple(several(ghosts, "ghosts", str))
    if unknown := [name for name in names if name not in labels]:
        raise ValueError(f"no motion for the ghost {unknown[0]!r}; there are {', '.join(labels)}")
    return names


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
