"""Who is here, and what changes."""
