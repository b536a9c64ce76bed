"""Drawing primitives shared by animations, live simulations, and sketches."""
