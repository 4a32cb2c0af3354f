"""Club evenings: made, directed, and as pages show them."""
