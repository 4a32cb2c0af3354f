"""Journal and verification."""
