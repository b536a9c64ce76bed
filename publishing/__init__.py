"""What `make` runs beside the tests: notebooks executed once, the book, reviews."""
