"""The list of faults is in order: each can be planted, and names a test that exists."""

from collections import Counter

from tests.helpers import ROOT
from tests.mutations.faults import all_faults

FAULTS = all_faults()


def test_there_are_many_and_they_differ():
    assert len(FAULTS) >= 60
    assert max(Counter((f.file, f.cell, f.before, f.after) for f in FAULTS).values()) == 1


def test_a_fault_can_be_planted():
    for fault in FAULTS:
        text = (ROOT / fault.file).read_text(encoding="utf-8")
        assert fault.changed(text) != text
        path, _, name = fault.test.partition("::")
        source = (ROOT / path).read_text(encoding="utf-8") if name else ""
        assert (ROOT / path).exists(), fault.name
        last = name.rpartition("::")[2].partition("[")[0]
        assert not last or f"def {last}(" in source or f"class {last}" in source, fault.name
