"""Programs: what is written once, dropped, prepared and branched, and the bytes that run."""

import math
import random
import struct
import sys
from itertools import pairwise

import numpy as np
import pytest
import wasmtime

from tutlib.models import chain
from tutlib.programs import where
from tutlib.programs.angles import cosine, sine
from tutlib.programs.assignments import Assignments
from tutlib.programs.evaluation import Evaluator
from tutlib.programs.instructions import webassembly
from tutlib.programs.lowering import lower
from tutlib.programs.machine import CompiledProgram
from tutlib.programs.passes import needed
from tutlib.programs.powers import exponential, logarithm
from tutlib.programs.python_text import python_text
from tutlib.programs.routines import Program
from tutlib.programs.webassembly import WasmFunction, encode, module, signed, unsigned


def written(formula, states, parameters=0):
    """Return a program with one routine, ``run``, that puts a formula of x and p into Y."""
    program = Program(parameters)
    x = program.array("x", states)
    run = program.routine("run")
    values = list(formula(run.read(x, 0, states), program.p))
    run.store(program.array("Y", len(values)), 0, values)
    return program


def run(program, x, p=()):
    machine = CompiledProgram(program).instance(p)
    machine.view("x")[:] = x
    machine.call("run")
    return machine.view("Y").copy()


def text_of(program, routine="run"):
    """Return the lines of one routine, printed as Python."""
    text = python_text(lower(program, in_pairs=False))
    start = text.index(f"def {routine}(")
    end = text.find("\ndef ", start)
    return text[start : end if end > 0 else None].strip().splitlines()[1:]


class TestAssignments:
    def test_what_is_there_is_not_written_again(self):
        written = Assignments()
        x, y = written.inputs("x", 2)
        negative = -x
        assert (x + y).place == (y + x).place
        assert (x * y).place == (y * x).place
        assert (x - y).place != (y - x).place
        assert negative.place != x.place
        assert (-negative).place == x.place
        assert (x + -y).place == (x - y).place
        assert (x - -y).place == (x + y).place
        assert (-x * y).place == (-(x * y)).place
        assert (-x * -y).place == (x * y).place
        assert (x * 1).place == (x + 0).place == (x - 0).place == x.place
        assert x * 0 == 0.0
        assert (x / 4).place == (x * 0.25).place
        assert written.nodes[(x / 3).place][0] == "div"

    def test_signed_zeros_and_nan_are_constants_of_their_own(self):
        written = Assignments()
        assert written.place(0.0) != written.place(-0.0)
        assert written.place(math.nan) == written.place(math.nan)
        assert written.place(0.1) == written.place(np.float64(0.1))

    def test_only_what_a_result_needs_is_computed(self):
        def formula(x, p):
            sine(x[0]) + exponential(x[1])
            return [x[0] * x[1]]

        assert len(text_of(written(formula, 2))) == 2
        unused, used = (written(f, 2) for f in (formula, lambda x, p: [x[0] * x[1]]))
        assert webassembly(lower(unused, True)) == webassembly(lower(used, True))

    def test_conditions_join_known_ones(self, both_machines):
        def formula(x, p):
            positive = x[0] > 0
            assert (positive & True).place == positive.place
            assert (positive | False).place == positive.place
            assert (True & positive).place == positive.place
            joined = [positive & False, positive | True, ~positive, positive & (x[0] < 2)]
            return [where(condition, 1.0, 0.0) for condition in [*joined, positive | (x[0] < -2)]]

        for x, expected in [(1.0, [0, 1, 0, 1, 1]), (3.0, [0, 1, 0, 0, 1]), (-3.0, [0, 1, 1, 0, 1]),
                            (-1.0, [0, 1, 1, 0, 0]), (math.nan, [0, 1, 1, 0, 0])]:  # fmt: skip
            for found in both_machines(lambda x=x: run(written(formula, 1), [x])):
                assert found.tolist() == expected

    @pytest.mark.parametrize("ask", [bool, float, int, lambda x: x == 1, lambda x: 1 in [x]])
    def test_a_value_is_not_there_to_be_asked_for(self, ask):
        (x,) = Assignments().inputs("x", 1)
        with pytest.raises(TypeError, match=r"write where\(condition, this, that\)"):
            ask(x)
        with pytest.raises(TypeError, match=r"write where\(condition, this, that\)"):
            bool(x > 0)


