"""What people hear: announcements and tones. The box only says what and when; it never waits."""
