"""The page of notation: what holds for the equations of every model."""

import numpy as np

from tests.notebooks.formulas import in_numbers
from tests.notebooks.formulas.integrators import SIZE
from tutlib.models import double_pendulum

STATE = [0.7, -1.1, 0.4, 1.3]


def shared(nb):
    return {"h": SIZE, "t": 0.3}


def displayed(nb):
    parts = in_numbers(double_pendulum(), STATE)
    accelerations = np.linalg.solve(parts["M"], parts["F"])
    return {
        ("page", 0): {
            r"\dot x": [*STATE[2:], *accelerations],
            "x": np.array(STATE),
            "f": double_pendulum().free().compile(),
        }
    }
