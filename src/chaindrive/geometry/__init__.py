"""Geometry of a drive: surfaces of arcs and lines, the route around the wheels, and the initial positions of
rollers.
"""
