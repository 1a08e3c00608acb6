"""The rocker-pin chain of a CVT: pins as point masses between two pairs of conical sheaves."""
