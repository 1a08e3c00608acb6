"""Evaluation of a complete run: means, peaks, loads, losses, load cycles, and comparison with analytical checks."""
