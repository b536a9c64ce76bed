"""Predictions of measured motion by the final models of chapter 12, for any folder of recordings.

``python -m benchmarks.measured [FOLDER]`` reads all files ``.csv`` and ``.csv.gz`` of a folder, in
the columns of `read_recording`; by default, the recordings in `tutlib` that no model is fitted to.
The models are fitted to recordings in `tutlib`, with ``fit`` in their names, and to nothing else.

The table lists the root mean square, over starts every 0.1 s, of the computed minus the measured
relative angle a given time after the start, beside that of the published model. The zeros of the
driven machine's encoders differ from run to run: they are fitted to the first 3 s of each run, and
predictions are scored from there on. A run in which the first link goes far above the horizontal is
a swing-up. Its zeros come from the first 2 s, and all starts count; since any error grows near the
upright position, the starts from which the first link stays below count separately, too.

The driven machine is fitted by the weak form. ``--compare`` predicts each of the three fitted runs
from the other two: after 0.5 s, the weak form misses by 0.035 and 0.065 rad (root mean square over
the runs), and multiple shooting by 0.032 and 0.062 rad with windows of 0.3 s, or 0.040 and 0.063
rad with windows of 0.5 s. From run to run, the errors of each method differ by a factor of four, so
that three runs do not tell which one is better. The weak form is used, because it is linear: it
needs no initial guess, and a hundredth of the time. The swing-up was known when this was decided:
below the horizontal, the weak form predicts it twice as well as multiple shooting.
"""

import argparse
import gzip
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from threadpoolctl import threadpool_limits

from benchmarks.measure import best_times
from straightline.aliases import Array
from tutlib import EquationsOfMotion, Field
from tutlib.identification import (
    MotionFit,
    Recording,
    Regressor,
    driven,
    fit_motion,
    prediction_errors,
    read_recording,
    recording,
)
from tutlib.identification.recordings import DATA
from tutlib.identification.shooting import WindowedRuns
from tutlib.models import measured_double_pendulum, measured_pendulum

Row = tuple[str, str, str]
#: Parameters of the driven machine that the weak form finds.
NAMES = ("J_1", "J_12", "J_2", "J_c", "s_1", "s_2", "b_1", "b_2", "f_1", "f_2")
FITTED = ("double-fit-143339", "double-fit-143601", "double-fit-143704")
ZEROS = ("z_1", "z_2")
#: Cutoff for the angular velocities of starts [Hz], and times of predictions [s].
CUTOFFS = {"single": 15.0, "double": 25.0, "driven": 15.0}
TIMES = {"single": (0.5, 1.0, 5.0), "double": (0.5, 1.0), "driven": (0.5, 1.0)}
#: Columns of angles and torques that tell which machine was recorded.
COLUMNS = {
    "single": {"phi_rad"},
    "double": {"phi1_rad", "phi2_rad"},
    "driven": {"q1_rad", "q2_rad", "tau1_Nm", "tau2_Nm"},
}
#: How long zeros are fitted [s]: of a run that stays below, and of a swing-up.
SETTLING, SETTLING_SWING_UP = 3.0, 2.0
#: The cosine of the first angle at the limit between below and above.
LIMIT = -0.5
#: What a file that is no recording may cause.
UNREADABLE = (OSError, EOFError, ValueError, TypeError, zlib.error)


@cache
def published(kind: str) -> Field:
    """Return a machine with the constants of its source."""
    if kind == "single":
        return measured_pendulum().compile()
    return driven(measured_double_pendulum(motors=kind == "driven"))


def fit_single() -> MotionFit:
    """Fit the free single pendulum: dry friction and drag, without viscous friction."""
    large = recording("free-single-fit-large").between(6, 45)
    small = recording("free-single-fit-small").between(0, 5.5)
    guess = published("single").with_parameters({"b": 0.0})
    return fit_motion(guess, [large, small], ["omega_0", "f", "d", "z"], window=1.0)


