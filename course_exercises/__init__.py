"""The exercises of each chapter: answers, misconceptions and their hints.

A module is named after its chapter, and lists its exercises in `EXERCISES`. `tutlib.check` finds
them by name.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutlib.exercises import Exercise


def every_exercise() -> list[Exercise]:
    """Return the exercises of all chapters, chapter by chapter in alphabetical order."""
    modules = pkgutil.iter_modules(__path__, f"{__name__}.")
    chapters = [importlib.import_module(module.name) for module in modules]
    return [exercise for chapter in chapters for exercise in chapter.EXERCISES]
