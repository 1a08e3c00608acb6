"""A drive as an FMU: compiled, for any program that simulates by the Functional Mock-up Interface."""
