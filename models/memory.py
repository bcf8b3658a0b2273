"""Hands memory back to the system that was only needed while a table was laid.

Drawing decks and loading nets leaves holes in the heap that the C library keeps; on a small
computer they are half of all that the box uses.
"""

from __future__ import annotations

import ctypes


def give_memory_back() -> bool:
    """Ask the C library to return what is free.

    Returns:
        False where there is no such call (not glibc).

    Source: malloc_trim(3).
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return False
    return bool(trim(0))
