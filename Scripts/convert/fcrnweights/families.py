"""Which family of networks a source belongs to: the one place that decides."""

from __future__ import annotations

import enum
import zipfile
from pathlib import Path

import h5py

from . import block
from .depth_anything.architecture import ARCHITECTURE
from .errors import ConversionError, decoding
from .formats import pytorch, safetensors
from .recognition import HDF5_MAGIC

#: What the names of Depth Anything's tensors begin with, in the authors' files or on the hub.
MARKS = (b"depth_head.scratch.", b"pretrained.blocks.", b"neck.fusion_stage.", b"neck.reassemble_stage.")
#: Of a pickle, which holds the names and not the numbers.
LIMIT_PICKLE = 1 << 24


class Family(enum.Enum):
    FCRN = "FCRN"
    DEPTH_ANYTHING = "Depth Anything V2"


def family(source: Path) -> Family:
    """FCRN unless the content says otherwise: FCRN's own recognition refuses what nobody knows."""
    if not source.is_file():
        return Family.FCRN
    with open(source, "rb") as file:
        head = file.read(1024)
    if safetensors.is_file(source, head):
        return Family.DEPTH_ANYTHING
    if head.startswith((HDF5_MAGIC, block.MAGIC)):
        return Family.DEPTH_ANYTHING if _architecture(source) == ARCHITECTURE else Family.FCRN
    pickle = _pickle(source, head)
    return Family.DEPTH_ANYTHING if any(mark in pickle for mark in MARKS) else Family.FCRN


def _architecture(path: Path) -> str:
    block.check(path)
    with decoding(f"'{path.name}'"), h5py.File(path, "r") as file:
        value = file.attrs.get("architecture", b"")
        return value.decode("ascii") if isinstance(value, bytes) else ""


def _pickle(path: Path, head: bytes) -> bytes:
    """The pickle of a state dict, not run, or nothing where there is none."""
    if pytorch.is_stream(head):
        with open(path, "rb") as file:
            return file.read(LIMIT_PICKLE)
    if not head.startswith(b"PK\x03\x04"):
        return b""
    with decoding(f"'{path.name}'"), zipfile.ZipFile(path) as archive:
        for name in filter(lambda name: name.endswith("/data.pkl"), archive.namelist()):
            if archive.getinfo(name).file_size > LIMIT_PICKLE:
                raise ConversionError(f"'{path.name}' holds a pickle too large for a state dict")
            return archive.read(name)
    return b""
