"""The table of planted mistakes: what the planter changes, and how it counts."""

from dataclasses import replace

import pytest
import sympy as sm

from tests.slips.machines import RIGHT, l
from tests.slips.planter import Planter, changed
from tests.slips.sameness import differs, facts_of, is_told_consistently
from tests.slips.table import SAME, UNSEEN, Trial, climbed, text_of
from tests.slips.variants import variants


def compared(right, wrong):
    """Return whether two machines differ, and whether all parts of the second agree."""
    one, other = facts_of(right, right), facts_of(wrong, right)
    return differs(right, one, other), is_told_consistently(right, other)


def test_each_rule_changes_one_term():
    model = RIGHT["arm in absolute angles"]()
    q_1, q_2 = model.equations.q
    l_1, l_2 = (s for s in sorted(model.parameters, key=str) if str(s).startswith("l_"))
    found = dict(changed(l_1**2 * sm.cos(q_1 - q_2), model))
    assert found["a missing term"] == 0
    assert found["a wrong sign"] == -(l_1**2) * sm.cos(q_1 - q_2)
    assert found["a missing square"] == l_1 * sm.cos(q_1 - q_2)
    assert found["sine and cosine swapped"] == l_1**2 * sm.sin(q_1 - q_2)
    assert found["a wrong index"] == l_2**2 * sm.cos(q_1 - q_2)
    assert found["a missing length"] == sm.cos(q_1 - q_2)
    scopes = {slip.scope for slip in Planter(model).slips()}
    assert len(scopes) == 8


def test_another_zero_changes_nothing_and_another_body_does():
    right = RIGHT["rod on a hinge"]()
    (body,) = right.bodies
    assert compared(right, right) == (False, True)
    other_zero = replace(right, potential_energy=right.potential_energy + 3 * l)
    assert compared(right, other_zero) == (False, True)
    heavy = replace(right, bodies=(replace(body, inertia=2 * body.inertia),))
    assert compared(right, heavy) == (True, False)
    slips = Planter(right).slips()
    sketch = next(
        slip for slip in slips if slip.scope == "the sketch, and everything derived from it"
    )
    assert compared(right, sketch.make()) == (True, True)


def test_the_table_counts():
    trials = [
        Trial("a", "a body", "a wrong sign", "x", "Newton's laws"),
        Trial("a", "a body", "a wrong sign", "y", UNSEEN),
        Trial("b", "the sketch", "a missing term", "z", UNSEEN, consistent=True),
        Trial("b", "a body", "a missing term", "z", SAME),
        Trial("b", "right", "as it is", "", UNSEEN),
    ]
    text = text_of(trials)
    assert "In 2 machines, 3 mistakes were planted. `verify` detects 1 of them." in text
    assert "| a body | 2 | 1 |" in text
    assert text.endswith("| a body: a wrong sign | a |\n")


@pytest.mark.slow
@pytest.mark.parametrize("how", [how for how, _ in variants(RIGHT["cart and pendulum"]())])
def test_it_may_be_written_otherwise(how):
    make = dict(variants(RIGHT["cart and pendulum"]()))[how]
    assert climbed(make())[0] == UNSEEN
