"""HIL2xx: the pause is an exception, and something keeps it."""
