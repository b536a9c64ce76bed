"""Recordings are read as they were written, and smoothing does what it says."""

import gzip

import numpy as np
import pytest

from tutlib.identification import Recording, read_recording, recording

RELATIVE = """time_s,q1_rad,q2_rad,u1_rad_per_s,u2_rad_per_s,tau1_Nm,tau2_Nm
0.000,0.1,0.2,9.0,9.0,1.0,-1.0
0.004,0.3,0.5,9.0,9.0,2.0,-2.0
0.004,0.7,0.7,9.0,9.0,7.0,-7.0
0.009,0.6,0.9,9.0,9.0,3.0,-3.0
"""
ABSOLUTE = """time_s,phi1_rad,phi2_rad
5.000,0.1,0.3
5.004,0.3,0.8
5.009,0.6,1.5
"""


def file_of(folder, text, name="motion-of-a-test.csv"):
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def sine(frequency, rate=250.0, duration=4.0, shift=0.0):
    """Return a recording of a sine, whose torque is the same sine."""
    t = shift + np.arange(0, duration, 1 / rate)
    q = np.sin(2 * np.pi * frequency * (t - shift))[:, np.newaxis]
    return Recording(t, q, q)


def amplitude(t, values, frequency):
    """Return the amplitude of a sine in the middle of a signal."""
    middle = np.abs(t - t.mean()) < np.ptp(t) / 4
    angle = 2 * np.pi * frequency * t[middle]
    waves = np.column_stack([np.sin(angle), np.cos(angle)])
    return np.hypot(*np.linalg.lstsq(waves, values[middle])[0])


