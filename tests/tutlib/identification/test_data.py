"""The recordings of the course: all can be read, all have a license, and all are what we say."""

import csv
import gzip
import re
from fnmatch import fnmatch

import numpy as np
import pytest

from tutlib.identification import read_recording, recording
from tutlib.identification.recordings import DATA

FILES = sorted(DATA.glob("*.csv.gz"))
MOTIONS = [path for path in FILES if not path.name.startswith("bicycle")]
#: Smallest step of an angle of the free pendulums, and of an angle and a torque of the driven one.
TURN_COUNT, MESSAGE_COUNT, TORQUE_COUNT = 2 * np.pi / 40000, 25 / 65535, 24 / 4095


def counted(values, count, offset, rounding):
    """Tell whether all values are whole numbers of counts plus an offset, but for rounding."""
    counts = np.asarray(values) / count - offset
    return np.abs(counts - np.round(counts)).max() <= 1.001 * rounding / count


@pytest.mark.parametrize("path", MOTIONS, ids=lambda path: path.name)
def test_a_motion_can_be_read_by_its_name(path):
    motion = recording(path.name.partition(".")[0])
    same = read_recording(path)
    np.testing.assert_array_equal(motion.q, same.q)
    assert motion.name == path.name.partition(".")[0]
    assert (
        motion.q.shape[1]
        == {"single": 1, "double": 2, "triple": 3}[
            re.search("single|double|triple", motion.name)[0]
        ]
    )
    assert np.isfinite(motion.q).all()
    assert np.abs(np.diff(motion.q, axis=0)).max() < 0.2  # rad, so that no angle jumps by a turn
    assert 1 / np.median(np.diff(motion.t)) == pytest.approx(250 if "free" in path.name else 500)
    assert motion.torque.any() == path.name.startswith(("double-fit", "double-heldout", "double-s"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_table_is_complete(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert {len(row) for row in rows} == {len(header)}
    assert len(rows) > 100
    assert all(row[header.index("time_s")] for row in rows if "time_s" in header)


def test_each_file_has_one_row_with_its_license():
    table = re.findall(
        r"^\| (`.*?) \|.*\| (.*?) \|$", (DATA / "README.md").read_text("utf-8"), re.M
    )
    for path in FILES:
        licenses = [
            text
            for names, source in table
            if any(fnmatch(path.name, name) for name in re.findall(r"`(.*?)`", names))
            for text in re.findall(r"`(LICENSE-.*?)`", source)
        ]
        assert len(licenses) == 1, path.name
        text = (DATA / licenses[0]).read_text(encoding="utf-8")
        assert re.search(r"Copyright \(c\) \d{4}", text)
        assert re.search(r"Permission is hereby granted|Redistribution and use", text)


def test_all_together_are_small():
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 1.5e6


def test_an_encoder_has_40000_counts_per_revolution():
    motion = recording("free-single-fit-small")
    assert counted(motion.q, TURN_COUNT, 0.0, 0.5e-5)
    assert not counted(motion.q, 1.01 * TURN_COUNT, 0.0, 0.5e-5)


@pytest.mark.parametrize("name", ["fit-143339", "fit-143601", "fit-143704", "heldout-143747"])
def test_the_drives_send_16_bits_of_angle_and_12_bits_of_torque(name):
    motion = recording(f"double-{name}")
    assert counted(motion.q, MESSAGE_COUNT, 0.5, 0.5e-5)
    assert counted(motion.torque, TORQUE_COUNT, 0.5, 0.5e-4)
    assert not counted(motion.q, MESSAGE_COUNT / 2, 0.5, 0.5e-5)


def test_the_velocities_of_the_drives_are_differences_of_the_angles():
    """They are no second sensor."""
    table = np.genfromtxt(DATA / "double-heldout-143747.csv.gz", delimiter=",", names=True)
    kept = np.diff(table["time_s"], prepend=-np.inf) > 0
    for i in (1, 2):
        q, u = table[f"q{i}_rad"][kept], table[f"u{i}_rad_per_s"][kept]
        difference = np.diff(q) / np.diff(table["time_s"][kept])
        assert np.median(np.abs(u[1:] - difference)) < 0.003
