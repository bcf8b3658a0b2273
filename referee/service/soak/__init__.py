"""Games by the hundred while everything fails: no lost card, no wrong verdict, no more memory."""
