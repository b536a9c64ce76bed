"""What several tests share."""

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import settings

from tests.helpers import free
from tutlib.models import pendulum

mpl.use("Agg")

# No test depends on how fast this computer is.
settings.register_profile("course", deadline=None)
settings.load_profile("course")


@pytest.fixture(scope="session")
def free_pendulum():
    """Return the pendulum with m = 1 kg, l = 1 m and no torque."""
    return free(pendulum())


@pytest.fixture
def rng():
    return np.random.default_rng(0)
