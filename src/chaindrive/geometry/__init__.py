"""Where things are: surfaces made of arcs and lines, the route of the chain around the wheels, the placing of rollers."""
