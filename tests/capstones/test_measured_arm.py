"""The measured arm: files that never change, right methods that always pass, known mistakes."""

import hashlib
from functools import cache

import numpy as np
import pytest
import sympy as sm
from scipy.optimize import least_squares

from course.capstones import capstone, measured_arm
from course.capstones.estimates import Coverage
from course.judge.stages import response
from tests.capstones.test_capstones import told
from tutlib.identification import Recording, Regressor, driven, fit_motion, simulate_along
from tutlib.mechanics import EquationsOfMotion
from tutlib.models import Load, Model, Skeleton

pytestmark = pytest.mark.slow

#: Variants at each commit; all of them once a week.
FEW = range(0, 60, 20)
VARIANTS = [
    pytest.param(k) if k in FEW else pytest.param(k, marks=pytest.mark.tools) for k in range(60)
]
LATER = (4, 6, 8, 10, 12)


class Student:
    """What a student has: the table and the files; angles in radians, currents, and the weight."""

    def __init__(self, variant, tmp_path):
        self.mine = capstone("measured-arm", variant)
        self.given = self.mine.values
        self.runs = {name: self.read(self.mine.file(name, tmp_path)) for name in self.mine.files}
        self.weight = self.given["m"] * self.given["g"] * self.given["a"]

    def read(self, path, per=2 * np.pi):
        table = np.genfromtxt(path, delimiter=",", names=True)
        angle, current = table["counts"] * per / self.given["n"], table["current_A"]
        return Recording(table["time_s"], angle[:, np.newaxis], current[:, np.newaxis])

    def answer(self, J, torque, b, f, z):
        """Return an answer to the third stage, given the torque per ampere at the shaft."""
        return [J, torque / self.given["N"], f + b / 2, f + 2 * b, z]

    def feedback(self, number, answer):
        return told(self.mine.stage(number), answer)


@pytest.fixture
def student(tmp_path):
    return lambda variant: Student(variant, tmp_path)


J, K, b, f, z, w, G = sm.symbols("J K b f z w G")
theta, i = measured_arm.theta, measured_arm.i


@cache
def arm(width=0.05):
    """Return the driven arm, with a torque K per ampere, written here a second time."""
    rate = theta.diff()
    friction = Load(-b * rate - f * sm.tanh(rate / w), theta)
    guess = {J: 0.3, K: 0.7, b: 0.1, f: 0.3, z: 0, w: width, G: 1}
    energies = J * rate**2 / 2, -G * sm.cos(theta + z)
    loads = (Load(K * i, theta), friction)
    return driven(Model.of(*energies, theta, guess, (), loads, skeleton=Skeleton((), ())))


def shot(student, run="fit", vary="JKbfz", width=0.05, **known):
    """Return a fit by multiple shooting, and its field."""
    start = arm(width).with_parameters({"G": student.weight, **known})
    fit = fit_motion(start, student.runs[run], [*vary])
    return fit, fit.fields[0]


@cache
def regressor(dry=True):
    """Return the equations J θ̈ + … = i, divided by the torque per ampere."""
    c, s, B, F, I = sm.symbols("c s B F I")
    friction = -B * theta.diff() - F * sm.tanh(theta.diff() / 0.05)
    pulled = -s * sm.sin(theta) - c * sm.cos(theta)
    if not dry:
        friction = friction.xreplace({F: 0})
    unknown = [I, B, s, c, *([F] if dry else [])]
    still = EquationsOfMotion.from_lagrangian(
        I * theta.diff() ** 2 / 2, 0, [theta], {theta: i + pulled + friction}
    )
    return Regressor(still, unknown)


def weak(student, dry=True):
    """Return J, K, b, f, and z by linear least squares on the weak form."""
    Y, y = regressor(dry).weak_form([student.runs["fit"]], 0.4)
    inertia, viscous, sine, cosine, *constant = np.linalg.lstsq(Y, y, rcond=None)[0]
    torque = student.weight / np.hypot(sine, cosine)
    step = constant[0] * torque if dry else 0.0
    return inertia * torque, torque, viscous * torque, step, np.arctan2(cosine, sine)


