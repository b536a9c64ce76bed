"""Right arguments, as text made of `things`: from annotations and defaults, and by name.

A default is right, and of most types one value is as good as another. What has to fit more than its
type stands here, by what it belongs to or by its name alone: a test says what is missing.
"""

from __future__ import annotations

import ast

from tests.fuzz.targets import Parameter, Target

#: What methods are called on.
OWNERS = {
    "ButcherTableau": "RK4",
    "Compiled": "straightline.compiled_function.Compiled(bent, {'k': 4.0})",
    "Chart": "Chart(np.eye(3), ('theta', -1.0, 1.0), ('omega', -1.0, 1.0), 'When it ends.')",
    "Choice": "course.judge.Choice('a', {'a': 'it falls', 'b': 'it stays'})",
    "ConstrainedEquations": "loop",
    "DenseOutput": "DenseOutput([[1, '-1/2'], [0, '1/2']])",
    "Equation": "equation_answer",
    "EquationsOfMotion": "equations",
    "Expression": "expression_answer",
    "Function": "function_answer",
    "Machine": "machine_answer",
    "Jet": "Jet(1.0, 2.0, 3.0)",
    "Linearization": "linear",
    "Model": "linkage",
    "Number": "course.judge.Number(2.0, 'm')",
    "NumberArray": "course.judge.NumberArray([1.0, 2.0], 'm')",
    "Space": "Sphere",
    "SpatialModel": "body",
    "Curves": "verification.results.Curves('t', 'x', {'one': (times, times)})",
    "Rung": "verification.results.Rung('units', None, 'Nothing.', curves)",
    "Body": "tutlib.models.Body(m, (l, 0))",
    "Load": "tutlib.models.Load(u, theta)",
    "Field": "Field(bent, R(2), {'k': 4.0})",
}
#: What some methods are called on instead.
OWNERS_OF = {
    "EquationsOfMotion.compile": "closed",
    "Model.compile": "model",
    "Model.free": "controlled",
    "Model.with_inputs": "controlled",
}
#: Defaults that say less than their type.
EMPTY = ("", "None", "()", "''")
#: Of a type that says enough, as a class above does; of these two names, tutlib has another type.
BY_TYPE = {
    "Array": "",
    "Function": "",
    "bool": "True",
    "float": "1.0",
    "int": "1",
    "str": "'name'",
    "Callable[..., Any]": "bent",
    "Callable[..., object]": "bent",
    "Exhibit": "verification.MUSEUM[0]",
    "Mapping[str, float]": "{'k': 4.0}",
    "Skeleton": "skeleton",
    "Trajectory": "motion",
    "tuple[str, ...]": "('theta', 'omega')",
}
#: By the name of the parameter, whatever takes it.
BY_NAME = {
    "A": "[[0, 0], ['1/2', 0]]",
    "answer": "3.0",
    "arguments": ["None", "2"],
    "expressions": "[q[0] ** 2, sm.sin(q[0])]",
    "function": "add",
    "guess": "[0.1, 0.0]",
    "h": "0.01",
    "path": "course.desk.course_notebooks()[0]",
    "space": "None",
    "speeds": "linkage.equations.u[:1]",
    "symbol": "theta",
    "tree": "((), ())",
    "value": "1.0",
    "x": "x0",
    "exercise": "exercise",
    "exercises": "[exercise]",
    "trajectories": "motion",
    "method": "'rk4'",
    "methods": "('euler', 'rk4')",
    "units": "('deg',)",
    "span": "(0.0, 0.5)",
    "z": "np.array([-1.0, 0.5j])",
} | {name: name for name in ("f", "model", "values", "x0")}
#: By what they belong to: as right calls, where ``several`` are arguments one after another.
CALLS = r"""
Angle(zero=(0, -1))
NumberArray(value=[1.0, 2.0], answer=[1.0, 3.0], reading=np.array([1.0, 3.0]),
    one=np.array([1.0, 3.0]), other=np.array([1.0, 2.0]))
Arrow(at=1, value=(1.0, 2.0), label='v')
Body(mass=m, center=(l * sm.sin(theta), -l * sm.cos(theta)), known={theta: phi})
ButcherTableau(name='mine', c=[0, '1/2'], b=[0, 1], embedded=([1, 0],), dense=None)
Center(fraction=0.5)
Chart(values=np.eye(3), x=('theta', -1.0, 1.0), y=('omega', -1.0, 1.0), zoom=EndTimes(0.1, 0.01))
EndTimes(limits=[1.0, 2.0], until=crossing)
Choice(value='a', options={'a': 'it falls', 'b': 'it stays'}, answer='b', reading='b', one='a',
    other='b')
CommutatorFreeTableau(stages=[[], [['1/2']]], result=[[0, 1]])
ConstrainedEquations(equations=linkage.equations, constraints=linkage.constraints,
    expressions=[angles[0]], values=linkage.parameters, guess=guess, keep=angles[:1],
    method=lagranges_with_loop, x=linkage.consistent_state(guess))
ConstrainedEquations.projection(share=1.0, speeds=True)
ConstrainedEquations.compile_outputs(values={})
Convergence(h=np.array([0.1, 0.05]), error=np.array([0.01, 0.0025]))
Curves(lines={'one': (times, times)})
DenseOutput(P=[[1, '-1/2'], [0, '1/2']], b=[0, 1])
Ensemble(t=times, x=motion.x)
Equation(value=sm.Eq(m * l, g), units={'m': 'kg', 'l': 'm', 'g': 'kg·m'}, means={},
    answer=sm.Eq(m, g / l), reading=equation_answer.read(sm.Eq(m * l, 2 * g)),
    right=equation_answer.read(sm.Eq(m * l, g)), k=0,
    one=equation_answer.read(sm.Eq(m * l, 2 * g)), other=equation_answer.read(sm.Eq(m * l, g)))
EquationsOfMotion(q=q, u=speeds, mass_matrix=sm.Matrix([[m * l**2]]),
    forcing=sm.Matrix([-m * g * l * sm.sin(theta)]), bodies=[particle], frame=frame,
    loads=[(point, -m * g * frame.y)], T=kinetic, V=potential, method=lagranges,
    inputs={u: -c * speeds[0]})
EquationsOfMotion.compile(values={**values, c: 0.1})
EquationsOfMotion.from_lagrangian(q=[theta], forces={theta: u})
Exhibit(wrong=pendulum, right=pendulum)
Exercise(answer=course.judge.Number(2.0, 'm'),
    misconceptions=(Misconception(3.0, 'One too many.'),), forms=(2.0,), curves={})
Expression(value=m * l + g, means={}, units={'m': 'kg', 'l': 'm', 'g': 'kg·m'}, answer=g + l * m,
    reading=expression_answer.read(g - l * m), right=expression_answer.read(g + l * m), k=0,
    one=expression_answer.read(g - l * m), other=expression_answer.read(g + l * m))
Feedback(exercise='pendulum-99', verdict='right', picture='', stage='')
Force(direction=(1, 0))
Function(value=square, problems=[(1.0,), (2.0,)], effect=None, answer=square,
    reading=function_answer.read(abs), one=function_answer.read(abs),
    other=function_answer.read(square))
Load(value=u, along=theta, rate=theta, known={theta: phi})
Machine(value=swinging, rests={'hanging': {'theta': 0.0}}, units={'x': 'm', 'y': 'm'},
    answer=swinging, reading=machine_answer.read(swinging), one=machine_answer.read(swinging),
    other=machine_answer.read(swinging), right=machine_answer.read(swinging))
ImplicitEquations(residual=residual, rates=swing_rates, algebraic=())
EnsembleError(ensemble=Ensemble(times, motion.x))
InterruptedEnsemble(ensemble=Ensemble(times, motion.x))
Jet(slope=2.0, curvature=3.0)
LieGroup(exp=SE3.exp, log=SE3.log, Ad=fixed, ad=fixed, dexp=SE3.dexp, dexp_inverse=SE3.dexp_inverse)
Linearization(A=np.eye(2), B=np.ones((2, 1)), states=equations.states, inputs=(u,),
    tangent=np.eye(2))
Misconception(answer=3.0, also=(3.0,))
Model.of(T=kinetic, V=potential, q=[theta])
Skeleton.of(bodies=[tutlib.models.Body(m, (l, 0))])
Model(kinetic_energy=kinetic, potential_energy=potential, parameters={**values, c: 0.1},
    expressions=[angles[0]], guess=guess, keep=angles[:1],
    inputs={controlled.equations.inputs[0]: -c * controlled.equations.u[0]}, values={'l_a': 0.5},
    names={'m': 'mass'}, bodies=(tutlib.models.Body(m, (l, 0)),),
    loads=(tutlib.models.Load(u, theta),), units={'m': 'kg'}, t=times,
    x=other_motion.x)
Model.with_projection(share=0.5)
Model.consistent_state(t=0.0)
SE3.Ad(values=np.eye(4))
SE3.log(values=np.eye(4))
SE3(values=np.linspace(0.1, 0.6, 6))
SE3.dexp(values=several(np.linspace(0.1, 0.6, 6), np.linspace(0.1, 0.6, 6)))
SE3.dexp_inverse(values=several(np.linspace(0.1, 0.6, 6), np.linspace(0.1, 0.6, 6)))
Skeleton(points=skeleton.points, lines=((0, 1),), bodies=(1,), pivots=(0,), joints=(1,),
    masses=(m,))
Space(flow=flat, dexp_inverse=flat, refuse=Sphere.refuse, nearest=Sphere.nearest)
SpatialModel.upright(points=np.eye(3))
SpatialModel.along(quantity=lambda t, x, **parameters: x[:3])
SpatialModel.places(point=lambda t, x, **parameters: x[:3])
SpatialModel(skeleton=body.skeleton, state_names=['x', 'v'], refuse=nothing_wrong, t=times,
    x=np.tile(attitude, (11, 1)), values={'J_1': 0.15}, names={'J_1': 'first moment'})
SpatialModel.drawn(t=0.0, x=attitude)
Table(header=['method', 'order'], rows=[['RK4', 4], ['Heun', 2]])
Trajectory(t=times, x=motion.x)
Field(space=R(2), parameters={'k': 4.0})
chain_recursion(values=None)
find(name='pendulum-1')
copy_notebooks(folder='copies')
draw_trees(trees=[(), ((),)], labels=['one', 'two'])
energy_error(energy=np.array([1.0, 1.1]))
ensemble(starts=starts, t_end=0.1, parameters={c: [0.1, 0.2, 0.3]}, until=crossing, observe=swing,
    after_step=None)
explore(function=lambda: None)
figure_as_html(figure=figure())
from_sympy(arguments=[q])
forget_tries(exercise='pendulum-99')
Compiled(arguments=several(0.0, np.ones(2)))
trace(lengths=several(None, 2))
hat(w=np.array([0.1, 0.2, 0.3]))
identifiers(symbols=[theta, m], used=['m'])
inline_figure(svg='<svg viewBox="0 0 40 30"><path d="M 0 0 \nL 1 2 \n"/></svg>')
integrate(t=times)
in_a_row(sketches={'one': course.figures.draw_trees([()])})
integrate_adaptive(t=times, method=tutlib.methods.DOP853, until=crossing, direction='falling',
    max_step=0.5)
integrate_dae(equations=implicit, t=times)
jets(value=np.array([1.0, 2.0]), rate=np.array([0.1, 0.2]), second=np.array([0.3, 0.4]))
linearize(equations=model.equations, x=[0.0, 0.0], time=0.5)
live(sliders={'m': (0.5, 2.0, 'kg')}, outputs={'height': (sm.cos(model.equations.q[0]), 'm')},
    units=None, chart=None, presets={'far': {'m': 2.0, 'h': 0.02}}, main='m',
    arrows={'weight': (1, (0, -m), 'N')})
live_in_space(chart=None, model=body, x0=attitude, sliders={'J_1': (0.1, 0.2, 'kg m²')},
    goals=[(0.0, 0.0, 1.0)], main='J_1', presets={'slow': {'J_1': 0.15, 'h': 0.02}})
label_lines(ax=axes())
legend_above(ax=axes())
animate(goals=[(0.5, -1.0)], ghosts=('',))
live_one_of(simulations={'one': live_pendulum()})
plot_curves(curves={'a rod': ([0.0, 1.0], [1.0, 2.0])})
observed_order(exact=[0.6, 0.1])
plot_spreads(spreads={'a': verification.spread_of(lambda x0: x0[0], [1.0])})
spread_of(run=lambda x0: x0[0])
derivatives(array=jets(np.array([1.0, 2.0]), np.array([0.1, 0.2])))
plot_stages(f=falls, x=1.0, h=0.5)
readable_source(equations=f.formula)
side_by_side(model=of_answer)
solved_for(balance=2 * theta.diff(time, 2) + theta, accelerations=[theta.diff(time, 2)])
sketch_in_space(model=body, x=attitude, arrows=[panels.Arrow(0, (1.0, 0.0, 0.0), 'v')],
    labels={'O': 14}, lengths={'l': (8, 9)}, paths=[np.eye(3)], planes=[np.ones((4, 3))])
trim(equations=model.equations, time=0.5)
unit_vectors(at=0, angle=theta, labels=('b_1', 'b_2'))
vee(W=tutlib.spaces.hat(np.array([0.1, 0.2, 0.3])))
Verification(rungs=(verification.results.Rung('units', None, 'Nothing.'),))
verify(machine=model, values={'l': 1.3}, units={'m': 'kg'}, near=[0.3, 0.1], gravity=9.81)
where(condition=True, this=1.0, that=2.0)
with_derivatives(position=circle)
without_author_cells(text='{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
without_solutions(text='{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
"""


