"""What a description as a whole must satisfy beyond each of its fields."""
