"""HIL3xx: answers are handed out by position."""
