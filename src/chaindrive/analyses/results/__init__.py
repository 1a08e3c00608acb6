"""What a run amounts to: means, peaks, loads, losses, load cycles, and what analytical checks say of the same drive."""
