"""`referee doctor`: every trap of the field that software can see, and how to mend it."""
