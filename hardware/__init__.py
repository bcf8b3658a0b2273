"""The box: pads, camera, lights and display. Each third-party package in one file only."""
