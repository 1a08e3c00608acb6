"""Co-simulation: parts with their own methods that exchange signals at communication points, coordinated by a
master.
"""
