"""Results and drives in the formats of other tools: tables, MATLAB, pictures, drawings."""
