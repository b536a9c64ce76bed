"""Wrong arguments of public functions and classes."""
