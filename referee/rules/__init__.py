"""The rules: facts in, verdicts out. No clock, no threads, no files, no printing."""
