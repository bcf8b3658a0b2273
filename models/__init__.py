"""From picture to card."""
