"""What all services use."""
