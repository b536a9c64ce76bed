"""The exercises of each chapter: answers, misconceptions and their hints.

A module is named after its chapter, and lists its exercises in `EXERCISES`. `tutlib.check` finds
them by name.
"""
