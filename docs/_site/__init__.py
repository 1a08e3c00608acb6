"""Parts of the documentation site: mathematics, docstrings, and tables that are made from the code."""
