"""Long tests of damage and of backups, run by hand: ``python -m tests.load``."""
