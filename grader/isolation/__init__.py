"""Trusted side of the isolation: which level, what a worker may read, is it so."""
