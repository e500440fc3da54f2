"""A TensorFlow V2 checkpoint, `NYU_FCRN.ckpt.{index,data-00000-of-00001}`, or the mirror's archive of it, without TensorFlow.

The index is a sorted table of blocks in LevelDB's format; each entry names a variable and says
where its bytes lie in the data file.

Sources: LevelDB, doc/table_format.md; TensorFlow, core/protobuf/tensor_bundle.proto.
"""

import re
import shutil
import struct
import tempfile
import zipfile
from collections.abc import Iterator
from math import prod
from pathlib import Path, PurePosixPath
from typing import Any

import google_crc32c
import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

from .. import official
from ..errors import ConversionError, decoding
from ..reading import Options, Reading

TABLE_MAGIC = struct.pack("<Q", 0xDB4775248B80FB57)
FOOTER_BYTES, TRAILER_BYTES = 48, 5
FLOAT32 = 1  # DT_FLOAT
FORM = "tensorflow checkpoint"
INDEX, DATA = ".index", ".data-00000-of-00001"
#: Of one unpacked file. The published data file has a quarter of this.
LIMIT_BYTES = 1 << 30
#: BundleEntryProto, of the fields that are read here.
BUNDLE = descriptor_pool.DescriptorPool()
BUNDLE.Add(text_format.Parse("""
  name: "tensor_bundle.proto"
  message_type { name: "Dim" field { name: "size" number: 1 type: TYPE_INT64 } }
  message_type { name: "Shape" field { name: "dim" number: 2 type: TYPE_MESSAGE type_name: "Dim" label: LABEL_REPEATED } }
  message_type {
    name: "Entry"
    field { name: "dtype" number: 1 type: TYPE_INT32 }
    field { name: "shape" number: 2 type: TYPE_MESSAGE type_name: "Shape" }
    field { name: "shard_id" number: 3 type: TYPE_INT32 }
    field { name: "offset" number: 4 type: TYPE_INT64 }
    field { name: "size" number: 5 type: TYPE_INT64 }
    field { name: "crc32c" number: 6 type: TYPE_FIXED32 }
  }""", descriptor_pb2.FileDescriptorProto()))
Entry = message_factory.GetMessageClass(BUNDLE.FindMessageTypeByName("Entry"))


def prefix(path: Path) -> Path | None:
    """The checkpoint `path` belongs to: the prefix itself, or the prefix of any of its files."""
    candidate = path.with_name(re.sub(r"\.(index|meta|data-[^.]*)$", "", path.name))
    return candidate if candidate.with_name(candidate.name + INDEX).is_file() else None


def read(path: Path, options: Options) -> Reading:
    """Reads the checkpoint with prefix `path`."""
    index, data = path.with_name(path.name + INDEX), path.with_name(path.name + DATA)
    if not data.is_file():
        raise ConversionError(f"'{data.name}' is missing beside '{index.name}'")
    with decoding(f"'{index.name}'"):
        table = entries(index.read_bytes())
    layers: dict[str, dict[str, np.ndarray]] = {}
    with decoding(f"'{data.name}'"):
        values = np.memmap(data, np.uint8, "r")
        for name, entry in table.items():
            layer, _, parameter = name.rpartition("/")
            # A checkpoint from training also holds the optimizer's own variables.
            if layer and parameter in official.PARAMETERS:
                layers.setdefault(layer, {})[parameter] = _tensor(name, entry, values)
    return Reading(official.network(layers, options), FORM, (index, data))


def masked_crc32c(data: bytes) -> int:
    """The checksum as stored: rotated and shifted, so that data may contain its own checksum."""
    value = google_crc32c.value(data)
    return (((value >> 15) | (value << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def read_archive(path: Path, options: Options) -> Reading:
    """Unpacks index and data, wherever in the archive they lie, into a folder of its own."""
    name = f"'{path.name}'"
    with tempfile.TemporaryDirectory(prefix="fcrn-") as folder:
        with decoding(name), zipfile.ZipFile(path) as archive:
            members = {member.filename: member.file_size for member in archive.infolist()}
            stems = [member.removesuffix(INDEX) for member in members if member.endswith(INDEX)]
            if len(stems) != 1:
                raise ConversionError(f"{name} holds {len(stems)} checkpoints, expected one")
            for suffix in (INDEX, DATA):
                member = stems[0] + suffix
                if member not in members:
                    raise ConversionError(f"{name} lacks '{PurePosixPath(member).name}'")
                if members[member] > LIMIT_BYTES:
                    raise ConversionError(f"{name} unpacks to more than a gigabyte, which no FCRN does")
                # Names in the archive choose nothing: the target's name is ours. zipfile checks the CRC.
                with archive.open(member) as source, open(f"{folder}/checkpoint{suffix}", "wb") as file:
                    shutil.copyfileobj(source, file, 1 << 20)
        reading = read(Path(folder) / "checkpoint", options)
    return Reading(reading.network, f"{FORM} in zip", (path,))


def entries(table: bytes) -> dict[str, Any]:
    """Every variable in the index by its name."""
    footer = table[-FOOTER_BYTES:]
    if len(footer) < FOOTER_BYTES or footer[-8:] != TABLE_MAGIC:
        raise ConversionError("the index is no TensorFlow V2 checkpoint index")
    found = {}
    for _, handle in _block(table, *_numbers(footer, 4)[2:4]):  # behind the handle of the meta index
        for key, value in _block(table, *_numbers(handle, 2)[:2]):
            if key:  # the empty key is the header
                found[key.decode()] = Entry.FromString(value)
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
        shared, fresh, length, position = _numbers(block, 3, position)
        key = key[:shared] + block[position:position + fresh]
        position += fresh
        yield key, block[position:position + length]
        position += length


def _numbers(data: bytes, count: int, position: int = 0) -> tuple[int, ...]:
    """`count` numbers in base 128, least significant group first, and where they end."""
    numbers = []
    for _ in range(count):
        number = shift = 0
        while data[position] > 0x7F and shift < 63:
            number |= (data[position] & 0x7F) << shift
            position, shift = position + 1, shift + 7
        numbers.append(number | data[position] << shift)
        position += 1
    return *numbers, position


def _tensor(name: str, entry: Any, data: np.ndarray) -> np.ndarray:
    shape = [dimension.size for dimension in entry.shape.dim]
    if entry.dtype != FLOAT32 or entry.shard_id != 0:
        raise ConversionError(f"'{name}' is no float32 variable of the only data file")
    if min(shape, default=1) < 1 or entry.size != 4 * prod(shape):
        raise ConversionError(f"'{name}' has {entry.size} bytes, its shape says otherwise")
    if entry.offset < 0 or entry.offset + entry.size > data.size:
        raise ConversionError(f"the data file ends before '{name}'")
    raw = data[entry.offset:entry.offset + entry.size].tobytes()
    if entry.crc32c and masked_crc32c(raw) != entry.crc32c:
        raise ConversionError(f"'{name}' does not match its checksum")
    return np.frombuffer(raw, "<f4").reshape(shape)
