"""Results of an ensemble, and a folder of finished parts from which a run can be resumed.

The name of a part is a digest of its inputs, and its file begins with a digest of its content, so
that a damaged part is detected and computed again. Chapter 11 stops a run and resumes it.
"""

from __future__ import annotations

import hashlib
import io
import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.arguments import instance
from tutlib.reading.files import write_whole

_ABOUT = "ensemble.json"
_DIGEST = 32


@dataclass(frozen=True)
class Ensemble:
    """Results of an ensemble: how and when each motion ended.

    Parameters
    ----------
    t : array, shape (N,)
        Final time of each motion [s]: ``t_end``, the time of its event, or the first time at which
        a state exceeded its limit or was not finite.
    x : array, shape (N, k)
        Final state of each motion. It is not finite if the motion became nonfinite.
    least, greatest : array, shape (N, ...), optional
        Minima and maxima of the observed values over all states of a motion.
    """

    t: Array
    x: Array
    least: Array | None = None
    greatest: Array | None = None


Shapes = dict[str, tuple[int, ...]]


def shapes_of(count: int, states: int, observed: tuple[int, ...] | None) -> Shapes:
    """Return the shapes of the arrays of a number of motions, by name."""
    extremes = ("least", "greatest") if observed is not None else ()
    several = dict.fromkeys(extremes, (count, *(observed or ())))
    return {"t": (count,), "x": (count, states), **several}


def nothing_yet(shapes: Shapes) -> Ensemble:
    """Return an ensemble without results: all values are nan."""
    return Ensemble(**{name: np.full(shape, np.nan) for name, shape in shapes.items()})


def refuse_unfit(part: Ensemble, shapes: Shapes) -> None:
    """Reject anything but an ensemble of these shapes."""
    part_shapes = {
        name: value.shape for name, value in arrays_of(instance(part, "a part", Ensemble)).items()
    }
    if part_shapes != shapes:
        raise ValueError(f"a part must have the shapes {shapes}; got {part_shapes}")


def arrays_of(ensemble: Ensemble) -> dict[str, Array]:
    """Return the existing arrays, by name."""
    return {name: value for name, value in vars(ensemble).items() if value is not None}


class StoreWarning(UserWarning):
    """Warning that a part of an ensemble could not be stored, or was damaged in its folder."""


class Store:
    """Finished parts of one ensemble, in files.

    Parameters
    ----------
    folder : Path
        The folder; it is created if it does not exist.
    run : str
        Description of the computation of all parts.
    about : dict
        The same for readers: it is compared if a folder belongs to another run.

    Raises
    ------
    ValueError
        If the folder holds parts of another run.
    OSError
        If the folder cannot be created.
    """

    def __init__(self, folder: Path, run: str, about: dict[str, object]) -> None:
        self.folder, self._run = folder, hashlib.sha256(run.encode()).hexdigest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OSError(f"the store {folder} cannot be created: {error.strerror}") from error
        record = {"run": self._run, "about": json.loads(json.dumps(about))}
        try:
            there = json.loads((folder / _ABOUT).read_text("utf-8"))
            run, about = instance(there["run"], "run", str), instance(there["about"], "about", dict)
        except FileNotFoundError:
            self._write(_ABOUT, json.dumps(record, indent=2, ensure_ascii=False).encode())
        except Exception:
            self._tell(
                f"{_ABOUT} is damaged; parts of this run are found without it. Delete it, and it "
                "is written again"
            )
        else:
            _refuse_another(folder, record, run, about)

    def name(self, starts: Array, values: Array) -> str:
        """Return the name of a part: a digest of all its inputs."""
        made = hashlib.sha256(f"{self._run} {starts.shape}".encode())
        for piece in (starts, values):
            made.update(np.ascontiguousarray(piece).tobytes())
        return f"{made.hexdigest()[:32]}.part"

    def load(self, name: str, shapes: Shapes) -> Ensemble | None:
        """Return a part; None if it does not exist or, with a warning, if it is damaged."""
        try:
            whole = (self.folder / name).read_bytes()
            digest, content = whole[:_DIGEST], whole[_DIGEST:]
            if hashlib.sha256(content).digest() != digest:
                raise ValueError("its checksum differs")
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
                part = Ensemble(**arrays)
            refuse_unfit(part, shapes)
        except FileNotFoundError:
            return None
        except Exception:  # a damaged file may raise anything
            self._tell(f"{name} is damaged: this part is computed again")
            return None
        return part

    def save(self, name: str, part: Ensemble) -> None:
        """Store a part; if that fails, as on a full disk, warn and continue without it."""
        content = io.BytesIO()
        np.savez(content, **arrays_of(part))  # type: ignore[arg-type]
        data = content.getvalue()
        self._write(name, hashlib.sha256(data).digest() + data)

    def _write(self, name: str, data: bytes) -> None:
        try:
            write_whole(self.folder / name, data)
        except OSError as error:
            self._tell(f"{error.strerror}: parts that cannot be written are kept only in memory")

    def _tell(self, what: str) -> None:
        warnings.warn(f"store {self.folder}: {what}", StoreWarning, stacklevel=2)


def _refuse_another(folder: Path, record: dict[str, Any], run: str, about: dict[str, Any]) -> None:
    """Reject the folder of another run, and name the difference."""
    if run == record["run"]:
        return
    here = record["about"]
    differs = [
        f"{name} is {about.get(name)} there and {value} here"
        for name, value in here.items()
        if about.get(name) != value
    ]
    reason = "; ".join(differs) or "its equations or other arguments differ"
    raise ValueError(
        f"the store {folder} holds motions of another run: {reason}. Choose another folder for "
        "this run."
    )
