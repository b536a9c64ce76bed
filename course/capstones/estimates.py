"""Answers from measurements: numbers within bands, an interval, and equations that predict.

How far a right estimate may be from the true value depends on the data, not on digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course.judge import NumberArray
from course.judge.stages import Finding
from straightline.aliases import Array
from straightline.arguments import real_array
from tutlib import Field
from tutlib.identification import Recording, driven, prediction_errors
from tutlib.models import Model
from tutlib.reading import UnreadableError
from tutlib.reading.names import listed

#: Half the width of an interval is at least and at most so many standard errors.
_LEAST, _MOST = 1.5, 30.0


@dataclass(frozen=True, eq=False)
class Estimates:
    """Numbers that are right within a band each.

    Parameters
    ----------
    truth : mapping from name to float
        The true values, in the order of the prompt.
    bands : array
        The largest deviation of each.
    signs : sequence of (function, str)
        Signs of a mistake, each with its hint: a function takes the estimates by their names, and
        returns whether the mistake shows.
    """

    truth: Mapping[str, float]
    bands: Array
    signs: Sequence[tuple[Callable[[Mapping[str, float]], bool], str]] = ()

    def __post_init__(self) -> None:
        bands = real_array(self.bands, "bands", (len(self.truth),))
        object.__setattr__(self, "bands", bands)

    @property
    def value(self) -> Array:
        """The true values."""
        return np.array([*self.truth.values()])

    def read(self, answer: object) -> Array:
        """Return an answer as an array; raise UnreadableError if it cannot be read."""
        numbers: Array = NumberArray(self.value).read(answer)
        return numbers

    def same(self, one: Array, other: Array) -> bool:
        """Return whether every entry is within its band."""
        return bool((np.abs(one - other) <= self.bands).all())

    def findings(self, reading: Array) -> Iterator[Finding]:
        """Yield the mistake that shows; otherwise the entries that are wrong."""
        by_name = dict(zip(self.truth, reading.tolist()))
        for shows, hint in self.signs:
            if shows(by_name):
                yield Finding("value", hint)
                return
        off = np.abs(reading - self.value) / self.bands
        names = [f"`{name}`" for name, distance in zip(self.truth, off) if distance > 1]
        near = "The data determine it better than that" if off.max() < 5 else "It is far off"
        if len(names) > 1:
            near = near.replace("it", "them").replace("It is", "They are")
        yield Finding("part", f"Look at {listed(names)}. {near}. What do your residuals show?")


@dataclass(frozen=True)
class Coverage:
    """An interval that contains a true value, and is neither too narrow nor too wide.

    Parameters
    ----------
    truth : float
    error : float
        Standard error of the value, by a suitable method.
    """

    truth: float
    error: float

    @property
    def value(self) -> Array:
        """A right interval: three standard errors to either side."""
        return np.array([self.truth - 3 * self.error, self.truth + 3 * self.error])

    def read(self, answer: object) -> Array:
        """Return an answer as two increasing bounds; raise UnreadableError otherwise."""
        numbers: Array = np.sort(NumberArray(self.value).read(answer))
        return numbers

    def same(self, one: Array, other: Array) -> bool:
        """Return whether the first interval contains the middle of the other; both are sensible.

        Half the width may be up to ten times that of a suitable method. Three standard errors miss
        the true value in a few variants, so some distance is added.
        """
        middle, slack = np.mean(other), 2 * self.error
        sensible = _LEAST * self.error <= np.ptp(one) / 2 <= _MOST * self.error
        return bool(sensible and one[0] - slack <= middle <= one[1] + slack)

    def findings(self, reading: Array) -> Iterator[Finding]:
        """Yield what is wrong with an interval."""
        half = np.ptp(reading) / 2
        if half < _LEAST * self.error:
            yield Finding(
                "value",
                "Your interval is narrower than these data allow. Are neighboring residuals of "
                "your fit independent?",
            )
        elif half > _MOST * self.error:
            yield Finding(
                "value",
                "Your interval is right, but it says little: the data determine the value much "
                "better. Did you use the whole run?",
            )
        yield Finding(
            "value",
            "The interval does not contain the true value. Which effect is missing in the model "
            "that you fitted?",
        )


@dataclass(frozen=True, eq=False)
class Predictor:
    """Compiled equations that predict a recording at least as well as some marks.

    Parameters
    ----------
    value : Field
        Equations that do.
    recording : Recording
    after : float
        How long each motion is predicted [s]; see `prediction_errors`.
    marks : array
        The largest root mean square error of each joint [rad].
    """

    value: Field
    recording: Recording
    after: float
    marks: Array

    def read(self, answer: object) -> Array:
        """Return the root mean square errors [rad]; raise UnreadableError if there are none."""
        f = driven(answer) if isinstance(answer, Model) else answer
        if not isinstance(f, Field):
            raise UnreadableError(
                "Give compiled equations, such as fit.fields[0] or model.compile(), or a Model."
            )
        try:
            missed = prediction_errors(f, self.recording, self.after)
        except (TypeError, ValueError) as error:
            raise UnreadableError(
                f"Your equations cannot predict the recording: {error}."
            ) from error
        errors: Array = np.sqrt(np.mean(missed**2, axis=0))
        if not np.isfinite(errors).all():
            raise UnreadableError("Your predictions diverge: they contain infinite angles.")
        return errors

    def same(self, one: Array, other: Array) -> bool:
        """Return whether both meet the marks; if the other does not, whether they agree to 1%."""
        if (other <= self.marks).all():
            return bool((one <= self.marks).all())
        return bool(np.allclose(one, other, rtol=0.01))

    def findings(self, reading: Array) -> Iterator[Finding]:
        """Yield the first joint that misses its mark."""
        joint = int(np.argmax(reading / self.marks))
        yield Finding(
            "part",
            f"After {self.after:g} s, joint {joint + 1} misses by {1e3 * reading[joint]:.2f} mrad, "
            "which is above the mark. What do its residuals show in the run that you fitted?",
        )
