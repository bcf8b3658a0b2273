"""The page: its own process, fed by the box with JSON lines; it never touches the hardware."""
