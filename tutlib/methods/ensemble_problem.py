"""Problem of an ensemble: checked, traced, and compiled for any number of initial states."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, instance, real_array, real_number, shown, whole_number
from straightline.assignments import Number
from straightline.compiled_function import Compiled
from tutlib.aliases import Function
from tutlib.fields import Field, as_field
from tutlib.methods.checks import check_start, check_step_size
from tutlib.methods.comparison import STATES, compare_rates, compare_values
from tutlib.methods.ensemble_loop import EnsembleLoop, ensemble_program
from tutlib.methods.ensemble_results import Ensemble
from tutlib.methods.ensemble_work import RNG, FirstCalls, Own, PlainWork, Work, names_taken
from tutlib.methods.steps import Tableau, TableauStep, find_tableau
from tutlib.methods.trajectory import Trajectory
from tutlib.spaces.space import Space, read_space

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


Watched = Callable[[float, Array], ArrayLike]


@dataclass(frozen=True)
class InitialConditions:
    """Initial states and parameters of the motions of an ensemble, read block by block.

    Parameters
    ----------
    starts : array, shape (N, k), or an object with a shape that returns rows like one
        Initial states; or one state for all motions, shape (k,).
    values : tuple of array, shape (N,)
        The parameters that vary from motion to motion.
    names : tuple of str
        The names of these parameters.
    count : int
        The number of motions N.
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
        """Return initial states and varied parameters of some motions: shapes (n, k), (n, m)."""
        count = rows.stop - rows.start
        shape = (count, self.states)
        whole = self.starts[rows] if len(self.starts.shape) == 2 else self.starts
        starts = np.broadcast_to(real_array(whole, "starts", finite=False), shape)
        columns = [real_array(values[rows], name) for name, values in zip(self.names, self.values)]
        return starts, np.stack(columns, axis=-1) if columns else np.empty((count, 0))

    def blocks(self, size: int) -> Iterator[slice]:
        """Generate the rows of the parts, with a limited number of motions each."""
        for first in range(0, self.count, size):
            yield slice(first, min(first + size, self.count))


def initial_conditions(
    f: Field, starts: ArrayLike, varied: Mapping[str, ArrayLike], seed: int | None
) -> InitialConditions:
    """Return the initial conditions of an ensemble.

    Parameters
    ----------
    f : Field
    starts : array
    varied : mapping from str to array
        Parameters that vary from motion to motion.
    seed : int, optional
        If given, the number of each motion is added as the parameter ``rng``.

    Raises
    ------
    TypeError, ValueError
        If a shape or a number is wrong.
    """
    names = tuple(varied)
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
        raise ValueError("starts is empty: pass at least one initial state")
    if seed is not None:
        names, values = (*names, RNG), (*values, np.arange(count))
    motions = InitialConditions(begin, values, names, count)
    _refuse_starts(motions, f.space)
    return motions


def _rows_of(value: object, name: str) -> Any:
    """Return a source of rows: a file or lazy array itself, a copy of anything else."""
    lazy = hasattr(value, "shape") and hasattr(value, "__getitem__")
    if lazy and (isinstance(value, np.memmap) or not isinstance(value, np.ndarray)):
        return value
    return np.array(real_array(value, name, finite=False))


def _refuse_starts(motions: InitialConditions, space: Space | None) -> None:
    """Reject nonfinite initial states and parameters, and states that are not on the space."""
    for rows in motions.blocks(1024):
        starts, _ = motions.part(rows)
        if not np.isfinite(starts).all():
            row = int(np.argmin(np.isfinite(starts).all(axis=1)))
            raise ValueError(
                f"every initial state must be finite; row {rows.start + row} of starts is "
                f"{starts[row]}"
            )
        for row, start in enumerate(starts if space else ()):
            if space and (wrong := space.refuse(start)):
                raise ValueError(
                    f"row {rows.start + row} of starts is not on {space.name}: {wrong}"
                )


def check_limits(limits: ArrayLike | None, k: int) -> Array:
    """Return a limit for each state, the largest float for no limit; reject invalid ones."""
    limits = np.full(k, np.inf) if limits is None else limits
    bounds = np.array(real_array(limits, "limits", finite=False))
    if bounds.shape != (k,):
        raise ValueError(
            f"limits must have shape ({k},), one for each state; got shape {bounds.shape}"
        )
    if not (bounds >= 0).all():
        raise ValueError(
            f"limits must be zero or positive, inf for no limit; got {bounds.tolist()}"
        )
    bounds[np.isinf(bounds)] = np.finfo(float).max  # beyond it a motion is over in any case
    return bounds


