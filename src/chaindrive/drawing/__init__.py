"""What a drawing of a drive is made of, as numbers: outlines of wheels, rollers, guides, bodies, tensioners."""
