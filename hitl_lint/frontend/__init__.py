"""The only rooms that read source."""
