"""HIL4xx: how a paused graph is resumed."""
