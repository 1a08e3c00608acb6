"""The command line: ``chaindrive examples | check | run | info | plot``. Other packages do all computations."""
