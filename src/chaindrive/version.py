"""The version of this package."""

__version__ = "0.2.0"


def release() -> str:
    """The version without its last part, which does not change files of drives: "0.2"."""
    return ".".join(__version__.split(".")[:2])
