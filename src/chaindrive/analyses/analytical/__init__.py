"""Analytical formulas for a drive, from its dimensions, speed and tensions: nothing is simulated, no result is read."""
