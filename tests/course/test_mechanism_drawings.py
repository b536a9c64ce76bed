"""Drawings of mechanisms show what their labels say."""

import numpy as np
import pytest

from course.figures import masses_on_string, ring_on_wire, spring_pendulum
from panels import sketch

DRAWINGS = {
    spring_pendulum: "theta l e O m",
    ring_on_wire: "beta theta l O m_0 m",
    masses_on_string: "theta m_1 m_2",
}


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_a_drawing_shows_every_label(drawing):
    html = sketch(drawing(), [0.5], DRAWINGS[drawing])._repr_html_()
    assert html.count("<text") >= len(DRAWINGS[drawing].split())


def test_a_spring_is_stretched_beyond_its_own_length():
    *coils, unstretched = spring_pendulum().positions(np.zeros(1), [[0.5, 0]])[0]
    assert np.linalg.norm(unstretched) < np.linalg.norm(coils[-1])
    assert abs(np.linalg.det([unstretched, coils[-1]])) < 1e-12


def test_the_ring_is_on_its_wire():
    start, end, ring, _ = ring_on_wire().positions(np.zeros(1), [[0.5, 0]])[0]
    assert np.allclose(ring, (start + end) / 2)


def test_both_masses_hang_from_one_string():
    left, pulley, other_pulley, right = masses_on_string().positions(np.zeros(1), [[0.0, 0]])[0]
    assert left[0] == pulley[0]
    assert right[0] == pytest.approx(other_pulley[0])
