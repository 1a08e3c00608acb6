"""The contract between a formulation (what moves) and a solver (when); neither knows more of the other than this."""
