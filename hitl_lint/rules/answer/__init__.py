"""Rules about the answer of a pause: what the program makes of it."""
