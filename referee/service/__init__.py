"""The running box: loop, settings, log, announcements."""
