"""Simulations that run in the page."""
