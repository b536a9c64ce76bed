"""What right arguments are made of: models, equations, motions and functions, by name.

A reproducer is ``from tests.fuzz.things import *`` and one line.
"""

# ruff: noqa: F401 (what only reproducers name)

import sys

import matplotlib as mpl
import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

import course.boxes
import course.desk
import course.figures
import course.judge
import panels
import straightline
import tutlib
import tutlib.mechanics
import tutlib.methods
import tutlib.models
import tutlib.plots
import tutlib.spaces
import verification.museum
import verification.results
import verification.spread
from course.judge import Exercise, Misconception
from panels import Chart, EndTimes, live
from tutlib import EquationsOfMotion, Field, Trajectory
from tutlib.fields import ImplicitEquations
from tutlib.methods import CF4, RK4
from tutlib.methods.ensembles.parts import Ensemble
from tutlib.methods.tableaus import DenseOutput
from tutlib.models import Skeleton, chain, four_bar, pendulum, rigid_body
from tutlib.spaces import SE3, SO3, Jet, R, Sphere, TangentSO3, jets

mpl.use("Agg")

# What is moving, in symbols.
time = me.dynamicsymbols._t
theta, phi, u = me.dynamicsymbols("theta phi u")
m, l, g, c = sm.symbols("m l g c", positive=True)
kinetic = m * l**2 * theta.diff(time) ** 2 / 2
potential = -m * g * l * sm.cos(theta)
values = {m: 1.0, l: 2.0, g: 9.81}
equations = EquationsOfMotion.from_lagrangian(kinetic, potential, [theta], {theta: u})
closed = equations.with_inputs({u: -c * equations.u[0]})
q, speeds = equations.q, equations.u
controlled, model, linkage = pendulum(), pendulum().free(), four_bar().free()
loop = linkage.constrained
body = rigid_body()
angles = linkage.equations.q
frame = me.ReferenceFrame("N")
point = me.Point("P")
point.set_vel(frame, l * theta.diff(time) * frame.x)
particle = me.Particle("particle", point, m)
lagranges = me.LagrangesMethod(kinetic - potential, [theta])
lagranges_with_loop = me.LagrangesMethod(
    kinetic + m * phi.diff(time) ** 2 / 2, [theta, phi], hol_coneqs=[sm.sin(theta) - sm.cos(phi)]
)
for formed in (lagranges, lagranges_with_loop):
    formed.form_lagranges_equations()

# What is moving, in numbers.
times = np.linspace(0.0, 0.5, 11)
x0 = np.array([0.5, 0.1])
motion = Trajectory(times, np.array([[np.cos(s), -np.sin(s)] for s in times]))
other_motion = Trajectory(times, np.ones((11, 6)))
f = closed.compile({**values, c: 0.1})
starts = np.array([[0.1, 0.0], [0.2, 0.0], [0.3, 0.0]])
attitude = np.array([1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0, 0.1, 0.2, 0.3])
linear = tutlib.mechanics.linearize(model.equations, [0.0, 0.0], model.parameters)
guess = [0.5, 0.3, 1.2]
skeleton = Skeleton(((0, 0), (l * sm.sin(theta), -l * sm.cos(theta))), ((0, 1),), (1,), (0,))
curves = verification.results.Curves("time [s]", "x", {"one": (times, times)})


def swing(t, x):
    """x' = f(t, x) of a reader's own."""
    return np.array([x[1], -np.sin(x[0])])


def falls(t, x):
    """A single unknown."""
    return -x


def crossing(t, x):
    """Until this is zero."""
    return x[0] - 10.0


def bent(t, x, k=1.0):
    """A field on ℝ²."""
    return np.array([x[1], -k * x[0]])


def rates(t, x, p):
    """A formula of t, x and p."""
    return [x[1], -p[0] * x[0]]


def nothing_wrong(parameters):
    """Refuse no values."""
    return ""


def residual(t, x, xdot):
    """F(t, x, ẋ) = 0."""
    return np.array([xdot[0] - x[1], xdot[1] + x[0]])


def square(x):
    """A reader's function of a number."""
    return x * x


def add(t, x):
    """A reader's function of a number and an array."""
    return t + x


def circle(t):
    """A place that moves."""
    return np.cos(t), np.sin(t), 0.5 * t


def fixed(a):
    """The identity, as a matrix."""
    return np.eye(3)


def flat(sigma, x):
    """A flow on ℝ²."""
    return x + sigma


def of_answer(expression):
    """A model made of a reader's expression."""
    return model


def swing_rates(t, x):
    """The rates of that."""
    return np.array([x[1], -x[0]])


def live_pendulum():
    """Return a live simulation."""
    return live(model, [0.5, 0.0], "A pendulum swings.")


def swinging():
    """Return a machine with its outputs."""
    arm = tutlib.models.pendulum()
    return arm, dict(zip("xy", arm.skeleton.points[1]))


def figure():
    """Return a figure."""
    return axes().figure


def axes():
    """Return axes."""
    return tutlib.plots.new_axes("time [s]", "x")


# What is asked, and what is right.
implicit = ImplicitEquations(residual, swing_rates, ())
mistakes = (Misconception(3.0, "One too many."),)
exercise = Exercise("pendulum-99", course.judge.Number(2.0, "m"), mistakes, "Section")
equation_answer = course.judge.Equation(sm.Eq(m * l, g))
expression_answer = course.judge.Expression(m * l + g)
function_answer = course.judge.Function(square, [(1.0,), (2.0,)])
sizes = {"m": 1.2, "l": 0.7, "g": 9.81, "tau": 2.0}
machine_answer = course.judge.Machine(swinging, sizes, {"theta": 1.0})
