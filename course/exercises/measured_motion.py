"""The exercises of chapter 12, measured motion."""

from __future__ import annotations

from course.judge import Exercise

EXERCISES: tuple[Exercise, ...] = ()
