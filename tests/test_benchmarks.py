"""A comparison is fair only if both sides are equally wrong."""

import csv
import functools
import warnings

import numpy as np
import pytest

from benchmarks import adaptive, linkage, machines, measured, peers, quadrotors, written
from benchmarks.measure import best_times
from benchmarks.pendulum import equal_error

pytestmark = [pytest.mark.slow, pytest.mark.tools]


def test_the_pendulum_is_compared_at_equal_error():
    run = equal_error(duration=5.0, steps=1000)
    assert run["error"] > 0
    assert run["peer_error"] == pytest.approx(run["error"], rel=0.02)


def test_peers_agree_where_they_are_installed():
    angles, time = peers.own_step(2, steps=600)
    assert time > 0
    if (found := peers.mujoco_step(2, steps=10)) is not None:
        np.testing.assert_allclose(found[0], angles, atol=1e-12)
    if (pair := peers.pinocchio_step(2, calls=10)) is not None:
        assert pair[0] < 1e-12


def test_adaptive_steps_are_compared_at_equal_error(monkeypatch):
    monkeypatch.setattr(adaptive, "DURATION", 1.0)
    once = functools.partial(best_times, rounds=1)
    monkeypatch.setattr(adaptive, "best_times", lambda *runs, rounds: once(*runs))
    assert set(adaptive.equal_error(2)) >= {"ours", "SciPy"}
    runs = adaptive.ours(3), adaptive.scipy_lambdified(3)
    np.testing.assert_allclose(runs[0](1e-11), runs[1](1e-11), atol=1e-9)


def test_the_loop_is_compared_with_the_published_way():
    run = linkage.compare()
    assert run["error"] < 2e-5
    assert run["peer_error"] > 1e4 * run["error"]


@pytest.mark.parametrize("method", ["rk4", "cf4"])
def test_both_steps_of_the_quadrotors_end_alike(method):
    assert 0 <= quadrotors.compare(method)["apart"] < 1e-12


@pytest.mark.parametrize(("name", "both"), written.compare().items())
def test_loops_by_hand_end_where_ours_do(name, both):
    ours, plain = (run()[-1] for run in both)
    np.testing.assert_allclose(ours, plain, rtol=0, atol=3e-5 if "SciPy" in name else 1e-12)


@pytest.mark.parametrize("machine", machines.MACHINES, ids=lambda machine: machine[0])
def test_machines_of_other_people_agree(machine):
    """To as many digits as the book says."""
    system, source, what, run, right = machine
    with machines.TABLE.open(encoding="utf-8", newline="") as file:
        (told,) = [int(row[3]) for row in csv.reader(file) if row[:3] == [system, source, what]]
    assert told >= 9
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = machines.digits(run(), right() if callable(right) else right)
    assert found > told - 0.5


def test_windows_of_a_recording_are_those_of_numpy():
    run = measured.windows(rounds=1)
    assert run["windows"] == 19
    assert run["apart"] < 1e-12


def test_a_folder_may_contain_anything(tmp_path):
    """A recording is scored, and other files are named with the reason."""
    source = measured.DATA / "free-single-heldout.csv.gz"
    (tmp_path / "good.csv.gz").write_bytes(source.read_bytes())
    (tmp_path / "cut.csv.gz").write_bytes(source.read_bytes()[:5000])
    for name, text in {
        "bicycle": "time_s,rate_V\n0,1\n",
        "empty": "",
        "letters": "time_s,phi_rad\n0,a\n1,b\n2,c\n",
        "one": "time_s,phi_rad\n0,0\n",
        "short": "time_s,phi_rad\n0,0\n0.01,0\n0.02,0\n0.03,0\n",
    }.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    models = {"single": measured.published("single")}
    _, _, *lines = measured.table(sorted(tmp_path.iterdir()), models)
    assert [line.split(" | ")[:2] for line in lines[:3]] == [
        ["| good", after] for after in ("0.5", "1", "5")
    ]
    assert all(line.endswith("| 1.00 |") for line in lines[:3])
    skipped = [line.split(":")[0] for line in lines[4:]]
    names = ("bicycle.csv", "cut.csv.gz", "empty.csv", "letters.csv", "one.csv", "short.csv")
    assert skipped == [f"Skipped {name}" for name in names]
