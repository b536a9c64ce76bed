"""Checks of the initial states, parameters, and functions of an ensemble."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, instance, real_array, real_number, shown
from tutlib.fields import Field
from tutlib.spaces.space import Space

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


@dataclass(frozen=True)
class InitialConditions:
    """Initial states and parameters of the motions of an ensemble, read block by block.

    Parameters
    ----------
    starts : array, shape (N, k), or what has a shape and gives rows like one
        Or one state for all, shape (k,).
    values : tuple of array, shape (N,)
        The parameters that each motion has for itself.
    names : tuple of str
        Theirs.
    count : int
        N.
    """

    starts: Any
    values: tuple[Any, ...]
    names: tuple[str, ...]
    count: int

    @property
    def states(self) -> int:
        """The number of entries of a state."""
        return int(self.starts.shape[-1])

    def part(self, rows: slice) -> tuple[Array, Array]:
        """Return the starts and the own parameters of some motions: shapes (n, k), (n, m)."""
        count = rows.stop - rows.start
        shape = (count, self.states)
        whole = self.starts[rows] if len(self.starts.shape) == 2 else self.starts
        starts = np.broadcast_to(real_array(whole, "starts", finite=False), shape)
        columns = [real_array(values[rows], name) for name, values in zip(self.names, self.values)]
        return starts, np.stack(columns, axis=-1) if columns else np.empty((count, 0))

    def blocks(self, size: int) -> Iterator[slice]:
        """Generate the rows of the parts, each of so many motions at most."""
        for first in range(0, self.count, size):
            yield slice(first, min(first + size, self.count))


def initial_conditions(
    f: Field,
    starts: ArrayLike,
    parameters: Mapping[Named, ArrayLike] | None,
    known: Sequence[str],
) -> InitialConditions:
    """Return what an ensemble begins with.

    Parameters
    ----------
    f : Field
    starts : array
    parameters : mapping from symbol or str to array, optional
    known : sequence of str
        The names of all parameters that there are.

    Raises
    ------
    TypeError, ValueError
        If a shape, a name or a number does not fit.
    """
    varied = dict(instance({} if parameters is None else parameters, "parameters", Mapping))  # type: ignore[type-abstract]
    names = tuple(map(str, varied))
    for name in names:
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "f has none by name"
            raise ValueError(f"no parameter {shown(name)} can vary: {there}")
    values = tuple(_rows_of(value, f"the values of {name}") for name, value in varied.items())
    begin = _rows_of(starts, "starts")
    k: int | str = f.space.dimension if f.space else len(f.names) or "k"
    one_for_all = len(begin.shape) == 1 and bool(values)
    if len(begin.shape) != 2 - one_for_all or k not in ("k", begin.shape[-1]):
        raise ValueError(f"starts must have shape (N, {k}), a state in each row; got {begin.shape}")
    count = len(values[0]) if one_for_all else begin.shape[0]
    for name, value in zip(names, values):
        if value.shape != (count,):
            raise ValueError(
                f"{name} needs a value for each of {count} motions; got shape {value.shape}"
            )
    if not count:
        raise ValueError("there are no starts: give at least one")
    motions = InitialConditions(begin, values, names, count)
    _refuse_starts(motions, f.space)
    return motions


def _rows_of(value: object, name: str) -> Any:
    """Return what gives rows: what has a file or a rule of its own as it is, all else copied."""
    lazy = hasattr(value, "shape") and hasattr(value, "__getitem__")
    if lazy and (isinstance(value, np.memmap) or not isinstance(value, np.ndarray)):
        return value
    return np.array(real_array(value, name, finite=False))


def _refuse_starts(motions: InitialConditions, space: Space | None) -> None:
    """Refuse a start or a parameter that is not finite, and a start that is on no space."""
    for rows in motions.blocks(1024):
        starts, _ = motions.part(rows)
        if not np.isfinite(starts).all():
            row = int(np.argmin(np.isfinite(starts).all(axis=1)))
            raise ValueError(f"every start must be finite; row {rows.start + row} is {starts[row]}")
        for row, start in enumerate(starts if space else ()):
            if space and (wrong := space.refuse(start)):
                raise ValueError(
                    f"row {rows.start + row} of starts is not on {space.name}: {wrong}"
                )


def check_limits(limits: ArrayLike | None, k: int) -> Array:
    """Return a limit for each state, the largest number for none; refuse others."""
    limits = np.full(k, np.inf) if limits is None else limits
    bounds = np.array(real_array(limits, "limits", finite=False))
    if bounds.shape != (k,):
        raise ValueError(f"there must be a limit for each of {k} states; got {bounds.shape}")
    if not (bounds >= 0).all():
        raise ValueError(f"limits must be zero or positive, inf for none; got {bounds.tolist()}")
    bounds[np.isinf(bounds)] = np.finfo(float).max  # beyond it a motion is over in any case
    return bounds


def number_of_steps(t_end: float, h: float) -> int:
    """Return how many steps it is to the end; refuse what is no whole number of them."""
    t_end = real_number(t_end, "t_end", finite=False)
    steps = round(t_end / h) if np.isfinite(t_end) else 0
    if steps < 1 or abs(steps * h - t_end) > 1e-9 * t_end:
        raise ValueError(f"t_end must be a positive multiple of h = {h}; got {t_end}")
    return steps


def check_until(until: Callable[..., object] | None, x: Array) -> None:
    """Refuse an event that is no number of a state."""
    if until is not None:
        real_number(function(until, "until", "t, x")(0.0, x.copy()), "until(t, x)", finite=False)


def check_observe(observe: Callable[..., object] | None, x: Array) -> tuple[int, ...] | None:
    """Return the shape of what is observed; refuse what is no number or row of numbers."""
    if observe is None:
        return None
    value = function(observe, "observe", "t, x")(0.0, x.copy())
    shape = real_array(value, "observe(t, x)", finite=False).shape
    if len(shape) > 1 or shape == (0,):
        raise ValueError(f"observe(t, x) must be a number or a row of them; got shape {shape}")
    return shape
