"""Chapter 5 of Pedersen (2004), figure by figure."""
