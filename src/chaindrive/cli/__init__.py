"""The command line: the commands of ``chaindrive``, their output and exit codes. Other packages do all computations."""
