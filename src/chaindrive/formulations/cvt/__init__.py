"""The rocker-pin chain of a CVT between two pairs of conical sheaves, with links as point masses or rigid bodies."""