def predict(student, field):
    """Return counts of the second run, whose zero is fitted to its first three seconds."""
    run = student.runs["heldout"]
    found = fit_motion(field.with_parameters({"z": 0.0}), run.between(0, 3), ["z"])
    angles = simulate_along(found.fields[0], run, [0.0, 0.0])[:, 0]
    return np.interp(LATER, run.t, angles) * student.given["n"] / (2 * np.pi)


class TestFiles:
    def test_they_are_the_same_on_every_computer(self):
        """Students have identified them: what draws must never change."""
        texts = capstone("measured-arm", 17).files
        sums = {
            name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in texts.items()
        }
        assert sums == {"fit": "226b0c3c5f2717a1", "heldout": "35aa2c77f30c24d7"}

    def test_they_are_written_once(self, tmp_path):
        path = capstone("measured-arm", 17).file("fit", tmp_path)
        assert path.name == "measured-arm-17-fit.csv"
        assert len(path.read_text().splitlines()) == 4002
        path.write_text("mine")
        assert capstone("measured-arm", 17).file("fit", tmp_path).read_text() == "mine"
        assert capstone("measured-arm").file("heldout", tmp_path).name == "measured-arm-heldout.csv"
        with pytest.raises(ValueError, match="no file 'fits'; there are fit and heldout"):
            capstone("measured-arm").file("fits", tmp_path)
        with pytest.raises(ValueError, match="there are none"):
            capstone("slider-crank").file("fit", tmp_path)

    def test_friction_holds_the_arm_where_the_encoder_shows_zero(self):
        for variant in range(200):
            values = capstone("measured-arm", variant).truth
            slope = (values["R_2"] - values["R_1"]) / 1.5
            dry = values["R_1"] - slope / 2
            pull = values["m"] * values["g"] * values["a"]
            assert slope > 0
            assert all(
                pull * abs(np.sin(zero)) < dry for zero in measured_arm.zeros(values).values()
            )


class TestRightMethods:
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_shooting_and_the_weak_form_are_right(self, student, variant):
        me = student(variant)
        fit, field = shot(me)
        values = fit.values
        assert me.feedback(3, me.answer(*values.values())).verdict == "right"
        error = fit.standard_errors(by_windows=True)["J"]
        interval = [values["J"] - 3 * error, values["J"] + 3 * error]
        assert me.feedback(4, interval).verdict == "right"
        assert me.feedback(5, predict(me, field)).verdict == "right"
        by_equation = weak(me)
        assert me.feedback(3, me.answer(*by_equation)).verdict == "right"
        known = field.with_parameters(dict(zip("JKbfz", by_equation)))
        assert me.feedback(5, predict(me, known)).verdict == "right"

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_so_is_a_simulation_of_the_whole_run(self, student, variant):
        me = student(variant)
        run, known = me.runs["fit"], arm().with_parameters({"G": me.weight})

        def residuals(p):
            found = known.with_parameters(dict(zip("JKbfz", p)))
            return simulate_along(found, run, [0.0, 0.0])[:, 0] - run.q[:, 0]

        p = least_squares(
            residuals, [0.25, 0.8, 0.1, 0.4, 0.01], x_scale=[0.2, 1, 0.2, 0.5, 0.05]
        ).x
        assert me.feedback(3, me.answer(*p)).verdict == "right"

    @pytest.mark.parametrize("variant", range(2))
    @pytest.mark.parametrize("width", [0.02, 0.1])
    def test_so_is_a_step_of_another_width(self, student, variant, width):
        me = student(variant)
        fit, field = shot(me, width=width)
        assert me.feedback(3, me.answer(*fit.values.values())).verdict == "right"
        assert me.feedback(5, predict(me, field)).verdict == "right"


