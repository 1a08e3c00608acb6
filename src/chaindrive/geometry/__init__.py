"""Where things are: surfaces of arcs and lines, the route around the wheels, the placing of the rollers."""
