"""The command line: ``chaindrive examples | check | run | info | plot``. Nothing here computes."""
