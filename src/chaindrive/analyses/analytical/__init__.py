"""Analytical formulas for a drive, based on its dimensions, speed and tensions; they need neither a simulation nor a
result.
"""
