"""Where weights came from: what the output file says about its origin."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self


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
