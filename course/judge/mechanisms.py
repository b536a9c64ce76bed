"""Mechanism that is compared by its behavior: reachable states, accelerations, motion.

Two mechanisms with different coordinates are compared by their outputs: in the states in which both
have the same outputs and rates. Used by exercises that ask for a whole machine.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sm

from course.judge.probes import Probe, Response, StuckError, amount
from straightline.aliases import Array
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.derivations import partial_derivatives
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.linearization import linearize
from tutlib.methods.adaptive import integrate_adaptive
from tutlib.methods.trajectory import Trajectory
from tutlib.reading.names import label_of, listed

#: Random guesses for a state, in addition to the given one.
GUESSES = 12
_REACHED = 1e-9
_SINGULAR = 1e-9


@dataclass(frozen=True, eq=False)
class Mechanism:
    """Equations with named outputs, ready for comparison.

    Parameters
    ----------
    equations : EquationsOfMotion or ConstrainedEquations
        Equations with a symbol for each input.
    positions : dict from name to Expr
        Outputs that depend on coordinates only.
    others : dict from name to Expr
        All other outputs, such as energies.
    units : mapping from name to str
        Units of outputs; those in ``"rad"`` are angles, modulo a revolution.
    values : dict from name to float
        Values of symbols that a probe does not give.
    inputs : tuple of str
        Names of the symbols for inputs.
    """

    equations: EquationsOfMotion | ConstrainedEquations
    positions: Mapping[str, sm.Expr]
    others: Mapping[str, sm.Expr]
    units: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()

    @cached_property
    def loop(self) -> ConstrainedEquations | None:
        """The equations with their constraints; None if there are none."""
        return self.equations if isinstance(self.equations, ConstrainedEquations) else None

    @cached_property
    def whole(self) -> EquationsOfMotion:
        """The equations, with impulses of constraint forces as last speeds if there are any."""
        return self.loop.complete if self.loop else self.equations  # type: ignore[return-value]

    @cached_property
    def names(self) -> set[str]:
        """Names of all symbols."""
        every = [*self.positions.values(), *self.others.values()]
        symbols = set().union(*(e.free_symbols for e in every), self.whole.parameters)
        constraints = self.loop.parameters if self.loop else ()
        return {str(symbol) for symbol in symbols.union(constraints)} - {"t"}

    @property
    def degrees(self) -> int:
        """Number of degrees of freedom."""
        return len(self.whole.u) - 2 * self.whole.multipliers

    @property
    def speeds(self) -> int:
        """Number of speeds, without impulses of constraint forces."""
        return len(self.whole.u) - self.whole.multipliers

    @cached_property
    def _at_positions(self) -> list[sm.Matrix]:
        """Positions and constraints, and their Jacobian with respect to coordinates."""
        eom, phi = self.whole, sm.Matrix(self.loop.constraints if self.loop else [])
        y = sm.Matrix([*self.positions.values()])
        matrices = [m for m in (y, phi) if len(m)]
        slopes = [partial_derivatives(part, eom.u, eom.q)[1] for part in matrices]
        return [sm.Matrix.vstack(*matrices), sm.Matrix.vstack(*slopes)]

    @cached_property
    def _in_motion(self) -> list[sm.Matrix]:
        """Rates of the positions with Jacobian and drift, M, F, constraint rates, other outputs."""
        eom, y = self.whole, sm.Matrix([*self.positions.values()])
        changes = sm.Matrix(eom.rates)
        _, along, explicit = partial_derivatives(y, eom.u, eom.q)
        rates = along * changes + explicit
        by_speeds, by_positions, explicit = partial_derivatives(rates, eom.u, eom.q)
        drift = by_positions * changes + explicit
        held = sm.Matrix(self.loop.rates) if self.loop else sm.zeros(0, 1)
        others = sm.Matrix(len(self.others), 1, [*self.others.values()])
        return [rates, by_speeds, drift, eom.mass_matrix, eom.forcing, held, others]

    def _numbers(self, symbols: Sequence[sm.Symbol], values: Mapping[str, float]) -> dict[Any, Any]:
        by_name = {**self.values, **values}
        return {symbol: by_name[str(symbol)] for symbol in symbols if str(symbol) in by_name}

    def _evaluate(self, matrices: Sequence[sm.MatrixBase], probe: Probe) -> Any:
        """Return a function from x to the values of each matrix."""
        flat = [entry for part in matrices for entry in part]
        symbols = sorted(set().union(*(e.free_symbols for e in flat)), key=str)
        function = self.whole.compile_outputs(flat, self._numbers(symbols, probe.values))
        ends, more = np.cumsum([len(part) for part in matrices]), self.whole.multipliers

        def evaluate(x: Array) -> list[Array]:
            numbers = np.split(function(probe.t, np.concatenate([x, np.zeros(more)])), ends)
            return [part.reshape(m.shape) for part, m in zip(numbers, matrices)]

        return evaluate

    def probe(self, where: str, values: Mapping[str, float], x: Array, t: float = 0.0) -> Probe:
        """Return the probe of a state of this mechanism, corrected to satisfy the constraints.

        Raises
        ------
        ValueError
            If the constraints cannot be met near the state.
        """
        x = np.array(x, dtype=float)
        if self.loop:
            symbols = {*self.loop.parameters, *self.loop.equations.parameters}
            x = self.loop.consistent_state(self._numbers([*symbols], values), x, t=t)
        none = np.zeros(0)
        at = Probe(where, values, t, x, none, none, none)
        positions = self._evaluate(self._at_positions[:1], at)(x)[0].ravel()[: len(self.positions)]
        rates, along = self._evaluate(self._in_motion[:2], at)(x)
        free = _null_space(self._gradients(at, x)) if self.loop else np.eye(self.speeds)
        tangent = along[:, : self.speeds] @ free
        return Probe(where, values, t, x, positions, rates.ravel(), tangent)

    def state(self, probe: Probe) -> Array:
        """Return the coordinates and speeds of this mechanism in the state of a probe.

        Raises
        ------
        StuckError
            If it cannot reach the state or its rates, or its outputs do not determine its state.
        """
        missed, nearest = None, probe.rates
        for q, slopes in self._coordinates(probe):
            self._refuse_open(slopes, self.whole.q, probe)
            x, reachable = self._moving(probe, q)
            if _spans(reachable, np.column_stack([probe.rates, probe.tangent])):
                return x
            if missed is None:  # the direction with the largest error
                asked = np.column_stack([probe.rates, probe.tangent])
                near = reachable @ np.linalg.lstsq(reachable, asked, rcond=1e-12)[0]
                i = int(np.argmax(np.linalg.norm(asked - near, axis=0)))
                missed, nearest = asked[:, i], near[:, i]
        assert missed is not None
        raise StuckError(
            f"{probe.begun} your machine cannot move with the required velocity, "
            f"{self._listed(missed, '/s')}. The closest that it can reach is "
            f"{self._listed(nearest, '/s')}. Check your outputs and your constraints.",
            nearest,
        )

    def _moving(self, probe: Probe, q: Array) -> tuple[Array, Array]:
        """Return the state with the rates of a probe, and the possible rates of the outputs."""
        k, still = self.speeds, np.concatenate([q, np.zeros(self.speeds)])
        matrices = [self._in_motion[i] for i in (0, 1, 5)]
        moved, along, held = self._evaluate(matrices, probe)(still)
        gradients = self._gradients(probe, still)
        every = np.vstack([along[:, :k], gradients])
        wanted = np.concatenate([probe.rates - moved.ravel(), -held.ravel()])
        u = np.linalg.lstsq(every, wanted, rcond=1e-12)[0]
        if not probe.still:
            self._refuse_open(every, self.whole.u[:k], probe)
        free = _null_space(gradients) if self.loop else np.eye(k)
        return np.concatenate([q, u]), np.column_stack([moved, along[:, :k] @ free])

    def _gradients(self, probe: Probe, x: Array) -> Array:
        if not self.loop:
            return np.zeros((0, self.speeds))
        gradients: Array = self._evaluate([self.loop.jacobian], probe)(x)[0]
        return gradients

    def _coordinates(self, probe: Probe) -> Iterator[tuple[Array, Array]]:
        """Yield coordinates with the outputs of a probe, and the Jacobian there; at least one."""
        from scipy.optimize import least_squares  # slow to import, so only when needed

        residual, slopes = self._residual(probe)
        best, roots = None, list[Array]()
        for guess in self._guesses(probe, len(self.whole.q)):
            here = least_squares(residual, guess, slopes, xtol=1e-15, ftol=1e-15, gtol=1e-15)
            best = here if best is None or here.cost < best.cost else best
            reached = np.abs(here.fun).max() < _REACHED * max(1.0, np.abs(probe.positions).max())
            if reached and not any(np.allclose(here.x, root, atol=1e-6) for root in roots):
                roots.append(here.x)
                yield here.x, slopes(here.x)
        if not roots:
            assert best is not None
            nearest = probe.positions + best.fun[: len(probe.positions)]
            raise StuckError(self._missed(probe, best.fun), nearest)

    def _residual(self, probe: Probe) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
        """Return the residual of outputs and constraints, and its Jacobian, as functions."""
        evaluate, count = self._evaluate(self._at_positions, probe), len(self.positions)
        turning = np.array([self.units.get(name) == "rad" for name in self.positions])
        at_rest = np.zeros(self.speeds)

        def residual(q: Array) -> Array:
            outputs = evaluate(np.concatenate([q, at_rest]))[0].ravel()
            outputs[:count] -= probe.positions
            around = (outputs[:count] + np.pi) % (2 * np.pi) - np.pi
            outputs[:count] = np.where(turning, around, outputs[:count])
            return np.asarray(np.nan_to_num(outputs, nan=1e3))

        def slopes(q: Array) -> Array:
            return np.asarray(np.nan_to_num(evaluate(np.concatenate([q, at_rest]))[1]))

        return residual, slopes

    def _guesses(self, probe: Probe, n: int) -> list[Array]:
        random = np.random.default_rng(0)
        drawn = [random.uniform(-np.pi, np.pi, n) for _ in range(GUESSES)]
        return [probe.x[:n], *drawn] if len(probe.x) >= n else drawn

    def _missed(self, probe: Probe, missed: Array) -> str:
        count = len(probe.positions)
        if np.abs(missed[count:]).max(initial=0.0) > np.abs(missed[:count]).max():
            i = int(np.argmax(np.abs(missed[count:])))
            left = f"{missed[count + i]:.3g}".replace("-", "−")
            return f"{probe.begun} your constraint {i + 1} is violated: it is {left} instead of 0."
        return (
            f"Your machine cannot reach the position {probe.where}: "
            f"{self._listed(probe.positions)}. The closest that it can reach is "
            f"{self._listed(probe.positions + missed[:count])}. Check your outputs and your "
            "constraints."
        )

    def _listed(self, numbers: Array, per: str = "") -> str:
        names = (f"{name} = " * (not per) for name in self.positions)
        units = (self.units.get(name, "") for name in self.positions)
        return listed([f"{n}{amount(v, u, per)}" for n, v, u in zip(names, numbers, units)])

    def _refuse_open(self, slopes: Array, symbols: Sequence[sm.Expr], probe: Probe) -> None:
        """Reject a Jacobian with a null space: a coordinate that no output depends on."""
        sizes, rows = np.linalg.svd(slopes)[1:]
        rank = int(np.sum(sizes > _SINGULAR * max(sizes.max(initial=0.0), 1e-300)))
        if rank < len(symbols):
            i = int(np.argmax(np.abs(rows[-1])))
            raise StuckError(
                f"{probe.begun} no output depends on your {label_of(symbols[i])}, so its "
                "value cannot be determined.",
                probe.positions,
                singular=True,
            )

    def respond(self, probe: Probe) -> Response:
        """Return the accelerations and other outputs in the state of a probe.

        Raises
        ------
        StuckError
            As for `state`, or if the equations do not determine the accelerations.
        """
        x = self.state(probe)
        return self.moved(probe, x)

    def moved(self, probe: Probe, x: Array) -> Response:
        """Return the same in a state of this mechanism, for the values of a probe.

        Raises
        ------
        StuckError
            If the equations do not determine the accelerations.
        """
        _, along, drift, M, F, _, others = self._evaluate(self._in_motion, probe)(x)
        if not np.isfinite(M).all() or not np.linalg.cond(M) < 1e13:
            raise StuckError(
                f"{probe.begun} your equations do not determine the accelerations: the mass "
                "matrix is singular. Does every moving part have a mass? Is a constraint there "
                "twice?",
                probe.positions,
                singular=True,
            )
        change = np.linalg.solve(M, F.ravel())
        return Response(x, along @ change + drift.ravel(), others.ravel())

    def small_motions(self, probe: Probe, x: Array) -> Array:
        """Return the eigenvalues [1/s] of small motions about a state of rest of this mechanism.

        Raises
        ------
        ValueError
            As for `linearize`.
        """
        cut = self.loop.equations if self.loop else self.whole
        every = {*cut.parameters, *(self.loop.parameters if self.loop else ())}
        values = self._numbers([*every], probe.values)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            A = np.asarray(linearize(self.equations, list(x), values).A, dtype=float)
        eigenvalues = np.linalg.eigvals(A)
        return np.asarray(eigenvalues[np.argsort(-np.abs(eigenvalues))][: 2 * self.degrees])

    def motion(self, probe: Probe, times: Array) -> Trajectory:
        """Return the motion from the state of a probe, with constant values of its symbols.

        Raises
        ------
        StuckError
            As for `state`.
        SimulationError
            If the simulation fails.
        """
        x0 = np.concatenate([self.state(probe), np.zeros(self.whole.multipliers)])
        f = self.whole.compile(self._numbers(self.whole.parameters, probe.values))
        return integrate_adaptive(f, times, x0, 1e-10, 1e-12, "dop853")

    def outputs(self, probe: Probe, run: Trajectory) -> dict[str, Array]:
        """Return each output along a motion, by name."""
        every = {**self.positions, **self.others}
        symbols = set().union(*(e.free_symbols for e in every.values()))
        values = self._numbers([*symbols], probe.values)
        rows = self.whole.compile_outputs([*every.values()], values)(run.t, run.x)
        return dict(zip(every, rows.T))


def _null_space(gradients: Array) -> Array:
    """Return an orthonormal basis of the null space of gradients."""
    sizes, rows = np.linalg.svd(gradients)[1:]
    rank = int(np.sum(sizes > _SINGULAR * max(sizes.max(initial=0.0), 1e-300)))
    return np.asarray(rows[rank:].T)


def _spans(columns: Array, others: Array) -> bool:
    """Return whether other columns are combinations of columns."""
    left = others - columns @ np.linalg.lstsq(columns, others, rcond=1e-12)[0]
    return bool(np.abs(left).max() <= 1e-7 * max(1.0, np.abs(others).max()))
