"""Which form a file has, told by its bytes and not by its name."""

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
    return _archived(source) if head.startswith(b"PK\x03\x04") else _reader(source, head), source


def _archived(source: Path) -> Reader:
    with decoding(f"'{source.name}'"), zipfile.ZipFile(source) as archive:
        names = archive.namelist()
    for member, reader in ((tensorflow_checkpoint.INDEX, tensorflow_checkpoint.read_archive), ("/data.pkl", pytorch.read)):
        if any(name.endswith(member) for name in names):
            return reader
    raise ConversionError(f"'{source.name}' is a zip archive with neither a checkpoint nor a state dict inside")


def _reader(source: Path, head: bytes) -> Reader:
    for magic, form in ((numpy_dictionary.MAGIC, numpy_dictionary), (matconvnet.MAGIC, matconvnet),
                        ((HDF5_MAGIC, block.MAGIC), own_archive), (pytorch.MAGIC, pytorch)):
        if head.startswith(magic):
            return form.read
    for form in (onnx, core_ml):
        if form.model(source):
            return form.read
    raise ConversionError(f"'{source.name}' has none of the forms that FCRN was published in")