def fit_double() -> MotionFit:
    """Fit the free double pendulum; one first moment of mass is held, since ratios matter only."""
    runs = [recording("free-double-fit-large"), recording("free-double-fit-small")]
    vary = ["J_1", "J_2", "J_c", "s_1", "b_1", "b_2", "f_1", "f_2", *ZEROS]
    return fit_motion(published("double"), runs, vary, window=0.5, cutoff=25.0)


@cache
def regressor() -> Regressor:
    """Return the driven machine's equations, linear in all constants, with small zeros.

    A zero z of an encoder adds terms, which are multiplied by the constants k of each recording:
    s cos(θ - z) is about s cos θ + s z sin θ.
    """
    q = theta_1, theta_2 = me.dynamicsymbols("theta_1 theta_2")
    u = [angle.diff() for angle in q]
    J_1, J_12, J_2, J_c, s_1, s_2, *friction = sm.symbols(NAMES, real=True)
    k_1, k_2, k_3 = sm.symbols("k_1:4", real=True)
    coupling = J_c * sm.cos(theta_2) + k_3 * sm.sin(theta_2)
    T = J_1 * u[0] ** 2 / 2 + J_12 * u[0] * u[1] + J_2 * u[1] ** 2 / 2
    T += coupling * u[0] * (u[0] + u[1])
    both = theta_1 + theta_2
    V = -9.81 * (s_1 * sm.cos(theta_1) + s_2 * sm.cos(both))
    V -= 9.81 * (k_1 * sm.sin(theta_1) + k_2 * sm.sin(both))
    torques = me.dynamicsymbols("tau_1 tau_2")
    parts = zip(q, u, torques, friction[:2], friction[2:])
    Q = {angle: tau - b * v - f * sm.tanh(v / 0.1) for angle, v, tau, b, f in parts}
    equations = EquationsOfMotion.from_lagrangian(T, V, q, Q)
    return Regressor(equations, sm.symbols(NAMES, real=True), [k_1, k_2, k_3])


def weak_form(names: tuple[str, ...] = FITTED) -> Field:
    """Fit the driven machine by linear least squares."""
    Y, y = regressor().weak_form([recording(name) for name in names], width=0.4)
    found, *_ = np.linalg.lstsq(Y, y)
    return published("driven").with_parameters(dict(zip(NAMES, found.tolist())))


def shooting(names: tuple[str, ...], window: float) -> Field:
    """Fit the driven machine by multiple shooting, from the constants of the weak form."""
    runs = [recording(name).every(2) for name in names]
    fit = fit_motion(weak_form(names), runs, NAMES, ZEROS, window=window)
    return fit.fields[0].with_parameters(dict.fromkeys(ZEROS, 0.0))


#: The final model of each kind of machine, and what it is called.
FITS: dict[str, tuple[str, Callable[[], Field]]] = {
    "single": ("free single pendulum, multiple shooting", lambda: fit_single().fields[0]),
    "double": ("free double pendulum, multiple shooting", lambda: fit_double().fields[0]),
    "driven": ("driven double pendulum, weak form", weak_form),
}


def with_zeros(f: Field, run: Recording, duration: float) -> Field:
    """Return the model with the zeros of the encoders, from the beginning of a run."""
    begin = run.between(run.t[0], run.t[0] + duration).every(2)
    return fit_motion(f, begin, [], ZEROS, penalty=dict.fromkeys(ZEROS, 1.0)).fields[0]


