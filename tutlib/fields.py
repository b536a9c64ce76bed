"""Fields f(t, x): the common form of all right-hand sides in integrators, ensembles, and panels.

Fields are the interface of the course: mechanics produces fields, and methods accept them, so that
neither depends on the other. Chapter 1 introduces the first field, for one swinging arm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function as read_function
from straightline.arguments import (
    numbers_by_name,
    read_only,
    real_array,
    real_number,
    refuse_masked,
    shown,
)
from straightline.compiled_function import Compiled
from straightline.evaluator import Evaluator
from straightline.formulas import Formula
from straightline.numpy_protocol import is_unknown, unknowns
from straightline.tracing import CannotTrace, repeatable
from tutlib.aliases import Function
from tutlib.spaces.space import Space, read_space

_FLOAT = np.dtype(float)


class OpenLoopWarning(RuntimeWarning):
    """Warning that an initial state violates constraints which the equations do not restore."""


class SingularPoseWarning(RuntimeWarning):
    """Warning that a trajectory passes a pose with nearly dependent constraint gradients."""


class Mechanism(Protocol):
    """Information on a mechanism that a field carries, for singular states and for messages."""

    def suited(self, f: Field, t: float, x: Array) -> Field:
        """Return the field, or one that handles redundant constraints, if a state requires it."""
        ...

    def explain(self, f: Field, t: float, x: Array) -> None:
        """Raise an error that explains why f(t, x) is not finite, if the reason is known."""
        ...

    def check_start(self, f: Field, t: float, x: Array) -> None:
        """Warn of, or reject, an initial state that does not satisfy the equations."""
        ...

    def check_motion(self, t: Array, x: Array) -> tuple[int, str] | None:
        """Return the last row at which the equations hold and the reason, if they cease to hold."""
        ...

    def source(self, f: Field) -> str:
        """Return the equations as text."""
        ...


@dataclass(frozen=True, eq=False)
class Field:
    """Right-hand side f(t, x) of x' = f(t, x), with its space and parameters; call it to evaluate.

    Parameters
    ----------
    function : function (t, x, **parameters) -> array, shape (algebra,)
        A Python function, called at every step; pass ``compiled(function)`` to run it compiled.
    space : Space, optional
        State space, such as a Lie group; the default is ℝᵏ.
    parameters : mapping from str to float
        Values [SI units].
    names : tuple of str
        LaTeX names of the k entries of x.
    coordinates : int, optional
        Number of states that are coordinates.
    formula : Formula or function (t, x, p) -> sequence of numbers, optional
        Formula of dx/dt, instead of a function, for floats or symbolic unknowns. Such a field runs
        compiled.
    mechanism : Mechanism, optional
        Information that equations of motion provide about their mechanism.

    References
    ----------
    :cite:p:`IserlesEtAl2000`, section 2.
    """

    function: Callable[..., Any] | None
    space: Space | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    coordinates: int | None = None
    formula: Callable[..., Any] | None = None
    mechanism: Mechanism | None = None

    def __post_init__(self) -> None:
        if self.formula is None:
            read_function(self.function, "the field", "t, x, **parameters")
        if self.space is not None:
            read_space(self.space)
        if isinstance(self.function, Compiled) or self.parameters != {}:
            values = numbers_by_name(self.parameters, "parameters")
            if isinstance(self.function, Compiled):
                values = self.function.parameters | values
            object.__setattr__(self, "parameters", values)

    def __call__(self, t: float, x: ArrayLike) -> Array:
        """Evaluate dx/dt; return it as a new array.

        Parameters
        ----------
        t : float
            Time [s].
        x : array, shape (k,)
            State.

        Returns
        -------
        array, shape (k,)
            The derivative; on a space, an element of the algebra.

        Raises
        ------
        TypeError
            If t, x, or the value of the function does not consist of real numbers.
        ValueError
            If a shape is wrong, or the equations do not determine dx/dt at this state.
        """
        if type(x) is not np.ndarray or x.dtype is not _FLOAT or type(t) is not float:
            if is_unknown(x) or is_unknown(t):
                return self._of_unknown(t, x)
            x = real_array(x, "x", finite=False)
        if self.formula is not None:
            return self._of_formula(t, x)
        if self.space is not None and x.shape != (self.space.dimension,):
            real_array(x, "x", (self.space.dimension,), finite=False)
        return self.rate(t, x)

    @cached_property
    def rate(self) -> Callable[[float, Array], Array]:
        """The function without checks, as called by steps."""
        call, space = self.written, self.space
        algebra = None if space is None else (space.algebra,)

        def rate(t: float, x: Array) -> Array:
            value = call(t, x.copy())
            shape = algebra or x.shape
            if type(value) is np.ndarray and value.dtype is _FLOAT and value.shape == shape:
                return value.copy()
            return read_slope(value, shape, space)

        return rate

    def begin(self, t: float, x: Array) -> tuple[Field, Array]:
        """Return the field, adapted to an initial state, and its value there.

        Parameters
        ----------
        t : float
            Initial time [s].
        x : array, shape (k,)
            Initial state.

        Raises
        ------
        TypeError, ValueError
            As for a call.

        Warns
        -----
        OpenLoopWarning
            If the state does not satisfy the constraints of the equations.
        """
        if self.formula is None:
            slope = self(t, x)
            self.check_compiled(t, x)
            return self, slope
        f, slope = self, np.full(len(x), np.nan)
        if len(x) == (len(self.names) or len(x)):
            slope = self._evaluator(len(x)).one(t, x)
        if not np.isfinite(slope).all():
            slope = self(t, x)
            f = self.suited(t, x)
        if self.mechanism is not None:
            self.mechanism.check_start(f, t, x)
        return f, slope

    def check_compiled(self, t: float, x: Array) -> None:
        """Reject, at an initial state, a function marked with ``compiled`` that cannot be compiled.

        It is traced again for each run, because globals may have changed since the last one.

        Raises
        ------
        CannotTrace
        """
        if not isinstance(self.function, Compiled):
            return
        self._traces.clear()
        self.function.check_pure(t, x, **self.parameters)
        try:
            self.traced(len(x))
        except CannotTrace:
            self.written(t, x.copy())  # the function stores a number again
            raise

    def suited(self, t: float, x: Array) -> Field:
        """Return the field, or one that handles redundant constraints, if a state requires it."""
        return self.mechanism.suited(self, t, x) if self.mechanism is not None else self

    def knowing(self, value: Array) -> Field:
        """Return a field whose first call returns a value that is already computed."""
        known = [value]

        def f(t: float, x: Array) -> Array:
            return known.pop() if known else self(t, x)

        return Field(f, self.space, coordinates=self.coordinates)

    def with_parameters(self, values: Mapping[str, float]) -> Field:
        """Return the field with new values for those parameters that it has."""
        changed = {name: value for name, value in values.items() if name in self.parameters}
        if not changed:
            return self
        other = replace(self, parameters={**self.parameters, **changed})
        other.__dict__["_traces"] = self._traces  # a formula does not contain the values
        return other

    def program(self, states: int) -> Callable[..., Any] | None:
        """Return the field as a formula of (t, x, p) if it runs compiled, else None.

        Parameters
        ----------
        states : int
            The number k of states.

        Raises
        ------
        CannotTrace
            If it is marked with ``compiled`` and cannot be compiled.
        """
        if self.formula is not None:
            return self.formula
        return self.traced(states) if isinstance(self.function, Compiled) else None

    def traced(self, states: int) -> Callable[..., Any]:
        """Return the field as a formula of (t, x, p), whether or not it is to run compiled.

        Parameters
        ----------
        states : int
            The number k of states.

        Raises
        ------
        CannotTrace
        """
        if self.formula is not None:
            return self.formula
        if states not in self._traces:
            lengths = (None, states, len(self.parameters))
            formula = Formula(self._compiled.formula, lengths, tuple(self.parameters))
            self._traces[states] = repeatable(formula, *lengths)
        return self._traces[states]

    @cached_property
    def written(self) -> Callable[..., Any]:
        """The Python function, with the values of its parameters."""
        if self.formula is not None:
            return self
        words, function = dict(self.parameters), self.function
        while isinstance(function, Field | Compiled):
            words, function = dict(function.parameters) | words, function.function
        called: Any = function
        return partial(called, **words) if words else called

    @cached_property
    def values(self) -> Array:
        """The values of the parameters, in order."""
        return read_only(np.array(list(self.parameters.values()), dtype=float))

    @property
    def source(self) -> str:
        """Readable source of the equations: named common subexpressions, then M u' = F."""
        if self.mechanism is not None:
            return str(self.mechanism.source(self))
        return str(self.formula.__doc__)

    def __getstate__(self) -> dict[str, object]:
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @cached_property
    def _compiled(self) -> Compiled:
        function: Any = self.function
        return function if isinstance(function, Compiled) else Compiled(function, {})

    @cached_property
    def _traces(self) -> dict[int, Formula]:
        return {}

    @cached_property
    def _evaluators(self) -> dict[int, Evaluator]:
        return {}

    def evaluate(self, t: float, x: Array) -> Array:
        """Return the value of the formula at a state, without warnings if it is not finite."""
        return self._evaluator(len(x))(t, x)

    def _evaluator(self, states: int) -> Evaluator:
        if states not in self._evaluators:
            self._evaluators[states] = Evaluator(self.formula, states, self.values)  # type: ignore[arg-type]
        return self._evaluators[states]

    def _of_formula(self, t: float, state: Array) -> Array:
        k = len(self.names)
        if k and state.shape != (k,):
            raise ValueError(
                f"x must have shape ({k},), one entry for each of "
                f"{', '.join(self.names)}; got shape {state.shape}"
            )
        if state.ndim != 1:
            real_array(state, "x", ("k",), finite=False)
        value = self._evaluator(len(state))(real_number(t, "t"), state)
        if np.isfinite(value).all() or not np.isfinite(state).all():
            return value
        if (suited := self.suited(t, state)) is not self:
            return suited(t, state)
        if self.mechanism is not None:
            self.mechanism.explain(self, float(t), state)
        return value

    def _of_unknown(self, t: Any, x: Any) -> Array:
        if self.formula is not None:
            return unknowns(self.formula(t, x, self.values))
        function: Any = self.function
        value = function(t, x, **self.parameters)
        return np.atleast_1d(unknowns(value))


