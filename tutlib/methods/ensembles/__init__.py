"""Many motions at once: their starts, loop and store, and the computers that share them."""
