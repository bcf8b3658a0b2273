"""Measures a box: how late its pads are, what its camera sees, and whether its clocks agree."""