def as_field(f: Function, space: Space | None = None) -> Field:
    """Return a right-hand side, given as a field or a function, as a field.

    Parameters
    ----------
    f : function (t, x) -> array, or Field
    space : Space, optional
        Replaces the space of a field.

    Raises
    ------
    TypeError
        If ``space`` is not a space.
    """
    if not isinstance(f, Field):
        return Field(f, space)
    return f if space is None else replace(f, space=space)


def read_slope(value: object, shape: tuple[int, ...], space: Space | None = None) -> Array:
    """Return the value of a field as a new array of floats or symbolic unknowns.

    Parameters
    ----------
    value : array, shape (algebra,)
        A number is accepted if the array has a single entry.
    shape : tuple of int
        (algebra,)
    space : Space, optional
        The space to name in messages.

    Raises
    ------
    TypeError
        If it contains anything but numbers.
    ValueError
        If its shape is wrong.
    """
    refuse_masked(value, "the value of f")
    with suppress(ValueError):  # of rows of different lengths
        slope = np.array(value)
        if slope.dtype == _FLOAT and slope.shape == shape:
            return slope
    slope = np.array(value, dtype=object) if is_unknown(value) else _floats(value)
    slope = slope.reshape(1) if slope.shape == () and shape == (1,) else slope
    if slope.shape != shape:
        if space is not None:
            space.refuse_slope(slope.shape)
        raise ValueError(
            f"f must return one derivative per state, shape {shape}; got shape {slope.shape}"
        )
    return slope


