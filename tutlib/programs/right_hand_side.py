"""The right-hand side of x' = f(t, x), and what a compiled one carries with it.

This is the narrow waist of the course: the symbolic half makes such functions, the integrators
take them, and neither half knows the other. Met first in chapter 1, for one swinging
arm.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import math
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tutlib.programs import linear_solve
from tutlib.programs.kernels import adaptive_source, can_be_inlined, kernel_source
from tutlib.programs.linear_solve import rows, solve_general, solve_rows, solve_symmetric

Array = NDArray[np.float64]
Function = Callable[[float, Array], ArrayLike]

# What is compiled into the functions, besides linear_solve; not imported, for it needs Numba.
_COMPILED_INTO_THEM = ("trigonometry.py", "coefficients.py", "compiled_adaptive.py", "lanes.py")

BACKENDS = ("auto", "python", "numpy", "numba")


@dataclass(frozen=True, eq=False)
class RightHandSide:
    """f(t, x) of x' = f(t, x), made from equations of motion: call it like any function.

    Parameters
    ----------
    scalar_source : str
        Text of ``right_hand_side(t, x, p, dx, M, F)``, for plain Python and for Numba.
    numpy_source : str
        Text of ``right_hand_side(t, x, p)`` on arrays, where the back end needs it.
    state_names : tuple of str
        LaTeX names of the k entries of x = [q..., u..., auxiliary states...].
    coordinates, speeds : int
        How many of the states are coordinates q and speeds u.
    parameter_names : tuple of str
        Names of the parameters, in the order of p.
    parameter_values : array, shape (number of parameters,)
        Their values, in SI units.
    backend : {"auto", "python", "numpy", "numba"}
        What evaluates it. ``"auto"`` is plain Python, with compiled loops for long runs.
    multipliers : int
        How many of the speeds, the last ones, are impulses of constraint forces.
    """

    scalar_source: str
    numpy_source: str
    state_names: tuple[str, ...]
    coordinates: int
    speeds: int
    parameter_names: tuple[str, ...]
    parameter_values: Array
    backend: str = "auto"
    multipliers: int = 0

    def __call__(self, t: float, x: Sequence[float] | ArrayLike) -> Array:
        """Return dx/dt as a fresh array of the shape of x.

        Parameters
        ----------
        t : float
            Time [s].
        x : sequence of float, shape (k,)
            State. With the NumPy back end also shape (k, N): N states side by side.

        Returns
        -------
        array, shape (k,) or (k, N)

        Raises
        ------
        ValueError
            If x has the wrong shape, or the mass matrix is singular at this state.
        """
        state = np.asarray(x, dtype=float)
        k = len(self.state_names)
        if state.shape != (k,) and not (self.backend == "numpy" and state.shape[:1] == (k,)):
            raise ValueError(
                f"x must have shape ({k},), one entry for each of "
                f"{', '.join(self.state_names)}; got shape {state.shape}"
            )
        if self.backend == "numpy":
            derivative = np.asarray(self._numpy_function(t, state, self.parameter_values))
        elif self.backend == "numba":
            derivative = np.empty(k)
            M, F = np.empty(self.speeds**2), np.empty(self.speeds)
            self.kernel(float(t), state.copy(), self.parameter_values, derivative, M, F)
        else:
            derivative = np.array(self._evaluate_python(float(t), state.tolist()))
        if not np.isfinite(derivative).all():
            self._refuse_singular_mass_matrix(float(t), state)
        return derivative

    @property
    def source(self) -> str:
        """The text of the function that evaluates the right-hand side, to read."""
        if self.backend == "numpy":
            return self.numpy_source
        return kernel_source(self.scalar_source) if self.backend == "numba" else self.scalar_source

    @cached_property
    def kernel(self) -> Any:
        """The function compiled by Numba: ``kernel(t, x, p, dx, M, F)`` writes into dx.

        The first use of an equation compiles it, for about half a second; the result is kept on
        disk, and later sessions load it.
        """
        return module_on_disk(kernel_source(self.scalar_source)).right_hand_side

    @cached_property
    def adaptive_loop(self) -> Any:
        """The adaptive loop with these equations inside it, compiled; None if they are large."""
        if not can_be_inlined(self.scalar_source):
            return None
        source = adaptive_source(self.scalar_source, len(self.state_names))
        return module_on_disk(source).run_adaptive

    @cached_property
    def _python_function(self) -> Callable[..., None]:
        solvers = {"solve_general": solve_general, "solve_symmetric": solve_symmetric}
        return execute(self.scalar_source, {"math": math, "zeros": _zeros, **solvers})

    @cached_property
    def _numpy_function(self) -> Callable[..., Any]:
        names = {"numpy": np, "rows": rows, "solve_rows": solve_rows, "zeros": _zeros}
        return execute(self.numpy_source, names)

    @cached_property
    def _parameter_list(self) -> list[float]:
        return [float(value) for value in self.parameter_values]

    def _evaluate_python(self, t: float, x: list[float]) -> list[float]:
        dx, F = [math.nan] * len(x), [0.0] * self.speeds
        M = [0.0] * self.speeds**2
        try:
            self._python_function(t, x, self._parameter_list, dx, M, F)
        except (ArithmeticError, ValueError):  # 1/0, exp(1000), sin(inf): not finite
            dx = [math.nan] * len(x)
        return dx

    def mass_matrix(self, t: float, x: ArrayLike) -> Array:
        """Return M at one state, shape (number of speeds, number of speeds)."""
        n = self.speeds
        M, F = [0.0] * n**2, [0.0] * n
        no_solve = {"solve_general": lambda M, F: None, "solve_symmetric": lambda M, F: None}
        function = execute(self.scalar_source, {"math": math, "zeros": _zeros, **no_solve})
        state = np.asarray(x, dtype=float).tolist()
        try:
            function(float(t), state, self._parameter_list, [0.0] * len(state), M, F)
        except (ArithmeticError, ValueError):
            return np.full((n, n), math.nan)
        return np.array(M).reshape(n, n)

    def singular_direction(self, t: float, x: ArrayLike) -> tuple[str, float] | None:
        """Name the speed without inertia and give M's condition number; None if M is regular."""
        M = self.mass_matrix(t, x)
        if not np.isfinite(M).all():
            return None
        scale = np.sqrt(np.abs(np.diag(M)))
        scale = np.where(scale > 0, scale, 1.0)
        _, values, vectors = np.linalg.svd(M / np.outer(scale, scale))
        if values[-1] > 1e-13 * values[0]:
            return None
        index = self.coordinates + int(np.argmax(np.abs(vectors[-1])))
        condition = math.inf if values[-1] == 0 else float(values[0] / values[-1])
        return self.state_names[index], condition

    def _refuse_singular_mass_matrix(self, t: float, x: Array) -> None:
        if not (x.ndim == 1 and np.isfinite(x).all()):
            return
        if found := self.singular_direction(t, x):
            raise ValueError(
                f"the mass matrix is singular at t = {t:g} (condition number {found[1]:.1e}): "
                f"{self.blame(found[0])} at x = {x.tolist()}"
            )

    def blame(self, speed: str) -> str:
        """Say what is wrong with a mass matrix that is singular in the direction of a speed."""
        number = self.state_names.index(speed) - self.coordinates - self.speeds + self.multipliers
        if number < 0:
            return f"the speed {speed} has no inertia of its own"
        return (
            f"the gradient of constraint {number + 1} is a combination of the others', so the "
            "configuration is singular or a constraint redundant,"
        )


