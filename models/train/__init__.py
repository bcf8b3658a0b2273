"""Makes the weights."""
