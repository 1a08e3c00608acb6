"""The chain drive block: spans without mass between wheels, after Simscape's block of that name."""
