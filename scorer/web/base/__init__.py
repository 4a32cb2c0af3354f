"""What all pages use."""
