"""Wrong calls: a few thousand, always the same, and none is answered by a fault of ours."""

import sys
from collections import Counter

import pytest

from tests.fuzz.__main__ import table, worst
from tests.fuzz.calls import right_calls, wrong_calls
from tests.fuzz.samples import BY_OWNER, OWNERS, OWNERS_OF, sample
from tests.fuzz.targets import targets
from tests.fuzz.verdicts import CRASH, FINE, HANG, INTERNAL, NOT_FINITE, RAW, VERDICTS
from tests.fuzz.workers import answers

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="wrong calls: Windows cannot end a call that takes too long"
)
CALLS, SEED = 1000, 1
#: The most that may be answered so: a plain message of Python is no disaster, but a rare one.
CEILINGS = {CRASH: 0, HANG: 0, NOT_FINITE: 0, INTERNAL: 0, RAW: CALLS // 200}


def test_everything_public_has_right_arguments():
    missing = []
    for target in targets():
        if target.owner and target.owner not in OWNERS:
            missing.append(target.owner)
        for parameter in target.parameters:
            try:
                sample(target, parameter)
            except LookupError as error:
                missing.append(str(error))
    assert missing == []


def test_no_sample_is_left_over():
    """What is gone from the package goes from the table."""
    known = {target.name for target in targets()}
    known |= {
        f"{name}.{p.name}"
        for t in targets()
        for p in t.parameters
        for name in (t.name, t.name.partition(".")[0])
    }
    assert sorted({*BY_OWNER, *OWNERS_OF} - known) == []


@pytest.fixture(scope="module")
def found():
    """Return the answers to all calls, right ones first: one process makes them."""
    return list(answers([*right_calls(), *wrong_calls(CALLS, SEED)]))


@pytest.mark.slow
def test_right_calls_are_fine(found):
    right = found[:-CALLS]
    assert len(right) == len(right_calls())
    assert [f"{a.call}: {a.told}" for a in right if a.verdict != FINE] == []


@pytest.mark.slow
def test_wrong_calls_get_a_sentence(found):
    found = found[-CALLS:]
    counts = Counter(answer.verdict for answer in found)
    told = f"{worst(found, 2)}\n\n{table(found)}"
    assert {v: counts[v] for v in VERDICTS if counts[v] > CEILINGS.get(v, CALLS)} == {}, told
