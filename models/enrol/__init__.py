"""Teach the reader one deck: the corners of its cards are kept and seen again."""
