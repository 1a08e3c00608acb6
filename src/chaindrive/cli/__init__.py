"""The command line: ``chaindrive examples | check | run | info | plot``. All computations are in other packages."""
