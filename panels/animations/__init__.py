"""Animations of computed motions."""
