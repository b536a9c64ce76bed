"""Identification: parameters and states of a machine from its measured motion.

Chapter 12 derives the methods, and applies them to recordings of real pendulums.
"""

from tutlib.identification.kalman import Estimates, correct, extended_kalman_filter
from tutlib.identification.recordings import Recording, read_recording, recording
from tutlib.identification.regression import Regressor
from tutlib.identification.residuals import plot_residuals
from tutlib.identification.shooting import (
    MotionFit,
    driven,
    fit_motion,
    prediction_errors,
    simulate_along,
)

__all__ = [
    "Estimates",
    "MotionFit",
    "Recording",
    "Regressor",
    "correct",
    "driven",
    "extended_kalman_filter",
    "fit_motion",
    "plot_residuals",
    "prediction_errors",
    "read_recording",
    "recording",
    "simulate_along",
]
