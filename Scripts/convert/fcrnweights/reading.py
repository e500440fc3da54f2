"""What a reader of one form gives and what a user may tell it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .network import Network
from .source import Source


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
    notes: tuple[str, ...] = field(default=())
    #: A file of ours that has the wanted precision already: its tensors as they are, and its origin.
    unchanged: Network | None = None
    origin: Source | None = None
