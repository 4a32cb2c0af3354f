"""Record, amend, void, dispute, confirm."""
