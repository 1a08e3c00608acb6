"""A drive as an FMU: compiled, for any program that supports the Functional Mock-up Interface."""
