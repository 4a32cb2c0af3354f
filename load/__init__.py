"""What must hold on a real server, measured in full: `make load`, or ``python -m load NAME``."""
