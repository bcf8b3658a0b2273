"""A table, players, pads and a display in software: a peer of the real box."""
