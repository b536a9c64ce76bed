"""The finished systems of all chapters, for comparison and reuse.

The chapters derive these step by step and assert that they agree.
"""

from tutlib.models.bicycle import bicycle, bicycle_views
from tutlib.models.bodies import Body, Load
from tutlib.models.chain import chain
from tutlib.models.chain_recursion import chain_recursion
from tutlib.models.crane import crane
from tutlib.models.disc_in_space import rolling_disc_in_space
from tutlib.models.double_pendulum import balanced_pendubot, double_pendulum, pendubot, servo_arm
from tutlib.models.four_bar import four_bar, grashof
from tutlib.models.measured import measured_double_pendulum, measured_pendulum
from tutlib.models.model import Model
from tutlib.models.pendulum import pendulum
from tutlib.models.rolling_disc import rolling_disc
from tutlib.models.skeleton import Angle, Center, Force, Length, Skeleton, Torque
from tutlib.models.spatial import rigid_body, spherical_pendulum

__all__ = [
    "Angle",
    "Body",
    "Center",
    "Force",
    "Length",
    "Load",
    "Model",
    "Skeleton",
    "Torque",
    "balanced_pendubot",
    "bicycle",
    "bicycle_views",
    "chain",
    "chain_recursion",
    "crane",
    "double_pendulum",
    "four_bar",
    "grashof",
    "measured_double_pendulum",
    "measured_pendulum",
    "pendubot",
    "pendulum",
    "rigid_body",
    "rolling_disc",
    "rolling_disc_in_space",
    "servo_arm",
    "spherical_pendulum",
]
