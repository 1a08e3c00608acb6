"""Simulation of a drive: the start, the run, and its possible endings."""
