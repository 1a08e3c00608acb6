"""The same chain in general multibody engines."""
