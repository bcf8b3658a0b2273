"""The settings file: its fields, its text and its mistakes."""
