"""What several tests share."""

import sys

import matplotlib as mpl
import numpy as np
import pytest

from straightline import machine
from tests.helpers import free, same_ensembles
from tutlib.methods import ensemble_loop
from tutlib.models import pendulum

mpl.use("Agg")


@pytest.fixture(scope="session")
def free_pendulum():
    """Return the pendulum with m = 1 kg, l = 1 m and no torque."""
    return free(pendulum())


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def forget_programs():
    """Let every program be built anew."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("straightline.", "tutlib.methods.")) and module is not machine:
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


@pytest.fixture
def on_every_machine(monkeypatch):
    """Return what runs an ensemble in two lanes, after the same in one."""

    def run(make):
        two = make()
        monkeypatch.setattr(ensemble_loop, "LANES", 1)
        forget_programs()
        same_ensembles(make(), two)
        return two

    yield run
    forget_programs()
