"""Motions computed along a recording, and the parameters that fit them by multiple shooting.

Chapter 12 predicts measured motions with them, and fits the models that it compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike
from scipy.optimize import least_squares
from scipy.sparse import csr_array

from straightline.aliases import Array
from straightline.arguments import instance, real_array, real_number, shown, whole_number
from straightline.assignments import Unknown
from straightline.machine import Machine
from straightline.routines import Program, Routine, Whole
from tutlib.aliases import Rate
from tutlib.fields import Field
from tutlib.identification.recordings import Recording
from tutlib.methods.steps import TableauStep
from tutlib.methods.tableaus import RK4
from tutlib.models.model import Model
from tutlib.reading.names import plain_name

#: Tolerances of the iterative solution of each linear problem. With SciPy's defaults, a fit needs
#: many more steps.
_LINEAR = {"atol": 1e-8, "btol": 1e-8}
#: Up to this number of unknowns, each linear problem is solved exactly, with a dense Jacobian.
_FEW = 30
#: A residual [rad] that stands for an infinite one: a motion that diverged.
_DIVERGED = 1e3


def between_samples(
    run: Routine, row: Whole, formula: Any, states: int, inputs: int
) -> tuple[Unknown, Unknown, Rate]:
    """Return the times of a sample and the next, and f(t, x) with torques linear between them.

    Parameters
    ----------
    run : Routine
        Of a program with the arrays ``T`` of time stamps and ``R`` of torques.
    row : Whole
        Index of the sample.
    formula : function (t, x, p) -> sequence of numbers
        Its x has the states, followed by the torques.
    states, inputs : int
        Numbers of states and of torques.
    """
    begin, end = run.read("T", row), run.read("T", row + 1)
    before = run.read("R", row * inputs, inputs)
    change = run.read("R", (row + 1) * inputs, inputs) - before

    def f(t: Any, x: Array) -> Array:
        torques = before + (t - begin) / (end - begin) * change
        slopes = formula(t, np.concatenate([x, torques]), run.program.p)
        return np.array(slopes[:states], dtype=object)

    return begin, end, f


@lru_cache(maxsize=32)
def _machine(formula: Any, states: int, inputs: int, parameters: int, room: int) -> Machine:
    """Return a program that steps through windows of a recording, with interpolated inputs.

    Parameters
    ----------
    formula : function (t, x, p) -> sequence of numbers
    states, inputs, parameters : int
        Numbers of states, of inputs, which follow them in x, and of parameters.
    room : int
        The most samples of a recording, and states of all motions together.
    """
    program, k, m = Program(parameters), states, inputs
    program.array("T", room)
    program.array("R", room * m)
    first, X = program.array("first", room), program.array("X", room * k)
    run = program.routine("run", "windows", "steps")
    w, i, row, at = (run.whole(name) for name in ("w", "i", "row", "at"))
    with run.repeat(w < run.argument("windows")):
        run.set(row, run.read(first, w))
        run.set(i, 0)
        with run.repeat(i < run.argument("steps")):
            t, later, f = between_samples(run, row, formula, k, m)
            run.store(X, at + k, TableauStep(RK4).advance(f, t, run.read(X, at, k), later - t))
            run.set(row, row + 1)
            run.set(at, at + k)
            run.set(i, i + 1)
        run.set(at, at + k)
        run.set(w, w + 1)
    return Machine(program)


def driven(model: Model) -> Field:
    """Compile a model so that its motors' torques can be read from a recording.

    The torques become states that follow the angular velocities and have no time derivative: a
    recording gives their values.

    Parameters
    ----------
    model : Model
        Its inputs, if there are any, are the torques at its joints, in the same order.

    Returns
    -------
    Field
    """
    torques = instance(model, "model", Model).equations.inputs
    held = [me.dynamicsymbols(f"{plain_name(torque)}_measured") for torque in torques]
    return model.with_inputs(dict(zip(torques, held)), dict.fromkeys(held, 0)).compile()


class WindowedRuns:
    """Compiled motions from some samples of a recording, with its time stamps and torques.

    Each step of RK4 reaches from one sample to the next. Torques vary linearly between samples.

    Parameters
    ----------
    f : Field
        As for `fit_motion`.
    recording : Recording
    first : sequence of int
        The sample at which each motion starts.
    steps : int
        The number of steps of each motion.
    """

    def __init__(self, f: Field, recording: Recording, first: ArrayLike, steps: int) -> None:
        rows, n = recording.q.shape
        inputs = inputs_of(f, recording)
        begin = np.asarray(first)
        states = len(begin) * (steps + 1)
        room = 1 << (max(rows, states) - 1).bit_length()  # few sizes, to compile rarely
        machine = _machine(f.formula, 2 * n, inputs, len(f.values), room).instance(f.values)
        machine.view("T")[:rows] = recording.t
        machine.view("R")[: rows * inputs] = recording.torque[:, :inputs].ravel()
        machine.view("first")[: len(begin)] = begin
        self._machine, self._steps = machine, steps
        self._X = machine.view("X")[: states * 2 * n].reshape(len(begin), steps + 1, 2 * n)

    def __call__(self, parameters: Array, starts: Array) -> Array:
        """Return the states of all motions, shape (motions, steps + 1, 2 n).

        Parameters
        ----------
        parameters : array
            The values of the field.
        starts : array, shape (motions, 2 n)
            Angles [rad] and angular velocities [rad/s].
        """
        self._machine.set_parameters(parameters)
        self._X[:, 0] = starts
        self._machine.call("run", len(self._X), self._steps)
        return self._X.copy()


def inputs_of(f: Field, recording: Recording) -> int:
    """Return the number of torques among the states of a field; reject a field that does not fit.

    Raises
    ------
    ValueError
        If the field is not compiled, or has another number of angles than the recording.
    """
    n = recording.q.shape[1]
    inputs: int = len(f.names) - 2 * n
    if f.formula is None or f.coordinates != n or inputs not in (0, n):
        raise ValueError(
            f"the recording has {n} joint angles, so f must be compiled equations with {n} "
            f"coordinates, and with no torques or {n} as further states, such as driven(model); "
            f"got {f.coordinates} coordinates, and {len(f.names)} states: {', '.join(f.names)}"
        )
    return inputs


def simulate_along(f: Field, recording: Recording, start: ArrayLike) -> Array:
    """Compute the motion along a whole recording, with its time stamps and torques.

    Parameters
    ----------
    f : Field
        As for `fit_motion`.
    recording : Recording
    start : array, shape (2 n,)
        Angles [rad] and angular velocities [rad/s] at its first sample.

    Returns
    -------
    array, shape (m, 2 n)
        The states at its samples.

    Raises
    ------
    ValueError
        If the field or the initial state does not fit the recording.
    """
    state = real_array(start, "start", (2 * recording.q.shape[1],))
    runs = WindowedRuns(f, recording, [0], len(recording.t) - 1)
    motion: Array = runs(f.values, state[np.newaxis])[0]
    return motion


def prediction_errors(
    f: Field, recording: Recording, after: float, every: float = 0.1, cutoff: float = 15.0
) -> Array:
    """Return the errors of predictions a given time ahead, from many samples.

    Each prediction starts with the measured angles, and with angular velocities from smoothed
    differences of angles.

    Parameters
    ----------
    f : Field
        As for `fit_motion`.
    recording : Recording
    after : float
        How long each motion is predicted [s].
    every : float
        Time from one start to the next [s]. The first and the last start are 0.1 s from the ends,
        where smoothing is less accurate.
    cutoff : float
        As for `Recording.speeds` [Hz].

    Returns
    -------
    array, shape (starts, n)
        Computed minus measured angles [rad].

    Raises
    ------
    ValueError
        If the recording is too short, or does not fit the field.
    """
    t, q = recording.t, recording.q
    n, margin = q.shape[1], 0.1
    starts = np.arange(t[0] + margin, t[-1] - after - margin, real_number(every, "every"))
    if not len(starts):
        raise ValueError(f"the recording is too short: it lasts {t[-1] - t[0]:g} s")
    first = np.searchsorted(t, starts)
    last = np.searchsorted(t, t[first] + after)
    steps = int((last - first).max())
    first, last = first[first + steps < len(t)], last[first + steps < len(t)]
    x = np.hstack([q, recording.speeds(cutoff)])
    runs = WindowedRuns(f, recording, first, steps)(f.values, x[first])
    rows = np.arange(len(first))
    missed = [runs[rows, end - first, :n] - q[end] for end in (last - 1, last)]
    share = (t[first] + after - t[last - 1]) / (t[last] - t[last - 1])
    return missed[0] + share[:, np.newaxis] * (missed[1] - missed[0])


@dataclass(frozen=True, eq=False)
class MotionFit:
    """A field fitted to recordings.

    Parameters
    ----------
    values : dict from str to float
        The parameters that all recordings share.
    each : list of dict from str to float
        The parameters that each recording has of its own.
    fields : list of Field
        The fitted field for each recording.
    residuals : list of array, shape (windows, samples, n)
        Computed minus measured angles [rad] in each recording.
    starts : list of array, shape (windows, 2 n)
        The fitted initial states.
    jacobian : scipy.sparse.csr_array
        Derivatives of all residuals with respect to all unknowns: shared parameters, those of each
        recording, and initial states.
    evaluations : int
        How often SciPy evaluated the Jacobian or tried a step.
    """

    values: dict[str, float]
    each: list[dict[str, float]]
    fields: list[Field]
    residuals: list[Array]
    starts: list[Array]
    jacobian: Any
    evaluations: int

    @property
    def rms(self) -> float:
        """The root mean square of the residuals [rad]."""
        return float(np.sqrt(np.mean(np.concatenate([r.ravel() for r in self.residuals]) ** 2)))

    def standard_errors(self, by_windows: bool = False) -> dict[str, float]:
        """Return the standard errors of the shared parameters.

        Parameters
        ----------
        by_windows : bool
            Whether residuals of a window may be correlated with each other, but not with those of
            other windows. By default, all residuals are taken as independent.

        References
        ----------
        :cite:p:`SeberWild2003`, chapters 2 and 12.
        """
        J = self.jacobian
        inverse = np.linalg.inv((J.T @ J).toarray())
        residual = np.concatenate([r.ravel() for r in self.residuals])
        residual = np.append(residual, np.zeros(J.shape[0] - len(residual)))
        if by_windows:
            sizes = [window.size for r in self.residuals for window in r]
            ends = np.cumsum([0, *sizes])
            gradients = np.array([J[a:b].T @ residual[a:b] for a, b in pairwise(ends)])
            covariance = inverse @ (gradients.T @ gradients) @ inverse
        else:
            covariance = inverse * (residual @ residual) / (J.shape[0] - J.shape[1])
        errors = np.sqrt(np.diag(covariance))
        return dict(zip(self.values, errors.tolist()))


def fit_motion(
    f: Field,
    recordings: Recording | Sequence[Recording],
    vary: Sequence[str],
    each: Sequence[str] = (),
    window: float = 0.3,
    cutoff: float = 15.0,
    penalty: Mapping[str, float] | None = None,
    compare_every: int = 1,
    iterations: int = 100,
) -> MotionFit:
    """Fit parameters to measured motions by multiple shooting.

    Each recording is divided into windows. In each window, a motion is computed from an initial
    state of its own, and its angles are compared with the measured ones. SciPy's trust-region
    method minimizes the sum of their squared differences over the parameters and all initial
    states. If the motion in a window diverges, its residuals count as large, so that the step is
    rejected.

    Parameters
    ----------
    f : Field
        Compiled equations in n angles and n angular velocities, and in the torques, if there are
        any, as further states, as `driven` returns them. The values of its parameters are the
        initial guess.
    recordings : Recording, or sequence of Recording
    vary : sequence of str
        Parameters to fit, with the same value in all recordings.
    each : sequence of str, optional
        Parameters to fit for each recording by itself, such as the zeros of encoders.
    window : float
        Length of a window [s].
    cutoff : float
        Cutoff of `Recording.speeds` for the first guess of the initial states [Hz].
    penalty : mapping from str to float, optional
        Weight of parameters of ``each``: weight times value is a further residual [rad], so that a
        recording that does not determine the parameter leaves it near zero.
    compare_every : int
        Compare every n-th sample only. All samples remain steps of the motion; neighboring
        residuals are nearly equal, so that fewer of them give the same fit sooner.
    iterations : int
        The most evaluations of the Jacobian.

    Returns
    -------
    MotionFit

    Raises
    ------
    ValueError
        If a name is not a parameter, a recording does not fit the field, or it is shorter than a
        window.

    References
    ----------
    :cite:p:`BockPlitt1984`; for parameters :cite:p:`Bock1983`.
    """
    chosen = [recordings] if isinstance(recordings, Recording) else list(recordings)
    names, own, weights = list(vary), list(each), dict(penalty or {})
    instance(f, "f", Field)
    for name in [*names, *own, *weights]:
        if name not in f.parameters or (name in weights and name not in own):
            raise ValueError(
                f"no such parameter: {name!r}; the parameters are {', '.join(f.parameters)}"
                + (f", and those with a penalty must be in each = {shown(own)}" if weights else "")
            )
    thin = whole_number(compare_every, "compare_every", 1)
    plans = [_Plan(f, recording, window, cutoff, thin) for recording in chosen]
    p, e = len(names), len(own)
    order = list(f.parameters)
    shared_index, own_index = [order.index(n) for n in names], [order.index(n) for n in own]
    lengths = [p, *[e] * len(plans), *(plan.starts.size for plan in plans)]
    guess = [f.values[shared_index], *[f.values[own_index]] * len(plans)]
    unknowns = np.concatenate([*guess, *(plan.starts.ravel() for plan in plans)])
    pull = np.array([weights.get(name, 0.0) for name in own])

    def parts(theta: Array) -> tuple[list[Array], list[Array]]:
        """Return the parameters of each recording, and its initial states."""
        shared, *rest = np.split(theta, np.cumsum(lengths)[:-1])
        values = np.tile(f.values, (len(plans), 1))
        values[:, shared_index] = shared
        values[:, own_index] = np.reshape(rest[: len(plans)], (len(plans), e))
        return list(values), rest[len(plans) :]

    def residual(theta: Array) -> Array:
        values, starts = parts(theta)
        missed = [plan.residuals(v, s) for plan, v, s in zip(plans, values, starts)]
        pulled = [pull * v[own_index] for v in values] if weights else []
        every: Array = np.concatenate([*(m.ravel() for m in missed), *pulled])
        return np.where(np.isfinite(every), every, _DIVERGED)

    many: dict[str, Any] = {}
    if len(unknowns) > _FEW:
        many = {"jac_sparsity": _sparsity(plans, p, e, bool(weights)), "tr_options": _LINEAR}
    solution = least_squares(residual, unknowns, x_scale="jac", max_nfev=iterations, **many)
    values, starts = parts(solution.x)
    fitted = [dict(zip(order, v.tolist())) for v in values]
    return MotionFit(
        {name: fitted[0][name] for name in names},
        [{name: of_one[name] for name in own} for of_one in fitted],
        [f.with_parameters(of_one) for of_one in fitted],
        [plan.residuals(v, s) for plan, v, s in zip(plans, values, starts)],
        [s.reshape(plan.starts.shape) for plan, s in zip(plans, starts)],
        csr_array(solution.jac),
        solution.nfev,
    )


class _Plan:
    """A recording in windows, with its measured angles and a first guess of initial states."""

    def __init__(
        self, f: Field, recording: Recording, window: float, cutoff: float, every: int
    ) -> None:
        t, q = recording.t, recording.q
        steps = round(real_number(window, "window") / float(np.median(np.diff(t))))
        if not 1 <= steps < len(t):
            raise ValueError(
                f"a window must have at least one step and fit into the recording of "
                f"{t[-1] - t[0]:g} s; got {window:g} s"
            )
        first = np.arange(0, len(t) - steps, steps)
        self.starts = np.hstack([q, recording.speeds(cutoff)])[first]
        self._measured = np.array([q[row : row + steps + 1 : every] for row in first])
        self._every = every
        self._runs = WindowedRuns(f, recording, first, steps)

    def residuals(self, parameters: Array, starts: Array) -> Array:
        """Return computed minus measured angles, shape (windows, samples, n)."""
        X = self._runs(parameters, starts.reshape(self.starts.shape))
        missed: Array = X[:, :: self._every, : self._measured.shape[2]] - self._measured
        return missed

    @property
    def shape(self) -> tuple[int, int]:
        """The number of windows, and of residuals of each."""
        return len(self._measured), self._measured[0].size


def _sparsity(plans: list[_Plan], shared: int, own: int, penalized: bool) -> csr_array:
    """Return which residuals depend on which unknowns: each window on its own initial state."""
    windows = np.array([plan.shape[0] for plan in plans])
    recording_of_window = np.repeat(np.arange(len(plans)), windows)
    sizes = np.repeat([plan.shape[1] for plan in plans], windows)
    widths = np.repeat([plan.starts.shape[1] for plan in plans], windows)
    window_of_row = np.repeat(np.arange(len(sizes)), sizes)
    # columns: shared parameters, those of each recording, initial states; -1 is none
    count = own * len(plans)
    recording_of_column = np.repeat(np.arange(len(plans)), own)
    recording_of_column = np.pad(recording_of_column, (shared, widths.sum()), constant_values=-1)
    window_of_column = np.repeat(np.arange(len(sizes)), widths)
    window_of_column = np.pad(window_of_column, (shared + count, 0), constant_values=-1)
    pattern = window_of_row[:, np.newaxis] == window_of_column
    pattern |= recording_of_window[window_of_row][:, np.newaxis] == recording_of_column
    pattern[:, :shared] = True
    if penalized:
        pulls = np.eye(count, len(window_of_column), shared, dtype=bool)
        pattern = np.vstack([pattern, pulls])
    return csr_array(pattern)
