"""hitl-lint: finds misuses of LangGraph's interrupt() before they double-charge, skip an approval or approve the wrong thing."""

__version__ = "0.1.0"
