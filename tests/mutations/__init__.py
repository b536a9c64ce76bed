"""Plausible faults, each with the test that must see it; `make mutate` plants them."""
