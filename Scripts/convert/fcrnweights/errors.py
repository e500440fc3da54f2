"""The one error a user of the converter sees, and the boundary that makes others into it."""

from collections.abc import Iterator
from contextlib import contextmanager


class ConversionError(Exception):
    """A source that cannot be converted; the message is one lower-case sentence."""


@contextmanager
def decoding(what: str) -> Iterator[None]:
    """Turns whatever a decoder stumbles over in foreign bytes into one sentence about them.

    Decoders index, unpack and reshape bytes that anybody may have written, so any of a dozen
    exception types can be the first sign of damage. None of them means anything to a user.
    """
    try:
        yield
    except ConversionError:
        raise
    except MemoryError:
        raise ConversionError(f"{what} asks for more memory than there is") from None
    except RecursionError:
        raise ConversionError(f"{what} is nested too deeply to be genuine") from None
    except OSError as fault:
        raise ConversionError(f"{what} cannot be read: {fault.strerror or _detail(fault)}") from fault
    except Exception as fault:
        raise ConversionError(f"{what} is damaged or of another form ({_detail(fault)})") from fault


def _detail(fault: Exception) -> str:
    return " ".join(str(fault).split())[:120] or type(fault).__name__
