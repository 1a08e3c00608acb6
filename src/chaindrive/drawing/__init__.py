"""The elements of a drawing of a drive as numbers: outlines of wheels, rollers, guides, bodies, tensioners."""
