"""What `verify` sees: slips planted by rules in right machines, and right machines varied.

``python -m tests.slips`` measures it, and the page of the museum shows what it found.
"""
