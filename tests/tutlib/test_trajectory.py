"""What a simulation gives back survives a journey: to a file, to another process, to a copy."""

import copy
import pickle

import numpy as np
import pytest

from tutlib.methods import (
    Interrupted,
    SimulationError,
    Trajectory,
)

MOTION = Trajectory(np.array([0.0, 0.5]), np.array([[1.0, 2.0], [3.0, 4.0]]), ("q", "u"))


@pytest.mark.parametrize(
    "travel", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
@pytest.mark.parametrize("error", [SimulationError("it stopped", MOTION), Interrupted(MOTION)])
def test_errors_keep_their_trajectory_and_their_words(error, travel):
    found = travel(error)
    assert type(found) is type(error)
    assert str(found) == str(error)
    np.testing.assert_array_equal(found.trajectory.t, MOTION.t)
    np.testing.assert_array_equal(found.trajectory.x, MOTION.x)
    assert found.trajectory.names == MOTION.names
