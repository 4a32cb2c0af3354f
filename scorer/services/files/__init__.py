"""In and out."""
