"""A deal's cards."""