def kind_of(path: Path) -> str:
    """Return the kind of machine that a file recorded: ``single``, ``double``, or ``driven``."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        columns = [name.strip() for name in file.readline().split(",")]
    found = {name for name in columns if name.startswith(("phi", "q", "tau"))}
    for kind, expected in COLUMNS.items():
        if found == expected:
            return kind
    raise ValueError(f"no model has its columns: {', '.join(columns)[:80]}")


def is_swing_up(run: Recording) -> bool:
    return bool((np.cos(run.q[:, 0]) < LIMIT).any())


def starts_below(run: Recording, after: float) -> Array:
    """Tell for each start of `prediction_errors` whether the first link stays below."""
    t = run.t
    first = np.searchsorted(t, np.arange(t[0] + 0.1, t[-1] - after - 0.1, 0.1))
    last = np.searchsorted(t, t[first] + after)
    cosine = np.cos(run.q[:, 0])
    return np.array([(cosine[a : b + 1] > LIMIT).all() for a, b in zip(first, last)])


def rms(errors: Array) -> Array:
    return np.sqrt(np.mean(errors**2, axis=0))


def scores(kind: str, f: Field, run: Recording) -> Iterator[tuple[str, float, Array, Array]]:
    """Yield which starts, the time [s], and the RMS [rad] of the final and the published model."""
    above = kind == "driven" and is_swing_up(run)
    if kind == "driven":
        f = with_zeros(f, run, SETTLING_SWING_UP if above else SETTLING)
        run = run if above else run.between(run.t[0] + SETTLING, run.t[-1])
    cutoff = CUTOFFS[kind]
    for after in TIMES[kind]:
        found, sheet = (
            prediction_errors(model, run, after, cutoff=cutoff) for model in (f, published(kind))
        )
        yield "all starts" if above else "", after, rms(found), rms(sheet)
        below = starts_below(run, after)[: len(found)]
        if above and below.any():
            yield "starts below", after, rms(found[below]), rms(sheet[below])


def shown(angles: Array) -> str:
    """Return angles in milliradians."""
    return " / ".join(f"{1e3 * angle:.{0 if angle > 0.1 else 1}f}" for angle in angles)


def table(paths: list[Path], models: dict[str, Field]) -> Iterator[str]:
    """Yield the lines of the table, then medians of driven runs, then files that were skipped."""
    yield "| recording | after [s] | final model [mrad] | published [mrad] | ratio |"
    yield "|---|---|---|---|---|"
    skipped, of_driven = [], {after: [] for after in TIMES["driven"]}
    for path in paths:
        try:
            kind = kind_of(path)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an empty file
                run = read_recording(path)
            rows = list(scores(kind, models[kind], run))
        except UNREADABLE as error:
            skipped.append(f"Skipped {path.name}: {error}")
            continue
        for starts, after, found, sheet in rows:
            name = f"{run.name}, {starts}" if starts else run.name
            ratio = " / ".join(f"{a / b:.2f}" for a, b in zip(found, sheet))
            yield f"| {name} | {after:g} | {shown(found)} | {shown(sheet)} | {ratio} |"
            if kind == "driven" and not starts:
                of_driven[after].append(found)
    for after, found in of_driven.items():
        if found:
            yield (
                f"| median of driven runs without swing-ups: {len(found)} | {after:g} "
                f"| {shown(np.median(found, axis=0))} | | |"
            )
    yield from chain([""] if skipped else [], skipped)


def compared() -> Iterator[str]:
    """Yield how well each of the fitted runs is predicted by models fitted to the other two."""
    yield "| driven machine, from the other runs | after [s] | run by run [mrad] | RMS [mrad] |"
    yield "|---|---|---|---|"
    methods: dict[str, Callable[[tuple[str, ...]], Field]] = {
        "weak form": weak_form,
        "shooting, windows of 0.3 s": lambda names: shooting(names, 0.3),
        "shooting, windows of 0.5 s": lambda names: shooting(names, 0.5),
    }
    for method, fit in methods.items():
        runs = []
        for name in FITTED:
            f = fit(tuple(other for other in FITTED if other != name))
            runs.append([found for _, _, found, _ in scores("driven", f, recording(name))])
        for after, found in zip(TIMES["driven"], np.swapaxes(runs, 0, 1)):
            one_by_one = "; ".join(map(shown, found))
            yield f"| {method} | {after:g} | {one_by_one} | {shown(rms(found))} |"


def in_numpy(p: dict[str, float], run: Recording, first: Array, steps: int, x: Array) -> Array:
    """Return the motions of `WindowedRuns`: RK4 in NumPy, with one array operation for all runs."""

    def rates(x: Array, torque: Array) -> Array:
        q_1, q_2, u_1, u_2 = x
        c, s = np.cos(q_2 - p["z_2"]), np.sin(q_2 - p["z_2"])
        M_11, M_12 = p["J_1"] + 2 * p["J_c"] * c, p["J_12"] + p["J_c"] * c
        F = torque - friction(u_1, u_2)
        lower = p["g"] * p["s_2"] * np.sin(q_1 + q_2 - p["z_1"] - p["z_2"])
        F[0] += p["J_c"] * s * u_2 * (2 * u_1 + u_2)
        F[0] -= p["g"] * p["s_1"] * np.sin(q_1 - p["z_1"]) + lower
        F[1] -= p["J_c"] * s * u_1**2 + lower
        determinant = M_11 * p["J_2"] - M_12**2
        v_1 = (p["J_2"] * F[0] - M_12 * F[1]) / determinant
        v_2 = (M_11 * F[1] - M_12 * F[0]) / determinant
        return np.array([u_1, u_2, v_1, v_2])

    def friction(*u: Array) -> Array:
        return np.array(
            [
                p[f"b_{i}"] * v + p[f"f_{i}"] * np.tanh(v / p["w"]) + p[f"d_{i}"] * v * np.abs(v)
                for i, v in enumerate(u, 1)
            ]
        )

    motion = [x.T]
    for k in range(steps):
        x, h = motion[-1], run.t[first + k + 1] - run.t[first + k]
        begin, end = run.torque[first + k].T, run.torque[first + k + 1].T
        middle = (begin + end) / 2
        k_1 = rates(x, begin)
        k_2 = rates(x + h / 2 * k_1, middle)
        k_3 = rates(x + h / 2 * k_2, middle)
        k_4 = rates(x + h * k_3, end)
        motion.append(x + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + k_4))
    return np.array(motion).transpose(2, 0, 1)


def windows(rounds: int = 5) -> dict[str, float]:
    """Return times [s] of all windows of 0.5 s of a driven run, and how far results are apart."""
    run, f, steps = recording(FITTED[1]), weak_form(), 250
    first = np.arange(0, len(run.t) - steps, steps)
    x = np.hstack([run.q, run.speeds(15.0)])[first]
    compiled = WindowedRuns(f, run, first, steps)
    p = dict(f.parameters)
    apart = np.abs(compiled(f.values, x) - in_numpy(p, run, first, steps, x)).max()
    ours, peer = best_times(
        lambda: compiled(f.values, x), lambda: in_numpy(p, run, first, steps, x), rounds=rounds
    )
    return {"time": ours, "peer_time": peer, "apart": float(apart), "windows": len(first)}


def rows() -> Iterator[Row]:
    """Yield the row about windows of a measured motion."""
    run = windows()
    yield (
        f"{run['windows']} windows of 250 RK4 steps along a recording, against NumPy, all at once",
        f"{run['peer_time'] / run['time']:.0f} times as fast",
        f"{1e3 * run['time']:.2f} and {1e3 * run['peer_time']:.1f} ms; {run['apart']:.0e} apart",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, help="folder of recordings")
    parser.add_argument("--compare", action="store_true", help="also compare methods")
    chosen = parser.parse_args()
    files = [*chosen.folder.glob("*.csv"), *chosen.folder.glob("*.csv.gz")]
    if chosen.folder == DATA:
        files = [path for path in files if "heldout" in path.name]
    if not files:
        raise SystemExit(f"{chosen.folder} contains no files .csv or .csv.gz")
    with threadpool_limits(1):
        models = {}
        for kind, (name, fit) in FITS.items():
            start = time.process_time()
            models[kind] = fit()
            print(f"{name}: fitted in {time.process_time() - start:.2f} s of CPU")
        print()
        for line in table(sorted(files), models):
            print(line, flush=True)
        if chosen.compare:
            print()
            for line in compared():
                print(line, flush=True)
        print("\n| what | result | measured |\n|---|---|---|")
        for row in rows():
            print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
