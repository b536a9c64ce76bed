"""Panels that compare a measured with a computed motion, and the same fits with SciPy."""

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from scipy.optimize import least_squares

from panels import compare
from panels.simulations.measured_motion import measured_program, thinned
from straightline import Machine
from tutlib import Field, compiled
from tutlib.identification import recording
from tutlib.models import chain, pendulum

SINGLE = {"k": (60, 68, "1/s²"), "f": (0, 0.4, "rad/s²"), "d": (0, 0.05, ""), "z": (-2, 2, "deg")}
DOUBLE = {"d_1": (0.1, 0.9, ""), "In_1": (0, 2e-3, "kg·m²"), "In_2": (0, 2e-3, "kg·m²")}
PENDULUM = {"k": 64.06, "f": 0.139, "d": 0.00465, "z": 0.0}


def swing(t, x, k=64.06, f=0.139, d=0.00465, z=0.0):
    """Return the rates of a pendulum with dry and quadratic friction, per unit inertia."""
    phi, omega = x
    friction = f * np.tanh(omega / 0.05) + d * omega * abs(omega)
    return np.array([omega, -k * np.sin(phi - z) - friction])


def single():
    """Return equations, recording, and drawing of a pendulum."""
    measured = recording("free-single-fit-large").between(6.0, 45.0)
    return Field(compiled(swing), parameters=PENDULUM), measured, pendulum().free()


def double():
    """Return equations, recording, and drawing of a double pendulum with viscous friction."""
    arm, c = chain(2, "relative"), sm.Symbol("c", real=True)
    rates = [q.diff(me.dynamicsymbols._t) for q in arm.equations.q]
    F_x, F_y, *torques = arm.equations.inputs
    damped = {tau: -c * rate for tau, rate in zip(torques, rates)}
    arm = arm.with_inputs({F_x: 0, F_y: 0} | damped, parameters={c: 1e-4})
    values = {"l": 0.175, "m": 0.2, "d": 0.6, "In": 9e-4}
    arm = arm.with_parameters({f"{k}_{i}": v for k, v in values.items() for i in (1, 2)})
    return arm.compile(), recording("free-double-heldout"), arm


def panel(parts, sliders, window, **options):
    """Return a panel for the equations, the recording, and the drawing."""
    f, measured, model = parts
    given = {"model": model, "sliders": sliders, "window": window, **options}
    return compare(f, measured, "A pendulum swings.", **given)


class Window:
    """A window of a recording in Python: the samples of the page, its steps, and SciPy's fit."""

    def __init__(self, parts, sliders, ends):
        f, measured, model = parts
        self.kept, self.speeds = thinned(measured)
        inside = (self.kept.t > ends[0] - 1e-6) & (self.kept.t < ends[1] + 1e-6)
        self.first, self.last = np.flatnonzero(inside)[[0, -1]].tolist()
        self.f, self.n = f, measured.q.shape[1]
        self.machine = Machine(measured_program(f, model, self.kept, 0)).instance(f.values)
        self.machine.view("T")[:] = self.kept.t
        self.sliders = sliders
        self.start = np.array([*self.kept.q[self.first], *self.speeds[self.first]])

    def residuals(self, parameters, x):
        """Return computed minus measured angles, as rows."""
        self.machine.set_parameters(list((self.f.parameters | parameters).values()))
        X = self.machine.view("X").reshape(-1, 2 * self.n)
        X[self.first] = x
        self.machine.call("run", self.first, self.last)
        rows = slice(self.first, self.last + 1)
        return X[rows, : self.n] - self.kept.q[rows]

    def fit(self):
        """Return the parameters, and the root mean square of the residuals [rad].

        No parameter ends at the limit of its slider.
        """
        names = list(self.sliders)

        def residuals(theta):
            return self.residuals(dict(zip(names, theta)), theta[len(names) :]).ravel()

        begin = [*(self.f.parameters[name] for name in names), *self.start]
        found = least_squares(residuals, begin, method="lm", x_scale="jac", xtol=1e-12)
        return dict(zip(names, found.x)), float(np.sqrt(np.mean(found.fun**2)))

    def ranges(self):
        """Return the range of each slider, in SI units."""
        units = [np.pi / 180 if unit == "deg" else 1 for _, _, unit in self.sliders.values()]
        return [(high - low) * unit for (low, high, _), unit in zip(self.sliders.values(), units)]
