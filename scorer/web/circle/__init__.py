"""The people and their phones."""
