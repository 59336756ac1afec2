"""HIL7xx: langchain's review middleware."""