class TestReading:
    @pytest.mark.parametrize("name", ["motion-of-a-test.csv", "motion-of-a-test.csv.gz"])
    def test_angles_become_relative_whichever_they_were(self, tmp_path, name):
        from_relative = read_recording(file_of(tmp_path, RELATIVE, name))
        from_absolute = read_recording(str(file_of(tmp_path, ABSOLUTE, name)))
        relative = [[0.1, 0.2], [0.3, 0.5], [0.6, 0.9]]
        np.testing.assert_array_equal(from_relative.q, relative)
        np.testing.assert_allclose(from_absolute.q, relative, rtol=0, atol=1e-15)
        np.testing.assert_array_equal(from_relative.torque, [[1, -1], [2, -2], [3, -3]])
        np.testing.assert_array_equal(from_absolute.torque, np.zeros((3, 2)))
        assert from_relative.name == "motion-of-a-test"

    def test_of_equal_time_stamps_the_first_is_kept(self, tmp_path):
        np.testing.assert_array_equal(
            read_recording(file_of(tmp_path, RELATIVE)).t, [0.0, 0.004, 0.009]
        )

    def test_a_single_angle_may_have_no_number(self, tmp_path):
        text = "time_s,phi_rad\n0.0,0.5\n0.1,-0.5\n"
        np.testing.assert_array_equal(read_recording(file_of(tmp_path, text)).q, [[0.5], [-0.5]])

    @pytest.mark.parametrize("columns", ["time_s,angle", "t,q1_rad"])
    def test_a_file_without_time_or_angles_is_rejected(self, tmp_path, columns):
        path = file_of(tmp_path, f"{columns}\n0,1\n1,2\n")
        with pytest.raises(ValueError, match=f"its columns are {columns.replace(',', ', ')}"):
            read_recording(path)

    def test_a_file_that_does_not_exist_is_reported(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            read_recording(tmp_path / "none.csv")

    def test_an_unknown_name_lists_all_names(self):
        with pytest.raises(ValueError, match=r"free-double-heldout.*got 'bicycle-swings'"):
            recording("bicycle-swings")

    @pytest.mark.parametrize(
        ("t", "q", "torque", "what"),
        [
            ([0, 1, 1], np.zeros((3, 1)), None, "increase"),
            ([0], np.zeros((1, 1)), None, "two times"),
            ([0, 1], np.zeros((3, 1)), None, "q must"),
            ([0, 1], np.zeros((2, 2)), np.zeros((2, 1)), "torque must"),
            ([0, 1], [[0.0], [np.nan]], None, "q must"),
        ],
    )
    def test_wrong_arrays_are_rejected(self, t, q, torque, what):
        with pytest.raises(ValueError, match=what):
            Recording(t, q, torque)


class TestParts:
    def test_a_part_contains_both_ends(self):
        part = sine(1.0).between(1.0, 1.1)
        np.testing.assert_allclose(part.t, np.arange(250, 276) / 250)
        np.testing.assert_array_equal(part.q, part.torque)
        assert len(part.q) == len(part.t)

    def test_a_part_without_samples_is_rejected(self):
        with pytest.raises(ValueError, match=r"from 0 s to 3\.996 s.*from 5 s to 6 s"):
            sine(1.0).between(5, 6)

    def test_every_third_sample(self):
        whole = sine(1.0)
        part = whole.every(3)
        np.testing.assert_array_equal(part.t, whole.t[::3])
        np.testing.assert_array_equal(part.q, whole.q[::3])
        np.testing.assert_array_equal(part.torque, whole.torque[::3])


class TestSmoothing:
    """A filter of order two, run in both directions: its gain is 1/(1 + (f/cutoff)⁴)."""

    @pytest.mark.parametrize(
        ("frequency", "gain", "error"),
        [(1.0, 1.0, 1e-4), (10.0, 81 / 97, 1e-2), (15.0, 0.5, 1e-6), (20.0, 81 / 337, 2e-2)],
    )
    def test_it_keeps_a_slow_sine_and_halves_one_at_the_cutoff(self, frequency, gain, error):
        smooth = sine(frequency).smoothed(15.0)
        for values in (smooth.q[:, 0], smooth.torque[:, 0]):
            assert amplitude(smooth.t, values, frequency) == pytest.approx(gain, abs=error)

    def test_it_does_not_delay(self):
        smooth = sine(10.0).smoothed(15.0)
        middle = np.abs(smooth.t - 2) < 1
        wave = np.sin(20 * np.pi * smooth.t[middle])
        gain = amplitude(smooth.t, smooth.q[:, 0], 10.0)
        np.testing.assert_allclose(smooth.q[middle, 0], gain * wave, rtol=0, atol=1e-6)

    def test_unequal_stamps_become_equal_ones(self, rng):
        even = sine(1.0, rate=500.0, duration=6.0, shift=3.0)
        chosen = np.sort(rng.choice(len(even.t), 2500, replace=False))
        uneven = Recording(even.t[chosen], even.q[chosen], even.torque[chosen])
        smooth = uneven.smoothed(15.0)
        np.testing.assert_allclose(np.diff(smooth.t), np.median(np.diff(uneven.t)))
        inside = np.abs(smooth.t - smooth.t.mean()) < 2.8
        wave = np.sin(2 * np.pi * (smooth.t - 3.0))
        np.testing.assert_allclose(smooth.q[inside, 0], wave[inside], rtol=0, atol=2e-4)

    def test_velocities_belong_to_the_samples(self, rng):
        t = 3.0 + (np.arange(3000) + rng.uniform(-0.4, 0.4, 3000)) / 500
        found = Recording(t, np.sin(2 * np.pi * t)[:, np.newaxis]).speeds(20.0)
        assert found.shape == (3000, 1)
        inside = np.abs(t - t.mean()) < 2.8
        velocity = 2 * np.pi * np.cos(2 * np.pi * t)
        np.testing.assert_allclose(found[inside, 0], velocity[inside], rtol=0, atol=1e-3)

    @pytest.mark.parametrize("cutoff", [0.0, 125.0, -1.0])
    def test_a_cutoff_beyond_half_the_sampling_frequency_is_rejected(self, cutoff):
        with pytest.raises(ValueError, match="between 0 and 125 Hz"):
            sine(1.0).smoothed(cutoff)
