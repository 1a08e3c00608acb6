"""Simulation of a drive: the start, the run, what ends it."""
