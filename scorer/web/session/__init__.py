"""Begin a session, seats, rules."""
