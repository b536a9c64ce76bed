"""Machines in any units of length, mass, and time: parameters with their dimensions, and states.

A machine in other units is the same machine, so every answer must be the same in those units.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tutlib import EquationsOfMotion
from tutlib.mechanics import ConstrainedEquations

#: Exponents of length, mass, and time.
NONE, LENGTH, MASS, TIME = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
GRAVITY, STIFFNESS, DAMPING = (1, 0, -2), (0, 1, -2), (0, 1, -1)
FORCE, TORQUE, INERTIA = (1, 1, -2), (2, 1, -2), (2, 1, 0)


@dataclass(frozen=True)
class ScaledMachine:
    """Equations, parameters with dimensions, and a guess of a state of rest.

    Parameters
    ----------
    equations : EquationsOfMotion or ConstrainedEquations
    parameters : mapping from name to (value, exponents of length, mass, and time)
    coordinates : list of exponents, for each coordinate
    guess : list of float
        Coordinates near rest.
    inputs : list of exponents, for each input
    """

    equations: object
    parameters: dict
    coordinates: list
    guess: list
    inputs: tuple = ()

    @property
    def cut(self):
        """The equations without constraints."""
        return getattr(self.equations, "equations", self.equations)

    @cached_property
    def moving(self):
        """The equations to integrate, without inputs."""
        whole = self.equations if self.equations is self.cut else self.equations.with_multipliers()
        return whole.with_inputs(dict.fromkeys(whole.inputs, 0))

    def values(self, units):
        """Return the parameters in units, which are three numbers."""
        return {name: value * scale(e, units) for name, (value, e) in self.parameters.items()}

    def state_scale(self, units):
        """Return the units of the states, coordinates first."""
        q = np.array([scale(exponents, units) for exponents in self.coordinates])
        return np.concatenate([q, q / units[2]])

    def input_scale(self, units):
        """Return the units of the inputs."""
        return np.array([scale(exponents, units) for exponents in self.inputs])

    def state(self, units):
        """Return the guess, at rest, in units."""
        return np.concatenate([self.guess, np.zeros(len(self.guess))]) * self.state_scale(units)


def scale(exponents, units):
    """Return the factor of a quantity in other units."""
    return float(np.prod(np.array(units) ** np.array(exponents)))


@cache
def machines():
    """Return ten machines by name; the derivation is done once."""
    x, y, z, s, theta, phi = me.dynamicsymbols("x y z s theta phi")
    F, tau = me.dynamicsymbols("F tau")
    m, M, l, g, k, c, r, J = sm.symbols("m M l g k c r J", positive=True)
    a, b, w = sm.symbols("a b omega", positive=True)
    lagrange = EquationsOfMotion.from_lagrangian
    weight = {"m": (1.3, MASS), "g": (9.81, GRAVITY), "l": (0.7, LENGTH)}
    swing = m * l**2 * theta.diff() ** 2 / 2
    point = m * (x.diff() ** 2 + y.diff() ** 2) / 2
    tied = lagrange(point, m * g * y, [x, y], {x: F})
    cart = (M * s.diff() ** 2 + m * (s.diff() + l * sm.cos(theta) * theta.diff()) ** 2) / 2
    cart += m * (l * sm.sin(theta) * theta.diff()) ** 2 / 2
    second = m * l**2 * (phi.diff() ** 2 + 2 * theta.diff() ** 2) / 2
    second += m * l**2 * theta.diff() * phi.diff() * sm.cos(theta - phi)
    far, near = sm.sqrt((x + l / 3) ** 2 + y**2), sm.sqrt((x - 2 * l / 3) ** 2 + y**2)
    turning = (x.diff() - w * y) ** 2 + (y.diff() + w * x) ** 2
    slider = J * theta.diff() ** 2 / 2 + m * s.diff() ** 2 / 2
    rod = (s - r * sm.cos(theta)) ** 2 + (r * sm.sin(theta)) ** 2 - l**2
    polar = m * (s.diff() ** 2 + s**2 * theta.diff() ** 2) / 2
    return {
        "pendulum with torque": ScaledMachine(
            lagrange(swing, -m * g * l * sm.cos(theta), [theta], {theta: tau - c * theta.diff()}),
            weight | {"c": (0.2, (2, 1, -1))},
            [NONE],
            [0.4],
            (TORQUE,),
        ),
        "weight on a spring": ScaledMachine(
            lagrange(
                m * z.diff() ** 2 / 2, k * (z - l) ** 2 / 2 - m * g * z, [z], {z: -c * z.diff()}
            ),
            weight | {"k": (400.0, STIFFNESS), "c": (0.3, DAMPING)},
            [LENGTH],
            [0.8],
        ),
        "torsion balance": ScaledMachine(
            lagrange(J * theta.diff() ** 2 / 2, k * theta**2 / 2 - a * theta, [theta]),
            {"J": (2.0, INERTIA), "k": (3.0, TORQUE), "a": (0.03, TORQUE)},
            [NONE],
            [0.2],
        ),
        "hardening spring": ScaledMachine(
            lagrange(m * z.diff() ** 2 / 2, k * z**4 / (4 * l**2) + m * g * z, [z], {z: F}),
            weight | {"k": (50.0, STIFFNESS)},
            [LENGTH],
            [-0.3],
            (FORCE,),
        ),
        "cart with a pendulum": ScaledMachine(
            lagrange(cart, k * s**2 / 2 - m * g * l * sm.cos(theta), [s, theta], {s: F}),
            weight | {"M": (2.0, MASS), "k": (5.0, STIFFNESS)},
            [LENGTH, NONE],
            [0.1, 0.3],
            (FORCE,),
        ),
        "double pendulum": ScaledMachine(
            lagrange(second, -m * g * l * (2 * sm.cos(theta) + sm.cos(phi)), [theta, phi]),
            weight,
            [NONE, NONE],
            [0.2, -0.1],
        ),
        "elastic pendulum": ScaledMachine(
            lagrange(polar, k * (s - l) ** 2 / 2 - m * g * s * sm.cos(theta), [s, theta]),
            weight | {"k": (90.0, STIFFNESS)},
            [LENGTH, NONE],
            [0.9, 0.2],
        ),
        "rest in a turning frame": ScaledMachine(
            lagrange(turning / 2, -(w**2) * l**3 * (2 / far + 1 / near) / 3, [x, y]),
            {"l": (1.0, LENGTH), "omega": (1.0, (0, 0, -1))},
            [LENGTH, LENGTH],
            [0.17, 0.88],
        ),
        "pendulum tied by a constraint": ScaledMachine(
            ConstrainedEquations(tied, x**2 + y**2 - l**2),
            weight,
            [LENGTH, LENGTH],
            [0.05, -0.72],
            (FORCE,),
        ),
        "slider on a crank": ScaledMachine(
            ConstrainedEquations(
                lagrange(slider, k * (s - b) ** 2 / 2, [theta, s], {theta: tau}), rod
            ),
            {
                "m": (1.3, MASS),
                "l": (0.7, LENGTH),
                "k": (30.0, STIFFNESS),
                "b": (0.8, LENGTH),
                "J": (0.4, INERTIA),
                "r": (0.3, LENGTH),
            },
            [NONE, LENGTH],
            [0.9, 0.85],
            (TORQUE,),
        ),
    }
