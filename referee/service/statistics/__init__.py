"""Statistics: from the logs of many games to figures, tables and plots. Pure, no files."""
