"""The chain drive block: massless spans between wheels, after Simscape's block of that name."""
