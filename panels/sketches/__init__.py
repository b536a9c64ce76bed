"""Labeled sketches of mechanisms."""
