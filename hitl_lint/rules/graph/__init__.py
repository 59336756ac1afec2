"""HIL5xx: the graph around a pause."""
