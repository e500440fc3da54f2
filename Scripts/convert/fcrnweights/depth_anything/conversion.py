"""From a source of the family to the written file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .. import block
from ..archive import FORMAT_NAME
from ..errors import ConversionError, decoding
from ..formats import pytorch, safetensors, torch_file
from ..recognition import HDF5_MAGIC
from ..source import Source
from . import config, files, kinds, names
from .architecture import TAKEN_BLOCKS
from .config import Config
from .network import DepthAnything, architecture_of, blocks_of, tensors_of


def convert(source: Path, output: Path, precision: str, kind: str | None, say: Callable[[str], None]) -> None:
    """Writes `source` to `output`, all or nothing; `say` is told what was concluded, line by line."""
    with open(source, "rb") as file:
        head = file.read(1024)
    if head.startswith((HDF5_MAGIC, block.MAGIC)):
        network, form, origin = _own(source, precision, kind)
    else:
        network, form, reason = _foreign(source, head, kind)
        network, origin = network.reduced(precision), None
        say(f"note: {reason}")
    files.write(output, network, precision, origin or Source.of(source, form, (source,)))
    architecture = network.architecture
    taken = " ".join(map(str, architecture.taken_blocks))
    say(f"{form} → {output} ({precision}, {output.stat().st_size:,} bytes, Depth Anything V2 of "
        f"{architecture.blocks} blocks {architecture.width} wide, maps after {taken}, {network.meaning.words}, "
        f"license {architecture.licence})")


def _own(source: Path, precision: str, kind: str | None) -> tuple[DepthAnything, str, Source | None]:
    """A file of ours: unchanged, its origin too, where it has the precision already."""
    if kind is not None:
        raise ConversionError(f"'{source.name}' is a file of ours and says itself which kind it is: leave --kind out")
    network, found, origin = files.read(source)
    if found == precision:
        return network, FORMAT_NAME, origin
    return network.restored().reduced(precision), FORMAT_NAME, None


def _foreign(source: Path, head: bytes, kind: str | None) -> tuple[DepthAnything, str, str]:
    """The network of a foreign file in float32, the file's form, and why its numbers mean what they do."""
    if safetensors.is_file(source, head):
        form, state = "safetensors", safetensors.load(source)
    else:
        form = pytorch.FORM
        with decoding(f"'{source.name}'"):
            state = pytorch.state_dict(torch_file.load(source), source.name)
    is_hub = names.is_hub(state)
    facts = config.beside(source) if is_hub else None
    if is_hub:
        state = names.authors_names(state)
    architecture = architecture_of(state, _taken_blocks(blocks_of(state), facts))
    if is_hub:
        meaning, reason = kinds.of_hub_file(source, facts, kind)
    else:
        meaning, reason = kinds.of_authors_file(source, architecture.width, kind)
    return DepthAnything(architecture, meaning, tensors_of(state, architecture)), form, reason


def _taken_blocks(blocks: int, facts: Config | None) -> tuple[int, ...]:
    """After how many blocks the four maps are taken: names and shapes do not say it."""
    published = TAKEN_BLOCKS.get(blocks, (1, 2, 3, 4) if blocks == 4 else None)
    found = facts.taken_blocks if facts else None
    if found and blocks in TAKEN_BLOCKS and found != published:
        raise ConversionError(f"config.json takes maps after blocks {' '.join(map(str, found))}, Depth Anything V2 "
                              f"after {' '.join(map(str, TAKEN_BLOCKS[blocks]))}: these are weights of its first version "
                              "or of another network")
    if found or published:
        return found or published or ()
    raise ConversionError(f"nothing says after which of its {blocks} blocks the four maps are taken: convert the hub's "
                          "safetensors with its config.json")