def number_of_steps(t_end: float, h: float) -> int:
    """Return the number of steps to the final time; reject a fraction of a step."""
    t_end = real_number(t_end, "t_end", finite=False)
    steps = round(t_end / h) if np.isfinite(t_end) else 0
    if steps < 1 or abs(steps * h - t_end) > 1e-9 * t_end:
        raise ValueError(f"t_end must be a positive multiple of h = {h}; got {t_end}")
    return steps


@dataclass(frozen=True)
class Problem:
    """The integration of an ensemble, ready to run.

    Parameters
    ----------
    work : Work or PlainWork
    initial : InitialConditions
    loop : EnsembleLoop or None
        None if it is run as it is written.
    about : dict
        Description for readers.
    compare : function (starts, values, part), optional
        Rejects compiled functions that differ from their Python functions, at some initial and
        final states of a part.
    """

    work: Work | PlainWork
    initial: InitialConditions
    loop: EnsembleLoop | None
    about: dict[str, Any]
    compare: Callable[[Array, Array, Ensemble], None] | None = None

    @property
    def text(self) -> str:
        """Everything but the initial conditions that determines the results, on any computer.

        Raises
        ------
        ValueError
            If a function is not compiled, because two such functions cannot be compared.
        """
        work = self.work
        if self.loop is None or isinstance(work, PlainWork):
            raise ValueError(
                "a store needs compiled functions: pass compiled(f), and likewise for other "
                "functions"
            )
        numbers = [work.h, work.steps, *work.values, *work.limits, *self.initial.names]
        return "\n".join([work.program.code.hex(), *map(repr, numbers)])


def make_problem(
    f: Function,
    starts: ArrayLike,
    t_end: float,
    h: float,
    limits: ArrayLike | None,
    method: str | Tableau,
    parameters: Mapping[Named, ArrayLike] | None,
    until: Watched | None,
    observe: Watched | None,
    after_step: Watched | None,
    space: Space | None = None,
    seed: int | None = None,
) -> Problem:
    """Return the problem that the arguments of `ensemble` define, checked and compiled."""
    seed = None if seed is None else whole_number(seed, "seed", 0)
    by_symbol = instance({} if parameters is None else parameters, "parameters", Mapping)  # type: ignore[type-abstract]
    varied = {str(name): values for name, values in by_symbol.items()}
    called: dict[str, Any] = {"f": f, "after_step": after_step, "until": until, "observe": observe}
    functions = {
        name: _with_varied(each, name, varied, seed)
        for name, each in called.items()
        if each is not None or name == "f"
    }
    _refuse_unknown_names(varied, functions.values(), seed)
    field = as_field(functions.pop("f"), None if space is None else read_space(space))
    step = TableauStep(find_tableau(method, "an ensemble"), field.space)
    h = check_step_size(h)
    begin = initial_conditions(field, starts, varied, seed)
    steps, bounds = number_of_steps(t_end, h), check_limits(limits, begin.states)
    first = FirstCalls(*(rows[0] for rows in begin.part(slice(0, 1))))
    own = Own(begin.names, first.values, seed)
    x = first.x
    if field.formula is None:
        first.slope = own(field).begin(0.0, x)[1]
    else:
        field = field.suited(0.0, x)
    if (after := functions.get("after_step")) is not None:
        functions["after_step"] = after = after.suited(0.0, x)
        if isinstance(after_step, Field) and not begin.names:  # a projection
            check_start(after.written, 0.0, x, field.names)
    if "until" in functions:
        value = own(functions["until"]).written(0.0, x.copy())
        first.until = real_number(value, "until(t, x)", finite=False)
    if "observe" in functions:
        first.observe = _read_observed(own(functions["observe"]).written(0.0, x.copy()))
    observed = None if first.observe is None else first.observe.shape
    for each in functions.values():
        own(each).check_compiled(0.0, x)
    known = _all_parameters(field, functions, varied)
    about: dict[str, Any] = {"states": list(field.names) or begin.states}
    about |= {"h": h, "t_end": steps * h, "method": step.method.name, "limits": bounds.tolist()}
    about |= {"parameters": known, "varied": list(begin.names)}
    if any(each.program(begin.states) is None for each in (field, *functions.values())):
        plain = PlainWork(
            field, step, h, steps, bounds, begin.names, observed, functions, seed, first
        )
        return Problem(plain, begin, None, about)
    loop = _loop(field, step, begin, functions, known, observed)
    work = Work(ensemble_program(loop), np.array([*known.values()]), h, steps, bounds, observed)
    written = [each for each in functions.values() if each.function is not None]
    compare = partial(_compare_ends, field, begin.names, written)
    return Problem(work, begin, loop, about, compare)


