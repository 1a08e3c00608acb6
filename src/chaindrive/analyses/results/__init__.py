"""What a run amounts to: means, peaks, loads, losses, load cycles, and what closed forms say of the same drive."""
