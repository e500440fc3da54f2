"""Where weights came from: what the output file says about its origin."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """Name, form and digest of the file or files that were read."""

    name: str
    form: str
    sha256: str

    @staticmethod
    def of(path: Path, form: str, parts: Iterable[Path]) -> Source:
        """`parts` are all files that make the source, digested one after another."""
        digest = hashlib.sha256()
        for part in parts:
            with open(part, "rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
        return Source(path.name, form, digest.hexdigest())