class TestPrepared:
    def test_work_of_parameters_is_done_once(self, both_machines):
        """What of p alone is, `prepare` computes: the routine has one product left."""

        def formula(x, p):
            return [x[0] * (sine(p[0]) * p[1] ** 2 / exponential(p[0] - p[1]))]

        lines = text_of(written(formula, 1, 2))
        assert len(lines) == 2
        assert lines[0].count("*") == 1
        assert len(text_of(written(formula, 1, 2), "prepare")) > 20
        expected = 3 * math.sin(0.5) * 1.44 / math.exp(-0.7)
        compiled, printed = both_machines(lambda: run(written(formula, 1, 2), [3.0], [0.5, 1.2]))
        np.testing.assert_array_equal(printed, compiled)
        np.testing.assert_allclose(compiled, [expected], rtol=1e-15)

    def test_other_parameters_are_prepared_anew(self):
        program = CompiledProgram(written(lambda x, p: [x[0] + p[0] ** 3], 1, 1))
        machine, other = program.instance([2.0]), program.instance([5.0])
        for it, value in [(machine, 8.0), (other, 125.0)]:
            it.call("run")
            assert it.view("Y")[0] == value
        machine.set_parameters([3.0])
        machine.call("run")
        assert machine.view("Y")[0] == 27.0
        assert other.view("Y")[0] == 125.0

    def test_another_wasmtime_is_called_as_its_users_call_it(self, monkeypatch):
        def doubled():
            program = Program(0)
            x, run = program.array("x", 4), program.routine("run", "count", result=True)
            i = run.whole("i")
            with run.repeat(i < run.argument("count")):
                run.store(x, i, [2 * run.read(x, i)])
                run.set(i, i + 1)
            run.leave(i)
            machine = CompiledProgram(program).instance(())
            machine.view("x")[:] = 1, 2, 3, 4
            return machine.call("run", 3), machine.view("x").tolist()

        called, usual = [], wasmtime.Func.__call__
        monkeypatch.setattr(
            wasmtime.Func, "__call__", lambda *some: called.append(some[2:]) or usual(*some)
        )
        assert (doubled(), called) == ((3, [2, 4, 6, 4]), [])
        monkeypatch.delattr(wasmtime, "_ffi")
        monkeypatch.setitem(sys.modules, "wasmtime._ffi", None)
        assert (doubled(), called[-1]) == ((3, [2, 4, 6, 4]), (3,))


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
            webassembly(lower(written(formula, 2), True))
        return [instruction[0] for instruction in made]

    def test_costly_arms_become_branches_and_cheap_ones_do_not(self):
        cheap = self.instructions(lambda x, p: [where(x[0] < 0, x[1] + 1, x[1] * 2)])
        assert ("if" in cheap, "select" in cheap) == (False, True)
        both = self.instructions(lambda x, p: [where(x[0] < 0, costly(x[1]), costly(x[0] * x[1]))])
        assert "if" in both
        assert "else" in both

    def test_only_one_arm_runs(self, both_machines):
        def formula(x, p):
            return [
                where(x[0] < 0, costly(x[1]), x[0]),
                where(x[0] < 0, x[1], costly(-x[1]) + x[0]),
            ]

        def values():
            return np.array([run(written(formula, 2), x) for x in ([-1.0, 0.3], [1.0, 0.3])])

        compiled, printed = both_machines(values)
        np.testing.assert_array_equal(printed, compiled)
        expected = [[costly(0.3), 0.3], [1.0, costly(-0.3) + 1.0]]
        np.testing.assert_array_equal(compiled, expected)

    def test_what_both_arms_need_is_computed_before(self, both_machines):
        def formula(x, p):
            shared = costly(x[1])
            return [where(x[0] < 0, costly(shared), costly(shared + 1) * shared)]

        for x in ([-1.0, 0.3], [1.0, 0.3], [math.nan, 0.3]):
            compiled, printed = both_machines(lambda x=x: run(written(formula, 2), x))
            np.testing.assert_array_equal(printed, compiled)
            shared = costly(0.3)
            expected = costly(shared) if x[0] < 0 else costly(shared + 1) * shared
            assert compiled[0] == expected

    def test_branches_inside_of_branches(self, both_machines, rng):
        def formula(x, p):
            inner = where(x[1] < 0, costly(x[0]), costly(2 * x[0]))
            return [where(x[0] < 0, costly(inner), inner + costly(x[1]))]

        for x in rng.normal(size=(4, 2)):
            compiled, printed = both_machines(lambda x=x: run(written(formula, 2), x))
            assert printed[0] == compiled[0] == formula(x.tolist(), ())[0]


class TestPairs:
    @pytest.mark.parametrize("count", [1, 2, 3, 5])
    def test_sines_in_pairs_are_those_of_single_ones(self, count, rng):
        """To the last bit, whatever stands beside them: small, large, infinite or nan."""

        def formula(x, p):
            return [f(angle) for angle in x for f in (sine, cosine)]

        special = [0.0, -0.0, 1e-300, 1e6, -1e15, 1e300, math.inf, math.nan]
        program = written(formula, count)
        assert (b"\xfd\xf2" in webassembly(lower(program, True))) == (count > 1)
        for _ in range(20):
            x = [rng.choice([rng.normal(), *special]) for _ in range(count)]
            alone = [run(written(formula, 1), [angle]) for angle in x]
            np.testing.assert_array_equal(run(program, x), np.ravel(alone))

    def test_sines_of_sines_wait_for_one_another(self, both_machines):
        def formula(x, p):
            return [sine(cosine(x[0]) + sine(x[1])), cosine(sine(sine(x[0])))]

        compiled, printed = both_machines(lambda: run(written(formula, 2), [0.3, -2.0]))
        np.testing.assert_array_equal(printed, compiled)
        np.testing.assert_array_equal(compiled, formula([0.3, -2.0], ()))


