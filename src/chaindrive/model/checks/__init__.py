"""Requirements on a description as a whole, in addition to those on each field."""
