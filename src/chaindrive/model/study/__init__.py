"""Studies: many runs of a drive, differing in some of its values."""
