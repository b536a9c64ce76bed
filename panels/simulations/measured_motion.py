"""Program and data of a measured motion: steps between samples, points to draw, packed samples.

The page runs the program and unpacks the samples; `compare` uses them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import sympy.physics.mechanics as me

from panels.drawing.packing import ACROSS, packed_positions
from straightline.aliases import Array
from straightline.expressions import from_sympy
from straightline.routines import Program
from straightline.shared_sines import share_sines
from tutlib.fields import Field
from tutlib.identification.recordings import Recording
from tutlib.identification.shooting import between_samples
from tutlib.methods.steps import TableauStep
from tutlib.methods.tableaus import RK4
from tutlib.models.model import Model

#: Shortest time between samples that the page keeps, and longest step of the integration [s].
SPACING, LONGEST_STEP = 0.01, 0.004
#: Frequency at which angles are low-passed before they are differentiated [Hz]; it is lower if the
#: samples are few.
CUTOFF = 15.0
#: Part of a sample or a step that is not worth another one: time stamps are not exact.
_NEARLY = 0.01
#: Steps of the grids of times [s], angles [rad], angular velocities [rad/s], and torques [N·m].
_GRIDS = {"t": 1e-6, "q": 1e-5, "u": 1e-4, "torque": 1e-5}


def thinned(recording: Recording) -> tuple[Recording, Array]:
    """Return the samples that the page keeps, and the angular velocities there [rad/s].

    Parameters
    ----------
    recording : Recording

    Returns
    -------
    Recording
    array, shape (m, n)
        Differences of the low-passed angles of all samples.
    """
    spacing = float(np.median(np.diff(recording.t)))
    count = max(math.ceil(SPACING / spacing - _NEARLY), 1)
    return recording.every(count), recording.speeds(min(CUTOFF, 0.4 / spacing))[::count]


def steps_between(recording: Recording) -> int:
    """Return the number of integration steps from one sample to the next."""
    return math.ceil(float(np.median(np.diff(recording.t))) / LONGEST_STEP - _NEARLY)


def packed_recording(recording: Recording, speeds: Array, inputs: int) -> dict[str, Any]:
    """Return a recording as data for measured_motion.js.

    Parameters
    ----------
    recording : Recording
    speeds : array, shape (m, n)
    inputs : int
        Number of torques that the equations need; without any, none are packed.

    Returns
    -------
    dict
        The number of ``rows``, the first time ``start`` [s], and the packed columns: the times
        between samples ``t``, the angles ``q``, their derivatives ``u``, and the ``torque``.
    """
    between = np.diff(recording.t, prepend=recording.t[0])[:, None]
    columns = {"t": between, "q": recording.q, "u": speeds, "torque": recording.torque}
    columns = {name: column for name, column in columns.items() if inputs or name != "torque"}
    packed = {
        name: packed_positions(np.asarray(column)[:, :, None], ACROSS * _GRIDS[name])
        for name, column in columns.items()
    }
    return {"rows": len(recording.t), "start": float(recording.t[0]), **packed}


def measured_program(f: Field, model: Model, recording: Recording, inputs: int) -> Program:
    """Return the program that computes a motion at the times of the samples.

    Its arrays are ``T``, the times; ``R``, the torques; ``X``, the states in rows; ``at``, a state
    to draw, and ``out``, the points of the drawing. The routine ``run(first, last)`` fills the rows
    of ``X`` after the first, with classical Runge-Kutta steps; torques are linear between samples.
    The routine ``outputs`` fills ``out``.

    Parameters
    ----------
    f : Field
        Its formula takes the states, followed by the torques.
    model : Model
        The drawing.
    recording : Recording
    inputs : int
        Number of torques.
    """
    rows, k, steps = len(recording.t), 2 * recording.q.shape[1], steps_between(recording)
    program = Program(len(f.parameters))
    for name, columns in {"T": 1, "R": inputs, "X": k}.items():
        program.array(name, rows * columns)
    program.array("x", k)
    formula = f.traced(k + inputs)
    run = program.routine("run", "first", "last")
    row, i = run.whole("row", run.argument("first")), run.whole("i")
    clock = run.number("clock")
    with run.repeat(row < run.argument("last")):
        begin, end, rates = between_samples(run, row, formula, k, inputs)
        run.store("x", 0, run.read("X", row * k, k))
        run.change("clock", begin)
        run.set(i, 0)
        h = (end - begin) * (1 / steps)
        with run.repeat(i < steps):
            x = run.read("x", 0, k)
            run.store("x", 0, TableauStep(RK4).advance(rates, clock, x, h))
            run.change("clock", clock + h)
            run.set(i, i + 1)
        run.set(row, row + 1)
        run.store("X", row * k, run.read("x", 0, k))
    _add_drawing(program, model, k)
    share_sines(program)
    return program


def _add_drawing(program: Program, model: Model, k: int) -> None:
    """Add the routine that computes the points of the drawing, with the model's own lengths."""
    flat = [coordinate for point in model.skeleton.points for coordinate in point]
    eom = model.equations
    drawn = [e.xreplace(dict(model.parameters)) for e in eom.in_states(flat)]
    formula = from_sympy(drawn, (me.dynamicsymbols._t, eom.states[:k], ()))
    outputs = program.routine("outputs")
    state = outputs.read(program.array("at", k), 0, k)
    outputs.store(program.array("out", len(flat)), 0, formula(0.0, state, ()))
