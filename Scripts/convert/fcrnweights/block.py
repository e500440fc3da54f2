"""The 512 bytes before the HDF5 data of a weights file: its length and checksums (Weights/README.md)."""

from __future__ import annotations

import hashlib
import struct
import zlib
from pathlib import Path

from .errors import ConversionError

MAGIC, VERSION, BYTES = b"\x8afcrn\r\n\x1a", 2, 512
#: Magic, version, bytes of the block, bytes behind it, their CRC-32, zero, their SHA-256.
LAYOUT = struct.Struct("<8sIIQII32s")


def seal(path: Path) -> None:
    """Fills the block that HDF5 left free at the beginning of a file, from everything behind it."""
    with open(path, "r+b") as file:
        rest = file.read()[BYTES:]
        file.seek(0)
        file.write(_block(rest))


def check(path: Path) -> None:
    """Raises ConversionError where a file begins with a block that does not fit the rest; a file of
    version 1 has none."""
    content = path.read_bytes()
    if content.startswith(MAGIC) and content[:BYTES] != _block(content[BYTES:]):
        raise ConversionError(f"'{path.name}' is damaged: its bytes differ from their checksums")


def _block(rest: bytes) -> bytes:
    head = LAYOUT.pack(MAGIC, VERSION, BYTES, len(rest), zlib.crc32(rest), 0, hashlib.sha256(rest).digest())
    head = head.ljust(BYTES - 4, b"\0")
    return head + struct.pack("<I", zlib.crc32(head))
