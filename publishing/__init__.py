"""Tools that `make` runs: executed notebooks, the site and its other forms, reviews."""
