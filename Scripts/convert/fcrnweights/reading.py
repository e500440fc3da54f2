"""What a reader of one form gives and what a user may tell it."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from .network import Network


@dataclass(frozen=True)
class Source:
    """Name, form and digest of the file or files that were read."""

    name: str
    form: str
    sha256: str

    @classmethod
    def of(cls, path: Path, form: str, parts: Iterable[Path]) -> Self:
        """`parts` are all files that make the source, digested one after another."""
        digest = hashlib.sha256()
        for part in parts:
            with open(part, "rb") as file:
                hashlib.file_digest(file, lambda: digest)
        return cls(path.name, form, digest.hexdigest())


@dataclass(frozen=True)
class Options:
    """Facts that some forms cannot carry; `None` means as the form says, or as published."""

    padding: str | None = None
    bn_epsilon: float | None = None
    #: Of the kernels that will be written.
    precision: str | None = None


@dataclass(frozen=True)
class Reading:
    """A network as read, not yet checked."""

    network: Network
    form: str
    parts: tuple[Path, ...]
    #: Pairs of a layer of ours and what it was called there, where that had to be found out.
    matched: tuple[tuple[str, str], ...] = ()
    #: Sentences a user should see.
    notes: tuple[str, ...] = ()
    #: A file of ours that has the wanted precision already: its tensors as they are, and its origin.
    unchanged: Network | None = None
    origin: Source | None = None
