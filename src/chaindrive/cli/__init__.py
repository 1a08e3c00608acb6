"""The command line: ``chaindrive examples | check | run | info | plot``. It computes nothing itself."""
