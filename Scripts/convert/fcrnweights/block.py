"""The 512 bytes before the HDF5 data of a weights file: its length and checksums (Documentation/Development/Weights-format.md)."""

import hashlib
import struct
import zlib
from pathlib import Path
from typing import BinaryIO

from .errors import ConversionError

MAGIC, VERSION, BYTES = b"\x8afcrn\r\n\x1a", 2, 512
#: Magic, version, bytes of the block, bytes behind it, their CRC-32, zero, their SHA-256.
LAYOUT = struct.Struct("<8sIIQII32s")


def seal(path: Path) -> None:
    """Fills the block that HDF5 left free at the beginning of a file, from everything behind it."""
    with open(path, "r+b") as file:
        block = _block(file)
        file.seek(0)
        file.write(block)


def check(path: Path) -> None:
    """Raises ConversionError where a file begins with a block that does not fit the rest; a file of
    version 1 has none."""
    with open(path, "rb") as file:
        head = file.read(BYTES)
        if head.startswith(MAGIC) and head != _block(file):
            raise ConversionError(f"'{path.name}' is damaged: its bytes differ from their checksums")


def _block(file: BinaryIO) -> bytes:
    """The block for everything behind the first 512 bytes of `file`."""
    file.seek(BYTES)
    length, crc, digest = 0, 0, hashlib.sha256()
    while part := file.read(1 << 20):
        length, crc = length + len(part), zlib.crc32(part, crc)
        digest.update(part)
    head = LAYOUT.pack(MAGIC, VERSION, BYTES, length, crc, 0, digest.digest()).ljust(BYTES - 4, b"\0")
    return head + struct.pack("<I", zlib.crc32(head))
