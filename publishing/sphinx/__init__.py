"""Sphinx extensions of the site, one per module."""
