"""Where SUNDIALS is not built, what uses it runs all the same, and says so."""

import subprocess
import sys

import numpy as np
import pytest

from tests.helpers import ROOT, needs_sundials, record

pytestmark = [pytest.mark.slow, pytest.mark.tools]
PAGE, SPEAK_OF_IDA = "06-holonomic-constraints/5-the-index", 5  # cells
SAYS = "SUNDIALS is not built for this computer: what IDA found is a record."
#: Runs what the cells that speak of IDA need of a notebook, each by itself, without the package.
SCRIPT = """
import re, sys
sys.modules["sksundae"] = sys.modules["sksundae.ida"] = None
import matplotlib
matplotlib.use("Agg")
import nbformat
from panels.simulations.notebook_code import needed
cells = [c.source for c in nbformat.read(sys.argv[1], 4).cells if c.cell_type == "code"]
of_ida = re.compile(r"\\bIDA\\b|recorded|integrate_dae\\(|ida_row")
for last in (i for i, code in enumerate(cells) if of_ida.search(code)):
    exec(compile(needed(cells[:last + 1]), "cell", "exec"), {"__name__": "__main__"})
    print("ran", last)
"""


def test_a_page_runs_without_it():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, f"notebooks/{PAGE}.ipynb"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count(SAYS) == done.stdout.count("ran ") == SPEAK_OF_IDA


@needs_sundials
def test_the_record_is_what_it_finds():
    """As far as roundings leave it: a start that is moved by one changes IDA's way."""
    values = record(PAGE)["values"]
    kept = values["recorded"]
    fills = {"rate alone": "rates_alone", "both": "stabilized"}
    found = [tuple(found_by) for _, _, *found_by in values["by_index"]]
    known = [kept[str((fills[name], tol))] for name, tol, *_ in values["by_index"]]
    pairs = [*zip(found, known), *zip(values["by_ida"]["array"], kept["IDA"])]
    assert len(pairs) == 8
    for live, old in pairs:
        ratios = np.array(live) / old
        assert abs(ratios[0] - 1) < 0.1  # evaluations
        assert np.all((ratios[1:] > 0.05) & (ratios[1:] < 20))
