"""Programs: what is written once, dropped, prepared and branched, and the bytes that run."""

import math

import numpy as np
import pytest

from straightline import Machine, Program, where
from straightline.angles import cosine, sine
from straightline.assignments import Assignments
from straightline.instructions import webassembly
from straightline.lowering import lower
from straightline.passes import dependencies
from straightline.powers import exponential, logarithm
from straightline.webassembly import WasmFunction


def written(formula, states, parameters=0):
    """Return a program with one routine, ``run``, that puts a formula of x and p into Y."""
    program = Program(parameters)
    x = program.array("x", states)
    run = program.routine("run")
    values = list(formula(run.read(x, 0, states), program.p))
    run.store(program.array("Y", len(values)), 0, values)
    return program


def run(program, x, p=()):
    machine = Machine(program).instance(p)
    machine.view("x")[:] = x
    machine.call("run")
    return machine.view("Y").copy()


def operations(program, name="run"):
    """Return the operations of a routine's only statement, without what `prepare` computes."""
    lowered = lower(program)
    (routine,) = (r for r in lowered.routines if r.name == name)
    prepared, nodes = lowered.prepared_in(routine), program.assignments.nodes
    order = dependencies(nodes, routine.body[0].roots, prepared)
    return [nodes[i][0] for i in order if i not in prepared]


class TestAssignments:
    def test_signed_zeros_and_nan_are_constants_of_their_own(self):
        written = Assignments()
        assert written.index_of(0.0) != written.index_of(-0.0)
        assert written.index_of(math.nan) == written.index_of(math.nan)
        assert written.index_of(0.1) == written.index_of(np.float64(0.1))

    def test_conditions_join_known_ones(self):
        def formula(x, p):
            positive = x[0] > 0
            assert (positive & True).node_index == positive.node_index
            assert (positive | False).node_index == positive.node_index
            assert (True & positive).node_index == positive.node_index
            joined = [positive & False, positive | True, ~positive, positive & (x[0] < 2)]
            return [where(condition, 1.0, 0.0) for condition in [*joined, positive | (x[0] < -2)]]

        for x, expected in [
            (1.0, [0, 1, 0, 1, 1]),
            (3.0, [0, 1, 0, 0, 1]),
            (-3.0, [0, 1, 1, 0, 1]),
            (-1.0, [0, 1, 1, 0, 0]),
            (math.nan, [0, 1, 1, 0, 0]),
        ]:
            assert run(written(formula, 1), [x]).tolist() == expected

    @pytest.mark.parametrize(
        ("ask", "advice"),
        [
            (bool, r"write np.where\(condition, this, that\)"),
            (lambda x: bool(x > 0), r"write np.where\(condition, this, that\)"),
            (float, r"leave out float\(\)"),
            (str, "no value to print"),
            (lambda x: {x}, "cannot be a key"),
        ],
    )
    def test_a_value_is_not_there_to_be_asked_for(self, ask, advice):
        (x,) = Assignments().inputs("x", 1)
        with pytest.raises(TypeError, match=advice):
            ask(x)


class TestPrepared:
    def test_work_of_parameters_is_done_once(self):
        """What of p alone is, `prepare` computes: the routine has one product left."""

        def formula(x, p):
            return [x[0] * (sine(p[0]) * p[1] ** 2 / exponential(p[0] - p[1]))]

        assert operations(written(formula, 1, 2)) == ["load", "mul"]
        assert len(operations(written(formula, 1, 2), "prepare")) > 20
        expected = 3 * math.sin(0.5) * 1.44 / math.exp(-0.7)
        found = run(written(formula, 1, 2), [3.0], [0.5, 1.2])
        np.testing.assert_allclose(found, [expected], rtol=1e-15)


def costly(x):
    for _ in range(4):
        x = exponential(sine(x)) - logarithm(2 + cosine(x))
    return x