def _floats(value: object) -> Array:
    try:
        slope = np.array(value)
    except ValueError:
        raise ValueError(f"f must return one derivative per state; got {shown(value)}") from None
    if slope.dtype.kind not in "fiub":
        came = "None: is a return missing?" if value is None else shown(value)
        raise TypeError(f"f must return real numbers; got dtype {slope.dtype}: {came}")
    return slope.astype(float)


@dataclass(frozen=True, eq=False)
class ImplicitEquations:
    """Implicit equations F(t, x, ẋ) = 0 of index 1, such as those of a mechanism with constraints.

    Chapter 6 writes such a residual by hand for the four-bar linkage. A stiff x' = f(t, x) is
    ``ImplicitEquations(lambda t, x, xdot: xdot - f(t, x), f, ())``.

    Parameters
    ----------
    residual : function (t, x, ẋ) -> array of shape (k,)
        The residual F, zero along a trajectory.
    rates : function (t, x) -> array of shape (k,)
        The derivative ẋ at a consistent state.
    algebraic : tuple of int
        Indices in x (not rows of the residual) of the states whose derivatives appear in no row.
    names : tuple of str
        LaTeX names of the k states, if they have any.
    units : tuple of float
        Natural scales of the states, if they are known; 1 otherwise.
    """

    residual: Callable[[float, Array, Array], Array]
    rates: Callable[[float, Array], ArrayLike]
    algebraic: tuple[int, ...]
    names: tuple[str, ...] = ()
    units: tuple[float, ...] = ()
