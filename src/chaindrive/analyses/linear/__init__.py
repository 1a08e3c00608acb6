"""Small vibrations: linear models of a drive or a span, with eigenfrequencies, mode shapes and stability."""
