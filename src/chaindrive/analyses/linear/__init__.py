"""Small vibrations: linear models of a drive or of a span, their eigenfrequencies, shapes and stability."""