class TestRoutines:
    def test_one_routine_calls_another_as_often_as_it_likes(self, both_machines):
        def program():
            made = Program(1)
            x = made.array("x", 2)
            f = made.function("f", lambda t, x: [x[1] + t, -made.p[0] * sine(x[0])], 2)
            run = made.routine("run")
            state = run.read(x, 0, 2)
            first = f(0.5, state)
            second = f(first[1], [first[0], state[1]])
            run.store(made.array("Y", 4), 0, [*first, *second])
            return made

        compiled, printed = both_machines(lambda: run(program(), [0.4, 2.0], [3.0]))
        first = [2.5, -3 * sine(0.4)]
        second = [2.0 + first[1], -3 * sine(2.5)]
        np.testing.assert_array_equal(compiled, [*first, *second])
        np.testing.assert_array_equal(printed, compiled)

    def test_calls_of_two_routines_in_one_statement_leave_each_other_alone(self, both_machines):
        def program():
            made = Program(0)
            x = made.array("x", 2)
            double = made.function("double", lambda t, x: [2 * t], 0)
            halves = made.function("halves", lambda t, x: [t / 2, t / 4, t / 8], 0)
            run = made.routine("run")
            a, b = run.read(x, 0, 2)
            run.store(made.array("Y", 8), 0, [*double(a, ()), *halves(b, ()), *double(b, ()),
                                              *halves(a, ())])  # fmt: skip
            return made

        compiled, printed = both_machines(lambda: run(program(), [8.0, 16.0]))
        np.testing.assert_array_equal(compiled, [16, 8, 4, 2, 32, 4, 2, 1])
        np.testing.assert_array_equal(printed, compiled)

    def test_loops_branches_and_results(self, both_machines):
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
            machine = CompiledProgram(program).instance(())
            machine.view("x")[:] = [4, -3, 9, 16, math.nan, 1, 1, 1]
            found = []
            for count in (0, 1, 3, 8):
                machine.view("Y")[0] = 7
                found.append((machine.call("run", count), machine.view("Y")[0]))
            return found

        for found in both_machines(call):
            assert found == [(0, 7.0), (1, 2.0), (3, 4.0), (4, 8.0)]

    def test_values_of_one_store_are_computed_before_any_is_stored(self, both_machines):
        def formula():
            program = Program(0)
            x = program.array("x", 2)
            run_routine = program.routine("run")
            a, b = run_routine.read(x, 0, 2)
            run_routine.store(x, 0, [b, a])
            run_routine.store(program.array("Y", 2), 0, [a, b])
            return run(program, [1.0, 2.0])

        for found in both_machines(formula):
            assert found.tolist() == [2.0, 1.0]

    def test_arrays_lie_side_by_side_and_at_even_places(self):
        program = Program(3)
        sizes = {"a": 1, "b": 4, "c": 7, "d": 0}
        for name, length in sizes.items():
            program.array(name, length)
        program.routine("run")
        layout = lower(program, True).layout
        starts = {name: layout[name] for name in ("p", *sizes)}
        assert all(start % 2 == 0 for start in starts.values())
        taken = sorted((start, start + program.arrays[name]) for name, start in starts.items())
        assert all(end <= start for (_, end), (start, _) in pairwise(taken))
        assert layout[""] >= taken[-1][1]
        machine = CompiledProgram(program).instance([1.0, 2.0, 3.0])
        for number, (name, length) in enumerate(sizes.items()):
            machine.view(name)[:] = number
            assert len(machine.view(name)) == max(length, 1)
        assert [machine.view(name)[-1] for name in sizes] == [0, 1, 2, 3]
        assert machine.view("p").tolist() == [1, 2, 3]


