"""``python -m chaindrive``, for a machine on which the folder of the command ``chaindrive`` is not searched."""

from chaindrive.cli.main import main

if __name__ == "__main__":
    main()
