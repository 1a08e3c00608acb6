"""Links with six degrees of freedom, joined by bushings, on wheels that may stand aside or askew (after Omar 2014)."""
