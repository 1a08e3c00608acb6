"""Entry point of the command line; it turns every ending of a command into a message and an exit code.

Exit codes: 0 success; 1 the input is wrong (all problems are listed); 2 the computation failed (with the time and what
to try); 130 and 143 interrupted by Ctrl-C and by a request to terminate. No traceback is shown; for an internal error
it is written to a file, and the name of the file is shown.
"""

from __future__ import annotations

import functools
import logging
import os
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

import typer

from chaindrive.cli.commands import app
from chaindrive.cli.endings import DONE, FAILED, INTERRUPTED, WRONG_INPUT, Stopped
from chaindrive.collecting import collect_later
from chaindrive.errors import ComputationError, InputError, Problem

__all__ = ["main"]

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "1")
"""Environment variable and its value, set before NumPy is loaded: matrices are small here, and threads of OpenBLAS
would wait for each other at full load."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and end the process with its exit code."""
    from chaindrive.cli.console import prepare_streams

    prepare_streams()
    os.environ.setdefault(*ONE_THREAD)
    collect_later()
    if not os.environ.get("CHAINDRIVE_DEBUG"):
        warnings.simplefilter("ignore")
        logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # fonts without a bold face
    sys.exit(_guarded(sys.argv[1:] if arguments is None else arguments))


def _guarded(arguments: list[str]) -> int:
    """Run the command, turn every failure into a message, and return the exit code."""
    from chaindrive.cli import console

    try:
        answer = _command()(args=arguments, prog_name="chaindrive", standalone_mode=False)
        if answer == INTERRUPTED:  # Ctrl-C outside of a run
            console.note("Interrupted.")
        return answer if isinstance(answer, int) else DONE
    except InputError as error:
        console.show_input_error(error)
        return WRONG_INPUT
    except ComputationError as error:
        console.show_computation_error(error)
        return FAILED
    except Stopped as stopped:
        return stopped.exit_code
    except (KeyboardInterrupt, typer.Abort) as error:
        if isinstance(error.__cause__, EOFError):  # typer takes the end of any file for Ctrl-D
            return _last_resort(error.__cause__)
        console.note("Interrupted.")
        return INTERRUPTED
    except BrokenPipeError:  # the reader has closed the pipe
        console.discard_output()
        return DONE
    except OSError as error:
        return _unwritable(console.output_obstacle()) or _last_resort(error)
    except Exception as error:
        return _last_resort(error)


def _unwritable(obstacle: str) -> int:
    """Say why standard output cannot be written, and return the exit code; 0 if there is no obstacle."""
    from chaindrive.cli import console

    if not obstacle:
        return DONE
    console.discard_output()
    console.show_computation_error(
        ComputationError(f"standard output cannot be written: {obstacle}", "free some space, or write elsewhere.")
    )
    return FAILED


@functools.cache
def _command() -> Callable[..., Any]:
    """Return the command line with all its commands, cached because typer would create them again in every call."""
    return typer.main.get_command(app)


def _last_resort(error: Exception) -> int:
    """Show an error that no command handles, and return its exit code: a wrong command line (typer's own errors), or an
    internal error.
    """
    from chaindrive.cli import console

    usage = getattr(error, "format_message", None)  # typer's usage errors, whose base class has moved over time
    if callable(usage):
        context = getattr(error, "ctx", None)
        if not str(usage()):  # called without arguments: the help was printed
            return DONE
        console.show_input_error(InputError(_usage_problem(str(usage()))))
        if context is not None:
            console.note(f"{context.get_usage()}\nHelp:  {context.command_path} --help")
        return WRONG_INPUT
    from chaindrive.details import details_of, leave_details

    text = " ".join(str(error).split())[:300]
    log = leave_details(details_of(error))
    sent = f"please report it, with the details in {log}." if log else "please report it."
    console.show_computation_error(
        ComputationError(
            f"an internal error: {type(error).__name__}{f': {text}' if text else ''}",
            f"this is a bug in chaindrive: {sent}",
        )
    )
    return FAILED


_OTHER_WORDS = {
    "simulate": "run", "start": "run", "solve": "run", "validate": "check", "verify": "check", "show": "info",
    "draw": "plot", "convert": "export", "optimize": "optimise", "study": "sweep", "help": "--help",
}  # fmt: skip
"""Names that other programs use for the same commands."""


def _usage_problem(message: str) -> Problem:
    unknown = re.fullmatch(r"No such command '([^']*)'\.?", message)
    if unknown and (meant := _OTHER_WORDS.get(unknown[1].lower())):
        message = f"no such command {unknown[1]!r}; did you mean {meant!r}?"
    return Problem("command line", message[:1].lower() + message[1:])


if __name__ == "__main__":
    main()
