"""A TensorFlow V2 checkpoint, `NYU_FCRN.ckpt.{index,data-00000-of-00001}`, without TensorFlow.

The index is a sorted table of blocks in LevelDB's format; each entry names a variable and says
where its bytes lie in the data file.

Sources: LevelDB, doc/table_format.md; TensorFlow, core/protobuf/tensor_bundle.proto.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np

from .. import official
from ..checksums import masked_crc32c
from ..errors import ConversionError, decoding
from ..protobuf import Message, varint
from ..reading import Options, Reading

TABLE_MAGIC = struct.pack("<Q", 0xDB4775248B80FB57)
FOOTER_BYTES, TRAILER_BYTES = 48, 5
FLOAT32 = 1  # DT_FLOAT
FORM = "tensorflow checkpoint"
INDEX, DATA = ".index", ".data-00000-of-00001"


@dataclass(frozen=True)
class Entry:
    """Where one variable lies: BundleEntryProto."""

    name: str
    dtype: int
    shape: tuple[int, ...]
    shard: int
    offset: int
    size: int
    checksum: int


def prefix(path: Path) -> Path | None:
    """The checkpoint `path` belongs to: the prefix itself, or the prefix of any of its files."""
    name = path.name
    for marker in (".index", ".meta", ".data-"):
        if marker in name:
            name = name[:name.rindex(marker)]
            break
    candidate = path.with_name(name)
    return candidate if candidate.with_name(name + INDEX).is_file() else None


def read(path: Path, options: Options) -> Reading:
    """Reads the checkpoint with prefix `path`."""
    index, data = path.with_name(path.name + INDEX), path.with_name(path.name + DATA)
    if not data.is_file():
        raise ConversionError(f"'{data.name}' is missing beside '{index.name}'")
    with decoding(f"'{index.name}'"):
        table = entries(index.read_bytes())
    with decoding(f"'{data.name}'"):
        values = np.memmap(data, np.uint8, "r")
        layers: dict[str, dict[str, np.ndarray]] = {}
        for entry in table:
            layer, _, parameter = entry.name.rpartition("/")
            # A checkpoint from training also holds the optimiser's own variables.
            if layer and parameter in official.PARAMETERS:
                layers.setdefault(layer, {})[parameter] = _tensor(entry, values)
    return Reading(official.network(layers, options), FORM, (index, data))


def entries(table: bytes) -> list[Entry]:
    """Every variable in the index."""
    footer = table[-FOOTER_BYTES:]
    if len(footer) < FOOTER_BYTES or footer[-8:] != TABLE_MAGIC:
        raise ConversionError("the index is no TensorFlow V2 checkpoint index")
    position = 0
    for _ in range(2):  # the handle of the meta index: nothing of interest there
        _, position = varint(footer, position)
    offset, position = varint(footer, position)
    size, _ = varint(footer, position)
    found = []
    for _, handle in _block(table, offset, size):
        start, after = varint(handle, 0)
        length, _ = varint(handle, after)
        for key, value in _block(table, start, length):
            if key:  # the empty key is the header
                found.append(_entry(key.decode(), Message(value)))
    return found


def _block(table: bytes, offset: int, size: int) -> Iterator[tuple[bytes, bytes]]:
    """Keys and values of one block; a key is stored as what differs from the one before."""
    if offset + size + TRAILER_BYTES > len(table):
        raise ValueError("a block beyond the end")
    if table[offset + size] != 0:
        raise ValueError("a compressed block")
    block = table[offset:offset + size + 1]
    if masked_crc32c(block) != struct.unpack_from("<I", table, offset + size + 1)[0]:
        raise ValueError("a block with a wrong checksum")
    restarts = struct.unpack_from("<I", block, size - 4)[0]
    position, end, key = 0, size - 4 - 4 * restarts, b""
    while position < end:
        shared, position = varint(block, position)
        fresh, position = varint(block, position)
        length, position = varint(block, position)
        key = key[:shared] + block[position:position + fresh]
        position += fresh
        yield key, block[position:position + length]
        position += length


def _entry(name: str, message: Message) -> Entry:
    shape = tuple(dimension.integer(1) for dimension in message.message(2).messages(2))
    checksum = struct.unpack("<I", message.bytes(6))[0] if 6 in message else 0
    return Entry(name, message.integer(1), shape, message.integer(3), message.integer(4),
                 message.integer(5), checksum)


def _tensor(entry: Entry, data: np.ndarray) -> np.ndarray:
    if entry.dtype != FLOAT32 or entry.shard != 0:
        raise ConversionError(f"'{entry.name}' is no float32 variable of the only data file")
    if min(entry.shape, default=1) < 1 or entry.size != 4 * prod(entry.shape):
        raise ConversionError(f"'{entry.name}' has {entry.size} bytes, its shape says otherwise")
    if entry.offset < 0 or entry.offset + entry.size > data.size:
        raise ConversionError(f"the data file ends before '{entry.name}'")
    raw = data[entry.offset:entry.offset + entry.size].tobytes()
    if entry.checksum and masked_crc32c(raw) != entry.checksum:
        raise ConversionError(f"'{entry.name}' does not match its checksum")
    return np.frombuffer(raw, "<f4").reshape(entry.shape)
