"""Links with six degrees of freedom, joined by bushings, on wheels that may be offset or tilted (after Omar 2014)."""
