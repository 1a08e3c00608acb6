"""Shared by several tests: drives, made runs whose answers are known, and independent computations to compare with.

It is found as ``support`` because ``pythonpath`` in ``pyproject.toml`` names the folder of the tests. No test module is
imported by another.
"""