class TestMistakes:
    """Each is made, not only written down."""

    @pytest.mark.parametrize("variant", FEW)
    def test_each_meets_its_hint(self, student, variant):
        me = student(variant)
        given = me.given

        def hint(answer):
            feedback = me.feedback(3, answer)
            assert feedback.verdict == "wrong"
            return feedback.message

        fit, _ = shot(me)
        right = me.answer(*fit.values.values())
        assert "includes the gear" in hint([right[0], right[1] * given["N"], *right[2:]])
        assert "The magnitude of your zero" in hint([*right[:4], -right[4]])
        assert "In which unit" in hint([*right[:4], np.rad2deg(right[4])])
        assert "In which unit" in hint([*right[:4], right[4] * given["n"] / (2 * np.pi)])
        other, _ = shot(me, "heldout")
        assert "Which run did you fit?" in hint(me.answer(*other.values.values()))
        no_zero, _ = shot(me, vary="JKbf")
        assert "hangs straight down" in hint(me.answer(*no_zero.values.values(), 0.0))
        viscous, _ = shot(me, vary="JKbz", f=0.0)
        values = {**viscous.values, "f": 0.0}
        assert "proportional to the" in hint(me.answer(*(values[name] for name in "JKbfz")))
        assert "proportional to the" in hint(me.answer(*weak(me, dry=False)))

    @pytest.mark.parametrize("variant", FEW)
    def test_differences_without_a_filter_lose_the_inertia(self, student, variant):
        me = student(variant)
        run = me.runs["fit"]
        u = np.gradient(run.q[:, 0], run.t)
        acceleration = np.gradient(u, run.t)
        q = run.q[:, 0]
        columns = [acceleration, u, np.tanh(u / 0.05), np.sin(q), np.cos(q)]
        found = np.linalg.lstsq(np.transpose(columns), run.torque[:, 0], rcond=None)[0]
        torque = me.weight / np.hypot(*found[3:])
        answer = me.answer(
            found[0] * torque,
            torque,
            found[1] * torque,
            found[2] * torque,
            np.arctan2(*found[:2:-1]),
        )
        feedback = me.feedback(3, answer)
        assert feedback.verdict == "wrong"
        assert "How do you differentiate counts?" in feedback.message

    @pytest.mark.parametrize("variant", FEW)
    def test_angles_in_degrees(self, student, variant, tmp_path):
        me = student(variant)
        fit, _ = shot(me)
        J, K, b, f, z = fit.values.values()
        degree = np.pi / 180
        feedback = me.feedback(3, me.answer(J * degree, K, b * degree, f, z / degree))
        assert "In which unit" in feedback.message

    @pytest.mark.parametrize("variant", FEW)
    def test_a_prediction_with_a_mistake(self, student, variant):
        me = student(variant)
        fit, field = shot(me)
        run = me.runs["heldout"]
        per = 2 * np.pi / me.given["n"]

        def hint(found, to_counts=per):
            angles = simulate_along(found, run, [0.0, 0.0])[:, 0]
            feedback = me.feedback(5, np.interp(LATER, run.t, angles) / to_counts)
            assert feedback.verdict == "wrong"
            return feedback.message

        assert "zero of the other run" in hint(field)
        assert "Where did the arm rest" in hint(field.with_parameters({"z": 0.0}))
        zero = fit_motion(field, run.between(0, 3), ["z"]).fields[0]
        assert "How many counts" in hint(zero, 1)
        assert "by the gear's ratio" in hint(zero.with_parameters({"K": fit.values["K"] / 9}))


def test_an_interval_may_be_too_narrow_too_wide_or_beside():
    kind = Coverage(2.0, 0.01)

    def said(*interval):
        reading = kind.read(list(interval))
        assert not kind.same(reading, kind.read(kind.value))
        return response(kind.findings(reading), 1, "")

    assert "narrower than" in said(1.999, 2.001)
    assert "says little" in said(1.5, 2.5)
    assert "does not contain" in said(2.1, 2.2)
    assert kind.same(kind.read([2.03, 1.99]), kind.read(kind.value))