def _zeros(shape: tuple[int, int]) -> list[list[Any]]:
    return [[0.0] * shape[1] for _ in range(shape[0])]


def execute(
    source: str, names: dict[str, Any], function: str = "right_hand_side"
) -> Callable[..., Any]:
    """Return a function of a text, which finds there the names it needs."""
    namespace = dict(names)
    exec(compile(source, "<equations of motion>", "exec"), namespace)
    found: Callable[..., Any] = namespace[function]
    return found


def _cache_folder() -> Path:
    """Return a folder that can be written to: the user's cache, else a temporary one."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    folder = Path(base) / "tutlib"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="tutlib-"))


@cache
def _read(file: Path) -> str:
    return file.read_text("utf-8")


def module_on_disk(source: str) -> ModuleType:
    """Import ``source`` from a file named by its content, so that Numba can cache what it makes.

    Raises
    ------
    ImportError
        If the file cannot be imported.
    """
    files = [Path(__file__).with_name(name) for name in _COMPILED_INTO_THEM]
    everything = source + inspect.getsource(linear_solve) + "".join(map(_read, files))
    name = "equations_" + hashlib.sha256(everything.encode()).hexdigest()[:20]
    if name in sys.modules:
        return sys.modules[name]
    path = _cache_folder() / f"{name}.py"
    if not path.exists():
        with tempfile.NamedTemporaryFile(
            "w", dir=path.parent, suffix=".part", delete=False, encoding="utf-8"
        ) as part:
            part.write(source)
        os.replace(part.name, path)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs: Numba looks its functions up by module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
