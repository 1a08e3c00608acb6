"""Studies: many runs of a drive with different values."""
