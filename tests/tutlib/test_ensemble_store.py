"""What is finished stays: on disk, through a stop, a half-written file and a full disk."""

import _thread
import errno
import os

import numpy as np
import pytest

from tests.helpers import compiled_ensemble as ensemble
from tests.helpers import free
from tests.helpers import same_ensembles as same
from tutlib.methods import InterruptedEnsemble, StoreWarning, ensemble_work
from tutlib.models import pendulum

LONGER = free(pendulum()).with_parameters({"l": 2.0})
PARTS = 3
COUNT = 1024 * PARTS - 24


@pytest.fixture
def starts():
    return np.random.default_rng(0).uniform(-1, 1, (COUNT, 2))


@pytest.fixture
def parts(monkeypatch):
    """Return how many parts have been computed so far."""
    begin, begun = ensemble_work.EnsembleMachine.begin, []

    def counted(machine, starts, given):
        begun.append(len(starts))
        begin(machine, starts, given)

    monkeypatch.setattr(ensemble_work.EnsembleMachine, "begin", counted)
    return begun


def swing(free_pendulum, starts, store, **options):
    f = free_pendulum.compile()
    return ensemble(f, starts, 0.5, 0.01, observe=lambda t, x: x[1], store=store, **options)


def test_nothing_is_computed_twice(free_pendulum, starts, tmp_path, parts):
    store = tmp_path / "not there yet" / "swings"
    swing(free_pendulum, starts[:2048], store)
    assert parts == [1024, 1024]
    first = swing(free_pendulum, starts, store)
    same(swing(free_pendulum, starts, str(store), workers=1), first)
    assert parts[2:] == [COUNT - 2048]
    same(first, swing(free_pendulum, starts, None))


def test_a_run_that_was_stopped_goes_on(free_pendulum, starts, tmp_path, monkeypatch, parts):
    with monkeypatch.context() as patch:
        go_on, machines = ensemble_work.EnsembleMachine.go_on, []

        def interrupted(machine):
            if machine not in machines:
                machines.append(machine)
                if len(machines) == 2:
                    _thread.interrupt_main()
            return len(machines) > 1 or go_on(machine)  # the second part would go on for ever

        patch.setattr(ensemble_work.EnsembleMachine, "go_on", interrupted)
        with pytest.raises(InterruptedEnsemble, match="after 1024 of") as stopped:
            swing(free_pendulum, starts, tmp_path, workers=1)
    assert np.isfinite(stopped.value.ensemble.x[:1024]).all()
    assert len(list(tmp_path.glob("*.part"))) == 1
    parts.clear()
    same(swing(free_pendulum, starts, tmp_path), swing(free_pendulum, starts, None))
    assert sorted(parts[: PARTS - 1]) == [COUNT - 2048, 1024]  # in whatever order threads begin


DAMAGES = {
    "one bit": lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
    "a folder": None,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_part_that_is_damaged_is_computed_anew(damage, free_pendulum, starts, tmp_path, parts):
    first = swing(free_pendulum, starts, tmp_path)
    part = sorted(tmp_path.glob("*.part"))[1]
    whole = part.read_bytes()
    part.unlink()
    part.write_bytes(damage(whole)) if damage else part.mkdir()
    parts.clear()
    with pytest.warns(StoreWarning, match=f"{part.name} is damaged: this part is computed again"):
        same(swing(free_pendulum, starts, tmp_path), first)
    assert len(parts) == 1
    assert part.is_dir() or part.read_bytes() == whole


def test_a_full_disk_says_so_and_loses_nothing(free_pendulum, starts, tmp_path, monkeypatch):
    swing(free_pendulum, starts[:1024], tmp_path)

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(StoreWarning, match="No space left on device: parts that cannot be written"):
        found = swing(free_pendulum, starts, tmp_path)
    monkeypatch.undo()
    assert sorted(tmp_path.iterdir()) == before  # nothing half written is left
    same(found, swing(free_pendulum, starts, None))


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ({"h": 0.005}, "h is 0.01 there and 0.005 here"),
        ({"method": "euler"}, "method is .* there and .*uler.* here"),
        ({"until": lambda t, x: x[0]}, "its equations or other arguments differ"),
        ({"f": LONGER.compile()}, "parameters is .*'l': 1.0.* there and .*'l': 2.0.* here"),
    ],
)
def test_a_store_of_another_run_is_refused(change, differs, free_pendulum, tmp_path):
    usual = {"f": free_pendulum.compile(), "starts": np.zeros((2, 2)), "t_end": 0.5, "h": 0.01}
    ensemble(**usual, store=tmp_path)
    with pytest.raises(ValueError, match=f"holds motions of another run: .*{differs}"):
        ensemble(**(usual | change), store=tmp_path)
    ensemble(**usual, store=tmp_path)


DAMAGED = [b"", b"[]", b'{"run": "", "about": []}', b"no JSON", b"\xff"]


@pytest.mark.parametrize("text", [*DAMAGED, b"[" * 100_000], ids=range(len(DAMAGED) + 1))
def test_a_folder_that_does_not_say_what_it_holds(text, free_pendulum, starts, tmp_path, parts):
    """What it holds is found all the same: each part has a name of its own."""
    first = swing(free_pendulum, starts, tmp_path)
    (tmp_path / "ensemble.json").write_bytes(text)
    parts.clear()
    with pytest.warns(StoreWarning, match=r"ensemble\.json is damaged; .* Delete it"):
        same(swing(free_pendulum, starts, tmp_path), first)
    assert parts == []
    assert (tmp_path / "ensemble.json").read_bytes() == text
