"""Computes values that a description omits: numbers of links, positions of wheels and bodies, and the layout of a
bicycle.
"""
