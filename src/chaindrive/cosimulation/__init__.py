"""Co-simulation: parts with their own methods exchange signals at communication points, coordinated by a master."""