def _written(argument: ast.expr) -> str | list[str]:
    """Return an argument of such a call as text, or as several texts."""
    if isinstance(argument, ast.Call) and ast.unparse(argument.func) == "several":
        return [ast.unparse(one) for one in argument.args]
    return ast.unparse(argument)


BY_OWNER = {
    f"{ast.unparse(call.func)}.{given.arg}": _written(given.value)
    for call in (statement.value for statement in ast.parse(CALLS).body)
    for given in call.keywords
}

#: A state of each space, and how many numbers its maps take.
STATES = {
    "SO3": ("np.eye(3).ravel()", 3),
    "Space": ("np.array([0.0, 0.0, 1.0])", 3),
    "Sphere": ("np.array([0.0, 0.0, 1.0])", 3),
    "TangentSO3": ("attitude", 6),
    "TangentSphere": ("np.array([0.0, 0.0, 1.0, 0.1, 0.0, 0.0])", 6),
}
for _space, (_state, _size) in STATES.items():
    BY_OWNER[f"{_space}.x"] = _state
    BY_OWNER |= dict.fromkeys(
        (f"{_space}.{name}" for name in ("u", "v", "xi")), f"np.linspace(0.1, 0.3, {_size})"
    )


def owner_of(target: Target) -> str:
    """Return what a method is called on."""
    return OWNERS_OF.get(target.name, OWNERS[target.owner])


def sample(target: Target, parameter: Parameter) -> str | list[str]:
    """Return the right argument as text; a list for any number of them.

    Raises
    ------
    LookupError
        If there is none yet.
    """
    owner = target.name.partition(".")[0]
    for table, key in (
        (BY_OWNER, f"{target.name}.{parameter.name}"),
        (BY_OWNER, f"{owner}.{parameter.name}"),
        (BY_NAME, parameter.name),
    ):
        if key in table:
            return table[key]
    if found := of_type(parameter):
        return found
    raise LookupError(
        f'tests/fuzz/samples.py needs an argument for "{target.name}.{parameter.name}"'
    )


def of_type(parameter: Parameter) -> str:
    """Return what the default and the type of a parameter make right; nothing if they do not."""
    if parameter.default in EMPTY:
        known = {**OWNERS, **BY_TYPE}.get(parameter.type.removesuffix(" | None"))
        return known or parameter.default
    return parameter.default
