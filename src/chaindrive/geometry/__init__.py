"""Where things are: surfaces of arcs and lines, the route around the wheels, where rollers begin."""
