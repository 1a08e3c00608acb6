"""What several tests need: drives, made runs whose answers are known, and independent computations to compare with.

Found as ``support`` because ``pythonpath`` in ``pyproject.toml`` names the folder of the tests. No test module is
imported by another.
"""
