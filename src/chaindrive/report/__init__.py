"""One self-contained HTML file of one or several results: the drive animated, curves, spectra, tables."""
