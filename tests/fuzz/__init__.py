"""Wrong calls by the thousand: ``python -m tests.fuzz 30000`` says how each was answered.

Every public callable is found by inspection; its right arguments are in `samples`, the ways to make
them wrong in `corruptions`. Calls are made in processes that are watched: see `workers`.
"""
