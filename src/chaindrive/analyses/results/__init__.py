"""Evaluation of a whole run: means, peaks, loads, losses, load cycles, and comparison with analytical checks."""
