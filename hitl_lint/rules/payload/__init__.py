"""Rules about the payload of a pause and the schema of its answer: what is shown, and what is let in."""
