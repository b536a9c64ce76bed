"""Animations of motions that have been computed."""
