"""The table of planted slips: its rules, what changes nothing, and right machines of all kinds."""

from dataclasses import replace

import pytest
import sympy as sm

from tests.slips import table
from tests.slips.machines import RIGHT, l
from tests.slips.planter import Planter, changed
from tests.slips.sameness import differs, facts_of, is_told_consistently
from tests.slips.table import ASKED, SAME, UNSEEN, Trial, by_rung, by_scope, climbed, unseen
from tests.slips.variants import variants


def told(right, wrong):
    """Return whether two machines differ, and whether the second tells one story."""
    one, other = facts_of(right, right), facts_of(wrong, right)
    return differs(right, one, other), is_told_consistently(right, other)


class TestRules:
    def test_each_rule_changes_one_term(self):
        model = RIGHT["arm in absolute angles"]()
        q_1, q_2 = model.equations.q
        l_1, l_2 = (s for s in sorted(model.parameters, key=str) if str(s).startswith("l_"))
        found = dict(changed(l_1**2 * sm.cos(q_1 - q_2), model))
        assert found["a term is lost"] == 0
        assert found["a sign is turned"] == -(l_1**2) * sm.cos(q_1 - q_2)
        assert found["a square is lost"] == l_1 * sm.cos(q_1 - q_2)
        assert found["sine and cosine are exchanged"] == l_1**2 * sm.sin(q_1 - q_2)
        assert found["an index is wrong"] == l_2**2 * sm.cos(q_1 - q_2)
        assert found["a length is lost"] == sm.cos(q_1 - q_2)
        one_angle = found["one angle stands for a difference or a sum"]
        assert one_angle in (l_1**2 * sm.cos(q_1), l_1**2 * sm.cos(-q_2))

    def test_they_apply_in_every_scope(self):
        scopes = {slip.scope for slip in Planter(RIGHT["arm in absolute angles"]()).slips()}
        held = {slip.scope for slip in Planter(RIGHT["ellipse held by a constraint"]()).slips()}
        assert scopes == {
            "an equation",
            "the kinetic energy",
            "the potential energy",
            "a load in the equations",
            "a load wherever it stands",
            "the sketch and all that follows",
            "a body",
            "a value",
            "a unit",
        }
        assert "a constraint" in held

    def test_what_follows_is_derived_anew(self):
        model = RIGHT["rod on a hinge"]()
        asked = ("the kinetic energy", "a factor 2 too much")
        heavy = next(slip for slip in Planter(model).slips() if (slip.scope, slip.rule) == asked)
        wrong, u = heavy.make(), model.equations.u[0]
        assert wrong.equations.mass_matrix[0, 0] == sm.diff(wrong.kinetic_energy, u, 2)
        assert wrong.equations.mass_matrix != model.equations.mass_matrix


class TestSameness:
    def test_another_zero_and_another_way_to_turn_change_nothing(self):
        right = RIGHT["rod on a hinge"]()
        (body,) = right.bodies
        assert told(right, right) == (False, True)
        other_zero = replace(right, potential_energy=right.potential_energy + 3 * l)
        assert told(right, other_zero) == (False, True)
        turned = replace(right, bodies=(replace(body, turned=-body.turned),))
        assert told(right, turned) == (False, True)

    def test_a_story_of_two_machines(self):
        right = RIGHT["rod on a hinge"]()
        (body,) = right.bodies
        heavy = replace(right, bodies=(replace(body, inertia=2 * body.inertia),))
        assert told(right, heavy) == (True, False)
        slips = Planter(right).slips()
        sketch = next(slip for slip in slips if slip.scope == "the sketch and all that follows")
        assert told(right, sketch.make()) == (True, True)


class TestTable:
    TRIALS = (
        Trial("a", "a body", "a sign is turned", "x", "Newton's laws"),
        Trial("a", "a body", "a sign is turned", "y", UNSEEN),
        Trial("b", "a load", "a term is lost", "z", ASKED),
        Trial("b", "the sketch", "a term is lost", "z", UNSEEN, consistent=True),
        Trial("b", "a body", "a term is lost", "z", SAME),
        Trial("b", "right", "as it is", "", UNSEEN),
    )

    def test_it_counts(self):
        trials = list(self.TRIALS)
        assert by_rung(trials) == [("Newton's laws", 1), ("refused", 0), (ASKED, 1), (UNSEEN, 2)]
        scopes = [("a body", 2, 1, 0), ("a load", 1, 0, 1), ("the sketch", 1, 0, 0)]
        assert by_scope(trials) == scopes
        assert unseen(trials, consistent=False) == [("a body", "a sign is turned", 1, "a: y")]
        assert unseen(trials, consistent=True) == [("the sketch", "a term is lost", 1, "b: z")]

    def test_it_is_kept_by_what_was_measured(self, monkeypatch, tmp_path):
        monkeypatch.setattr(table, "KEPT", tmp_path)
        monkeypatch.setattr(table, "EVERY", {})
        assert table.kept(whole=False) is None
        assert table.measured(processes=1) == []
        assert table.kept(whole=False) == []
        monkeypatch.setattr(table, "SEED", 2)
        assert table.kept(whole=False) is None

    def test_a_slip_is_tried(self):
        slips = table.machine_of("mass on a spring")[1]
        found = [table.tried(("mass on a spring", i)) for i in range(0, len(slips), 9)]
        assert {one.outcome for one in found} & {"energy and power", "Newton's laws", "forcing"}
        assert not any(one.outcome == table.CRASHED for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_machine_is_not_refused(name):
    assert climbed(RIGHT[name]()) == (UNSEEN, "")


@pytest.mark.slow
@pytest.mark.parametrize("how", [how for how, _ in variants(RIGHT["cart and pendulum"]())])
def test_it_may_be_written_otherwise(how):
    make = dict(variants(RIGHT["cart and pendulum"]()))[how]
    assert climbed(make())[0] in (UNSEEN, ASKED)
