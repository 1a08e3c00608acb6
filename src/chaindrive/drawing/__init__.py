"""Geometric data for the drawing of a drive: outlines of wheels, rollers, guides, bodies and tensioners."""
