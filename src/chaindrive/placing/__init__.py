"""Solves for values that a description leaves open: numbers of links, positions of wheels and bodies, the layout of a
bicycle.
"""
