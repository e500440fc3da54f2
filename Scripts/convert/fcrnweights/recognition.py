"""Which form a file has, told by its bytes and not by its name."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

from . import block
from .errors import ConversionError, decoding
from .formats import core_ml, matconvnet, numpy_dictionary, onnx, own_archive, pytorch, tensorflow_checkpoint
from .reading import Options, Reading

Reader = Callable[[Path, Options], Reading]

HDF5_MAGIC = b"\x89HDF\r\n\x1a\n"


def recognise(source: Path) -> tuple[Reader, Path]:
    """The reader for `source`, and the path it wants: a checkpoint is known by its prefix."""
    prefix = tensorflow_checkpoint.prefix(source)
    if prefix is not None:
        return tensorflow_checkpoint.read, prefix
    if (source / "Manifest.json").exists():
        raise ConversionError(f"'{source.name}' is a Core ML package; only the .mlmodel form with a neural network inside can be read")
    if source.is_dir():
        raise ConversionError(f"'{source.name}' is a folder; name the file in it")
    if not source.is_file():
        raise ConversionError(f"'{source}' does not exist")
    with open(source, "rb") as file:
        head = file.read(1024)
    if not head:
        raise ConversionError(f"'{source.name}' is empty")
    return _reader(source, head), source


def _reader(source: Path, head: bytes) -> Reader:
    if head.startswith(b"PK\x03\x04"):
        with decoding(f"'{source.name}'"), zipfile.ZipFile(source) as archive:
            names = archive.namelist()
        if tensorflow_checkpoint.is_archive(names):
            return tensorflow_checkpoint.read_archive
        if pytorch.is_archive(names):
            return pytorch.read
        raise ConversionError(
            f"'{source.name}' is a zip archive with neither a checkpoint nor a state dict inside")
    if head.startswith(numpy_dictionary.MAGIC):
        return numpy_dictionary.read
    if head.startswith(matconvnet.MAGIC):
        return matconvnet.read
    if head.startswith((HDF5_MAGIC, block.MAGIC)):
        return own_archive.read
    if pytorch.is_stream(head):
        return pytorch.read
    if onnx.model(source):
        return onnx.read
    if core_ml.model(source):
        return core_ml.read
    raise ConversionError(f"'{source.name}' has none of the forms that FCRN was published in")
