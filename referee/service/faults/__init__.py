"""What can fail while people play, what the box says about it, and how it gets better again."""
