"""The mirror's `NYU_FCRN-checkpoint.zip`: the checkpoint's files in one archive."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from ..errors import ConversionError, decoding
from ..reading import Options, Reading
from . import tensorflow_checkpoint

FORM = "tensorflow checkpoint in zip"
#: Of one unpacked file. The published data file has a quarter of this.
LIMIT_BYTES = 1 << 30


def is_archive(names: list[str]) -> bool:
    return any(name.endswith(tensorflow_checkpoint.INDEX) for name in names)


def read(path: Path, options: Options) -> Reading:
    """Unpacks index and data, wherever in the archive they lie, into a folder of its own."""
    name = f"'{path.name}'"
    with tempfile.TemporaryDirectory(prefix="fcrn-") as folder:
        with decoding(name), zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist()
                       if member.filename.endswith(tensorflow_checkpoint.INDEX)]
            if len(members) != 1:
                raise ConversionError(f"{name} holds {len(members)} checkpoints, expected one")
            stem = members[0].filename.removesuffix(tensorflow_checkpoint.INDEX)
            prefix = Path(folder) / "checkpoint"
            for suffix in (tensorflow_checkpoint.INDEX, tensorflow_checkpoint.DATA):
                if stem + suffix not in archive.namelist():
                    raise ConversionError(
                        f"{name} lacks '{PurePosixPath(stem + suffix).name}'")
                _unpack(archive, stem + suffix, prefix.with_name(prefix.name + suffix), name)
        reading = tensorflow_checkpoint.read(prefix, options)
    return Reading(reading.network, FORM, (path,))


def _unpack(archive: zipfile.ZipFile, member: str, target: Path, name: str) -> None:
    """Names in the archive choose nothing: the target's name is ours. zipfile checks the CRC."""
    if archive.getinfo(member).file_size > LIMIT_BYTES:
        raise ConversionError(f"{name} unpacks to more than a gigabyte, which no FCRN does")
    with archive.open(member) as source, open(target, "wb") as file:
        shutil.copyfileobj(source, file, 1 << 20)
