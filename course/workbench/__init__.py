"""Workbench: a page that derives, runs, and checks the equations that a reader types."""
