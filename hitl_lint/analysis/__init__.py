"""Answers, computed from facts alone."""
