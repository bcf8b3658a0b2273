"""A tabletop referee for slap card games."""

__version__ = "0.1.0"
