"""Pictures made by code."""

import struct
import zlib

import numpy as np


def png(picture: np.ndarray) -> bytes:
    """An RGB picture as a PNG file."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    height, width, _ = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def room(height: int = 48, width: int = 64, seed: int = 1) -> np.ndarray:
    """A picture with smooth parts and edges."""
    y, x = np.mgrid[0:height, 0:width]
    gray = 90 + 60 * np.sin((x + seed) / 9) + 40 * (y > height // 2)
    return np.stack([gray, gray * 0.8, 255 - gray], axis=2).astype(np.uint8)
