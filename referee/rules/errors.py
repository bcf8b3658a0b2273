"""Every error that a person can mend; hardware and models add children where they raise."""


class RefereeError(Exception):
    """The root of the family. The text is one sentence: what, where, what was expected."""


class BadNotation(RefereeError, ValueError):
    """A card, event or verdict was written in a way that nobody can read."""


class BadRules(RefereeError, ValueError):
    """House rules that do not exist or contradict each other."""


class BadLog(RefereeError, ValueError):
    """A log that cannot be read or was written by another program."""
