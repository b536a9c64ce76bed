"""Solved reports are executed by tests here, as a whole, and not cell by cell."""

collect_ignore_glob = ["solved/*.ipynb"]
