"""One module a command of the program `referee`."""
