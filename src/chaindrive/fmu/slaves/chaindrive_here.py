"""Access to the chaindrive package of the Python in which this FMU runs."""

import sys

try:
    from chaindrive.fmu.python_run import Slave
except ImportError as error:
    message = f"This FMU needs Python with chaindrive where it runs, but {sys.prefix} has no chaindrive ({error})"
    sys.stderr.write(f"{message}\n")
    raise ImportError(message) from error

__all__ = ["Slave"]
