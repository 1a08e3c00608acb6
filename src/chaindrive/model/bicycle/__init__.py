"""The description of a bicycle, and the drive derived from it."""
