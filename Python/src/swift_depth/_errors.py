"""Errors: what went wrong as a code for programs and a sentence for people."""

from __future__ import annotations

from typing import Any, Tuple

_CODES = {
    1: "invalid_argument",
    2: "unreadable",
    3: "unsupported_format",
    4: "damaged",
    5: "too_large",
    6: "insufficient_memory",
    7: "unknown_unit",
    8: "size_mismatch",
    9: "no_depth",
    10: "weights",
    11: "forked",
    12: "other",
}


class DepthError(RuntimeError):
    """Why a call failed.

    Attributes:
        code: ``invalid_argument``, ``unreadable``, ``unsupported_format``, ``damaged``, ``too_large``,
            ``insufficient_memory``, ``unknown_unit``, ``size_mismatch``, ``no_depth``, ``weights``, ``forked`` or
            ``other``; more may be added.
    """

    code: str

    def __init__(self, message: str, code: str = "other") -> None:
        super().__init__(message, code)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[0])


class InvalidArgumentError(DepthError, ValueError):
    """An argument outside what makes sense for it."""

    def __init__(self, message: str, code: str = "invalid_argument") -> None:
        super().__init__(message, code)


class UnreadableError(DepthError, OSError):
    """The system does not let a file be read. It is also the :class:`OSError` of that reason, such as :class:`FileNotFoundError`."""

    def __init__(self, message: str, code: str = "unreadable") -> None:
        super().__init__(message, code)

    def __reduce__(self) -> Tuple[Any, ...]:
        # OSError would give its constructor the file's name as a third argument.
        details = {"errno": self.errno, "strerror": self.strerror, "filename": self.filename}
        return type(self), (str(self), self.code), details


class _NotFoundError(UnreadableError, FileNotFoundError):
    pass


class _FolderError(UnreadableError, IsADirectoryError):
    pass


class _NotAllowedError(UnreadableError, PermissionError):
    pass


def unreadable(path: str, error: OSError) -> UnreadableError:
    """Of both kinds: what this package raises, and what :func:`open` does."""
    kinds = {FileNotFoundError: _NotFoundError, IsADirectoryError: _FolderError, PermissionError: _NotAllowedError}
    failure = kinds.get(type(error), UnreadableError)(f"{path}: {error.strerror}")
    failure.errno, failure.strerror, failure.filename = error.errno, error.strerror, path
    return failure


class ForkedError(DepthError):
    """The estimator was opened by the process that this one was forked from."""

    def __init__(self, message: str, code: str = "forked") -> None:
        super().__init__(message, code)


def failure_of(status: int, message: str) -> DepthError:
    """The error of a status of depth.h."""
    code = _CODES.get(status, "other")
    if code == "invalid_argument":
        return InvalidArgumentError(message)
    if code == "unreadable":
        return UnreadableError(message)
    if code == "forked":
        return ForkedError(message)
    return DepthError(message, code)
