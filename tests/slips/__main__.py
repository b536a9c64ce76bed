"""Measure what `verify` sees of planted mistakes: ``python -m tests.slips --help``."""

from tests.slips.table import main

if __name__ == "__main__":
    main()
