"""A right call of each public function and class, as text, and what its arguments are made of."""

import ast

import matplotlib as mpl
import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from course.judge import Exercise, Misconception, Number
from tutlib.identification import Recording
from tutlib.methods import RK4, Trajectory  # noqa: F401 (the calls are text)
from tutlib.models import Skeleton, four_bar, pendulum, rigid_body
from tutlib.plots import new_axes  # noqa: F401 (the calls are text)
from tutlib.spaces import R, jets  # noqa: F401 (the calls are text)

mpl.use("Agg")
t = me.dynamicsymbols._t
theta, phi, u = me.dynamicsymbols("theta phi u")
m, l, g = sm.symbols("m l g", positive=True)
model, linkage, body = pendulum().free(), four_bar().free(), rigid_body()
equations, q = model.equations, model.equations.q
times = np.linspace(0.0, 0.5, 11)
motion = Trajectory(times, np.array([[np.cos(s), -np.sin(s)] for s in times]))
measured = Recording(times, np.cos(times)[:, None])
attitude = np.array([1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0, 0.1, 0.2, 0.3])
shape = Skeleton(((0, 0), (l * sm.sin(theta), -l * sm.cos(theta))), ((0, 1),), (1,), (0,))
exercise = Exercise("own-1", Number(2.0, "m"), (Misconception(3.0, "One too many."),), "Section")
empty = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


def swing(t, x, k=1.0):
    """Return the rates of a pendulum."""
    return np.array([x[1], -k * np.sin(x[0])])


CALLS = """
Angle(symbol=theta, vertex=0, zero=(0, -1), to=1)
Arrow(at=1, value=(1.0, 2.0), label="v")
Body(mass=m, center=(l * sm.sin(theta), -l * sm.cos(theta)), inertia=m, turned=theta)
ButcherTableau(name="mine", c=[0, "1/2"], A=[[], ["1/2"]], b=[0, 1])
Center(symbol=l, start=0, end=1, fraction=0.5)
Chart(values=np.eye(3), x=("theta", -1.0, 1.0), y=("omega", -1.0, 1.0), description="Ends.")
Choice(value="a", options={"a": "it falls", "b": "it stays"})
ConstrainedEquations(equations=linkage.equations, constraints=linkage.constraints)
EndTimes(t_end=1.0, h=0.1)
Equation(value=sm.Eq(m * l, g), units={"m": "kg", "l": "m", "g": "kg·m"})
EquationsOfMotion(q=[theta], u=[theta.diff(t)], mass_matrix=sm.eye(1), forcing=sm.zeros(1))
Exercise(name="own-1", answer=Number(2.0), misconceptions=(), section="Section")
Expression(value=m * l + g, also=[theta], named=[phi], bound="")
Feedback(exercise="own-1", verdict="right", message="Right.")
Field(function=swing, space=R(2), parameters={"k": 4.0})
Force(symbol=u, point=1, direction=(1, 0))
Function(value=abs, problems=[(1.0,)])
Length(symbol=l, start=0, end=1)
Load(value=u, along=theta)
Misconception(answer=3.0, hint="One too many.")
Model(
    name="arm", equations=equations, kinetic_energy=m, potential_energy=m, skeleton=shape,
    parameters={m: 1.0}
)
Number(value=2.0, unit="m", digits=3)
NumberArray(value=[1.0, 2.0], unit="m", digits=3)
R(n=2)
Skeleton(points=shape.points, lines=((0, 1),), bodies=(1,))
Table(header=["method", "order"], rows=[["RK4", 4]])
Torque(symbol=u, point=1)
Trajectory(t=times, x=motion.x, names=("theta", "omega"))
animate(trajectories=motion, model=model, description="It swings.", height=300)
answer_files(exercises=[exercise])
answer_pictures(exercises=[exercise])
chain(n=2)
chain_recursion(n=2)
check(exercise=exercise, answer=3.0, show=False)
compare(
    f=model.compile(), recording=measured, description="It swings.", model=model,
    sliders={"l": (0.5, 2.0, "m")}, window=(0.1, 0.4)
)
compiled(f=swing, parameters={"k": 4.0})
course_notebooks(folder=None)
density(tree=((), ()))
derivatives(array=jets(np.ones(2), np.ones(2)))
draw_trees(trees=[(), ((),)], labels=["one", "two"])
eliminate_common_subexpressions(expressions=[q[0] ** 2, sm.sin(q[0])])
energy_error(energy=np.array([1.0, 1.1]))
ensemble(f=model.compile(), starts=np.ones((2, 2)), t_end=0.1, h=0.01)
find(name="pendulum-1")
forget_tries(exercise="own-1")
from_sympy(expressions=[q[0] ** 2], arguments=[[q[0]]])
grashof(l_a=1.0, l_b=2.0, l_c=2.0, l_n=2.0)
hat(w=np.array([0.1, 0.2, 0.3]))
integrate(f=swing, t=times, x0=[0.5, 0.1], method="rk4")
integrate_adaptive(f=swing, t=times, x0=[0.5, 0.1], rtol=1e-6, atol=1e-9)
jets(value=np.ones(2), rate=np.ones(2))
judged(exercise=exercise, answer=3.0, show=False)
legend_above(ax=new_axes("t", "x"), title="one")
linearize(equations=equations, x=[0.0, 0.0], values=model.parameters)
live(model=model, x0=[0.5, 0.1], description="It swings.", h=0.01)
live_in_space(model=body, x0=attitude, description="It turns.", h=0.01)
new_axes(xlabel="t", ylabel="x")
observed_order(f=swing, span=(0.0, 0.5), x0=[0.5, 0.1], method="rk4", exact=[0.6, 0.1])
plot_curves(xlabel="t", ylabel="x", curves={"a": ([0.0, 1.0], [1.0, 2.0])})
plot_energy(trajectories=motion, model=model)
plot_stages(f=lambda t, x: -x, t=0.0, x=1.0, h=0.5, tableau=RK4)
plot_states(trajectories=motion, states=[0, 1], units=["rad", "rad/s"])
rooted_trees(order=3)
sketch(model=model, x=[0.5, 0.1])
solved_for(balance=2 * theta.diff(t, 2) + theta, accelerations=[theta.diff(t, 2)])
spread_of(run=lambda x0: 1.0, x0=[1.0])
stability_function(tableau=RK4, z=np.array([-1.0]))
stability_polynomial(tableau=RK4)
step(f=swing, t=0.0, x=[0.5, 0.1], h=0.01, method=RK4)
trace(function=lambda: 1.0)
trim(equations=equations, values=model.parameters, guess=[0.1, 0.0])
unit_vectors(at=0, angle=theta, labels=("b_1", "b_2"))
vee(W=np.zeros((3, 3)))
verify(machine=model, values={"l": 1.3})
with_derivatives(position=lambda t: (np.cos(t), np.sin(t), t))
student_copy(text=empty)
without_solutions(text=empty)
"""


def right_calls() -> dict[str, dict[str, object]]:
    """Return the arguments of a right call, by the name of what is called."""
    calls = [statement.value for statement in ast.parse(CALLS).body]
    return {
        call.func.id: {k.arg: eval(ast.unparse(k.value), globals()) for k in call.keywords}
        for call in calls
    }
