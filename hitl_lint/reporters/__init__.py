"""Findings as text. A reporter knows findings and nothing else; what it needs besides is handed to it."""
