"""A stored session as an Evening."""
