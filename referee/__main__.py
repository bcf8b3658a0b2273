"""`python -m referee` and the program `referee`."""

import sys

from referee import cli


def main() -> None:
    """Run and leave with the exit code."""
    sys.exit(cli.main())


if __name__ == "__main__":
    main()