class TestBranches:
    def instructions(self, formula):
        made = []
        original = WasmFunction.body

        def body(self, routines):
            made.extend(self.code if self.name == "run" else [])
            return original(self, routines)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(WasmFunction, "body", body)
            webassembly(lower(written(formula, 2)))
        return [instruction[0] for instruction in made]

    def test_costly_arms_become_branches_and_cheap_ones_do_not(self):
        cheap = self.instructions(lambda x, p: [where(x[0] < 0, x[1] + 1, x[1] * 2)])
        assert ("if" in cheap, "select" in cheap) == (False, True)
        both = self.instructions(lambda x, p: [where(x[0] < 0, costly(x[1]), costly(x[0] * x[1]))])
        assert "if" in both
        assert "else" in both

    def test_what_both_arms_need_is_computed_before(self):
        def formula(x, p):
            shared = costly(x[1])
            return [where(x[0] < 0, costly(shared), costly(shared + 1) * shared)]

        for x in ([-1.0, 0.3], [1.0, 0.3], [math.nan, 0.3]):
            shared = costly(0.3)
            expected = costly(shared) if x[0] < 0 else costly(shared + 1) * shared
            assert run(written(formula, 2), x)[0] == expected


class TestPairs:
    @pytest.mark.parametrize("count", [1, 2, 3, 5])
    def test_sines_in_pairs_are_those_of_single_ones(self, count, rng):
        """To the last bit, whatever stands beside them: small, large, infinite or nan."""

        def formula(x, p):
            return [f(angle) for angle in x for f in (sine, cosine)]

        special = [0.0, -0.0, 1e-300, 1e6, -1e15, 1e300, math.inf, math.nan]
        program = written(formula, count)
        assert (b"\xfd\xf2" in webassembly(lower(program))) == (count > 1)
        for _ in range(20):
            x = [rng.choice([rng.normal(), *special]) for _ in range(count)]
            alone = [run(written(formula, 1), [angle]) for angle in x]
            np.testing.assert_array_equal(run(program, x), np.ravel(alone))

    def test_sines_of_sines_wait_for_one_another(self):
        def formula(x, p):
            return [sine(cosine(x[0]) + sine(x[1])), cosine(sine(sine(x[0])))]

        found = run(written(formula, 2), [0.3, -2.0])
        np.testing.assert_array_equal(found, formula([0.3, -2.0], ()))


class TestRoutines:
    def test_calls_of_two_routines_in_one_statement_leave_each_other_alone(self):
        made = Program(0)
        x = made.array("x", 2)
        double = made.function("double", lambda t, x: [2 * t], 0)
        halves = made.function("halves", lambda t, x: [t / 2, t / 4, t / 8], 0)
        routine = made.routine("run")
        a, b = routine.read(x, 0, 2)
        routine.store(
            made.array("Y", 8),
            0,
            [*double(a, ()), *halves(b, ()), *double(b, ()), *halves(a, ())],
        )
        np.testing.assert_array_equal(run(made, [8.0, 16.0]), [16, 8, 4, 2, 32, 4, 2, 1])

    def test_loops_branches_and_results(self):
        """The sum of the roots of what is positive, up to the first nan; its place is returned."""

        def call():
            program = Program(0)
            x, Y = program.array("x", 8), program.array("Y", 1)
            run = program.routine("run", "count", result=True)
            i, total = run.whole("i"), run.number("total")
            with run.repeat(i < run.argument("count")):
                entry = run.read(x, i)
                with run.when(~entry.condition("eq", entry)):
                    run.leave(i)
                with run.when(entry > 0):
                    run.change("total", total + entry.sqrt())
                with run.otherwise():
                    run.change("total", total - 1)
                run.store(Y, 0, [total])
                run.set(i, i + 1)
            run.leave(i)
            machine = Machine(program).instance(())
            machine.view("x")[:] = [4, -3, 9, 16, math.nan, 1, 1, 1]
            found = []
            for count in (0, 1, 3, 8):
                machine.view("Y")[0] = 7
                found.append((machine.call("run", count), machine.view("Y")[0]))
            return found

        assert call() == [(0, 7.0), (1, 2.0), (3, 4.0), (4, 8.0)]