class TestEncoder:
    @pytest.mark.parametrize(
        ("number", "expected"),
        [(0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (624485, "e58e26"),
         (2**32 - 1, "ffffffff0f")],
    )  # fmt: skip
    def test_unsigned_numbers(self, number, expected):
        assert unsigned(number).hex() == expected

    @pytest.mark.parametrize(
        ("number", "expected"),
        [(0, "00"), (63, "3f"), (64, "c000"), (-1, "7f"), (-64, "40"), (-65, "bf7f"),
         (127, "ff00"), (128, "8001"), (-128, "807f"), (-123456, "c0bb78"),
         (2**31 - 1, "ffffffff07"), (-(2**31), "8080808078"), (1023 << 52, "80808080808080f83f")],
    )  # fmt: skip
    def test_signed_numbers(self, number, expected):
        assert signed(number).hex() == expected

    @pytest.mark.parametrize("value", [0.0, -0.0, 1.0, math.inf, -math.inf, math.nan, 5e-324])
    def test_constants_keep_their_bits(self, value):
        assert encode(("f64.const", value), {})[1:] == struct.pack("<d", value)
        function = WasmFunction("f", 0, False, code=[("f64.const", 0.0), ("f64.const", -0.0)])
        assert struct.pack("<d", -0.0) in function.body({})

    def test_an_instruction_that_is_not_there(self):
        with pytest.raises(KeyError, match=r"f64\.tan"):
            encode(("f64.tan",), {})

    def test_a_module_has_its_parts_in_order(self):
        code = module([WasmFunction("f", 2, True, code=[("i32.const", 5)])], 70_000)
        assert code[:8] == b"\0asm\1\0\0\0"
        sections, at = [], 8
        while at < len(code):
            sections.append(code[at])
            at += 2 + code[at + 1]
        assert sections == [1, 3, 5, 7, 10]
        assert at == len(code)
        assert b"\x05\x03\x01\x00\x02" in code  # two pages of 64 KiB

    def test_signed_zeros_and_nan_come_out(self, both_machines):
        def formula(x, p):
            return [where(x[0] > 0, -0.0, 0.0), where(x[0] > 0, math.nan, 1.0), x[1] * 1.0, -x[1]]

        for found in both_machines(lambda: run(written(formula, 2), [1.0, 0.0])):
            assert np.signbit(found).tolist()[0]
            assert math.isnan(found[1])
            assert np.signbit(found[2:]).tolist() == [False, True]


SWAPS = {"add": "sub", "sub": "add", "sine": "cosine", "cosine": "sine", "neg": "abs"}


def changed(node, generator):
    """Return a node with another sign, or another entry of what it reads; None if it has none."""
    if node[0] in SWAPS:
        return (SWAPS[node[0]], *node[1:])
    if node[0] == "input" and node[1] == "x":
        return ("input", "x", (node[2] + generator.choice([1, 2, 3])) % 4)
    if node[0] == "input" and node[1] == "p":
        return ("input", "p", (node[2] + 1) % 9)
    return None


def evaluated(nodes, roots, x, p):
    """Compute a list of assignments by the interpreter, node by node."""
    two = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b if b else math.nan, "gt": lambda a, b: a > b,
        "neg": lambda a: -a, "abs": abs, "sine": sine, "cosine": cosine,
        "select": lambda c, a, b: a if c else b,
    }  # fmt: skip
    known = {}
    for place in needed(nodes, roots):
        kind, *rest = nodes[place]
        if kind == "constant":
            known[place] = float.fromhex(rest[0])
        elif kind == "input":
            known[place] = {"x": x, "p": p, "t": [0.4]}[rest[0]][rest[1]]
        else:
            known[place] = two[kind](*(known[a] for a in rest))
    return np.array([known[root] for root in roots])


@pytest.fixture(scope="module")
def double_pendulum():
    """Return a right-hand side as a list, with states and what must come out."""
    f = chain(2).free().compile()
    generator = np.random.default_rng(5)
    values = generator.uniform(0.5, 2, len(f.parameter_values))
    states = generator.uniform(-2, 2, (6, 4))
    expected = Evaluator(f.formula, 4, values)(np.full(6, 0.4), states)
    written = Assignments()
    inputs = written.inputs("x", 4), written.inputs("p", len(values))
    rates = f.formula(written.unknown("input", "t", 0), *inputs)
    return written.nodes, [written.place(rate) for rate in rates], states, values, expected


def test_the_list_says_what_the_program_computes(double_pendulum):
    nodes, roots, states, values, expected = double_pendulum
    for x, rates in zip(states, expected):
        np.testing.assert_array_equal(evaluated(nodes, roots, x, values), rates)


@pytest.mark.parametrize("seed", range(40))
def test_a_planted_fault_is_caught(double_pendulum, seed):
    """A sign or an index in one node: some rate is off by far more than any tolerance here."""
    nodes, roots, states, values, expected = double_pendulum
    generator = random.Random(seed)
    live = [i for i in needed(nodes, roots) if changed(nodes[i], generator)]
    place = generator.choice(live)
    mutant = list(nodes)
    mutant[place] = changed(nodes[place], generator)
    assert mutant[place] != nodes[place]
    found = [evaluated(mutant, roots, x, values) for x in states]
    assert not np.allclose(found, expected, rtol=1e-9, atol=1e-9), (nodes[place], mutant[place])
