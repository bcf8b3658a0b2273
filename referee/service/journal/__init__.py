"""The journal: every game of a season in one SQLite file that survives a power cut."""
