"""What can be computed from a drive or from its results: closed forms, spectra, statistics."""
