"""Chains of the standards and of manufacturers, with their sources, as tables."""
