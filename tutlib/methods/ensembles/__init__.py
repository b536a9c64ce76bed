"""Ensembles: many motions at once, on all cores or on a cluster."""
