"""Chains from standards and manufacturers, as tables with their sources."""
