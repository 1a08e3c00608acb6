"""Simulation of a drive: its start, the run, and its endings."""
