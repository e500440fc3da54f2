"""NumPy's own pickled dictionary, and a checkpoint by a writer of ours: for tests that need a file, not a proof."""

import struct
from pathlib import Path

import numpy as np

from fcrnweights.architecture import fcrn50
from fcrnweights.formats.tensorflow_checkpoint import DATA, INDEX, TABLE_MAGIC, Entry, masked_crc32c

from .common import arguments, generated, official


def write_checkpoint(folder: Path, name: str = "small.ckpt", **changed: bytes) -> Path:
    """Returns the prefix. `changed` replaces entries of the index, by variable name."""
    variables = {f"{layer}/{parameter}": values for layer, parameters in official(generated(fcrn50(16))).items()
                 for parameter, values in parameters.items()}
    data, entries = bytearray(), [(b"", b"\x08\x01\x1a\x02\x08\x01")]  # one shard, producer 1
    for key in sorted(variables):
        raw = variables[key].astype("<f4").tobytes()
        entries.append((key.encode(), entry(variables[key].shape, len(data), raw)))
        data += raw
    (folder / (name + DATA)).write_bytes(data)
    (folder / (name + INDEX)).write_bytes(table([(k, changed.get(k.decode(), v)) for k, v in entries]))
    return folder / name


def entry(shape: tuple[int, ...], offset: int, raw: bytes) -> bytes:
    """BundleEntryProto of a float32 variable."""
    made = Entry(dtype=1, offset=offset, size=len(raw), crc32c=masked_crc32c(raw))
    for extent in shape:
        made.shape.dim.add(size=extent)
    return made.SerializeToString()


def table(entries: list[tuple[bytes, bytes]]) -> bytes:
    """A sorted table: one block of entries, an empty meta index, an index, and the footer."""
    blocks, handles = b"", []
    for content in (block(entries), block([])):
        handles.append(varint(len(blocks)) + varint(len(content)))
        blocks += sealed(content)
    index = block([(entries[-1][0], handles[0])])
    footer = handles[1] + varint(len(blocks)) + varint(len(index))
    return blocks + sealed(index) + footer.ljust(40, b"\0") + TABLE_MAGIC


def block(entries: list[tuple[bytes, bytes]]) -> bytes:
    rows = b"".join(varint(0) + varint(len(k)) + varint(len(v)) + k + v for k, v in entries)
    return rows + struct.pack("<II", 0, 1)


def sealed(content: bytes) -> bytes:
    content += b"\0"  # not compressed
    return content + struct.pack("<I", masked_crc32c(content))


def varint(value: int) -> bytes:
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + varint(value >> 7)


if __name__ == "__main__":
    tensors, folder = arguments()
    np.save(folder / "NYU_ResNet-UpProj.npy", official(tensors), allow_pickle=True)
    write_checkpoint(folder)