def _with_varied(f: Function, name: str, varied: Mapping[str, object], seed: int | None) -> Field:
    """Return a function as a field, with those varied parameters that it takes by name."""
    takes = names_taken(f)
    own = [each for each in takes if each in varied]
    random = seed is not None and RNG in takes
    try:
        function(f, name, "t, x", [*own, *([RNG] * random)])
    except TypeError as error:
        if not takes:
            raise
        hint = "a seed gives rng" if RNG in takes else "parameters gives values by name"
        raise TypeError(f"{error}; {hint}") from None
    field = as_field(f)
    if random and isinstance(field.function, Compiled):
        raise ValueError(
            f"{name} draws random numbers (rng) and cannot be compiled: leave out compiled"
        )
    missing = dict.fromkeys((each for each in own if each not in field.parameters), 0.0)
    return replace(field, parameters={**field.parameters, **missing}) if missing else field


def _refuse_unknown_names(
    varied: Mapping[str, object], fields: Iterable[Field], seed: int | None
) -> None:
    """Reject a varied parameter or a seed that no function takes."""
    if seed is not None and RNG in varied:
        raise ValueError(
            "rng is the generator that each motion gets from the seed: leave it out of parameters"
        )
    fields = list(fields)
    known = list(dict.fromkeys(name for field in fields for name in field.parameters))
    for name in varied:
        if name not in known:
            there = (
                f"choose from {', '.join(known)}"
                if known
                else "no function takes parameters by name"
            )
            raise ValueError(f"no parameter {shown(name)} can vary: {there}")
    if seed is not None and not any(RNG in names_taken(field) for field in fields):
        raise ValueError(
            "a seed is for functions with a parameter rng, such as after_step(t, x, rng); there "
            "is none"
        )


def _all_parameters(
    f: Field, functions: Mapping[str, Field], varied: Iterable[str]
) -> dict[str, float]:
    """Return the parameters of a program: of f, of the correction, and further varied ones."""
    known = dict(f.parameters)
    for name, each in functions.items():
        for parameter, value in each.parameters.items():
            if name == "after_step" or parameter in varied:
                known.setdefault(parameter, value)
    return known


def _read_observed(value: object) -> Array:
    seen = np.array(real_array(value, "observe(t, x)", finite=False))
    if seen.ndim > 1 or seen.shape == (0,):
        raise ValueError(
            f"observe(t, x) must return a number or a row of them; got shape {seen.shape}"
        )
    return seen


def _compare_ends(
    f: Field,
    names: tuple[str, ...],
    functions: Sequence[Field],
    starts: Array,
    values: Array,
    part: Ensemble,
) -> None:
    """Reject compiled functions that differ from their Python functions."""
    over = np.flatnonzero(np.isfinite(part.x).all(axis=1) & (part.t > 0.0))
    for i in over[:: max(1, -(-len(over) // (STATES // 2)))]:
        motion = Trajectory(np.array([0.0, part.t[i]]), np.array([starts[i], part.x[i]]))
        own = dict(zip(names, values[i].tolist()))
        if f.function is not None:
            compare_rates(f.with_parameters(own), motion)
        for each in functions:
            compare_values(each.with_parameters(own), motion)


def _loop(
    f: Field,
    method: TableauStep,
    begin: InitialConditions,
    functions: Mapping[str, Field],
    known: Mapping[str, float],
    observed: tuple[int, ...] | None,
) -> EnsembleLoop:
    """Return the loop that takes the steps."""
    names, parts = list(known), {}
    for name, each in functions.items():
        program: Any = each.program(begin.states)
        entries = [
            names.index(parameter)
            if parameter in begin.names or (name == "after_step" and known[parameter] == value)
            else None
            for parameter, value in each.parameters.items()
        ]
        parts[name] = _OfAll(program, tuple(entries), tuple(each.parameters.values()))
    return EnsembleLoop(
        f.program(begin.states),  # type: ignore[arg-type]
        f.coordinates,
        method,
        begin.states,
        len(known),
        len(f.values),
        tuple(map(names.index, begin.names)),
        correction=parts.get("after_step"),
        until=parts.get("until"),
        observe=parts.get("observe"),
        observed=0 if observed is None else math.prod(observed),
    )


@dataclass(frozen=True)
class _OfAll:
    """A formula in its own parameters, rewritten in terms of all parameters and constants."""

    formula: Callable[..., Any]
    indices: tuple[int | None, ...]
    constants: tuple[float, ...]

    def __call__(self, t: Number, x: Array, p: Sequence[Number]) -> list[Number]:
        own = [c if i is None else p[i] for i, c in zip(self.indices, self.constants)]
        return list(self.formula(t, x, own))
