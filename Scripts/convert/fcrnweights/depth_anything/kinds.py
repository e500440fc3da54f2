"""What the numbers of a network mean: disparity, or metres indoors or outdoors.

The weights of the three kinds have the same names and shapes, so it is the hub's config.json, the name
of the published file or the user who says which they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import ConversionError
from .config import Config

METRE, DISPARITY = "metre", "relative disparity"
#: Published file names → kind; the letter is that of the encoder.
_NAME = re.compile(r"depth_anything_v2_(?:metric_(?P<data>hypersim|vkitti)_)?vit(?P<size>[sbl])")
#: The first version's names: the same tensors, but their maps are taken after other blocks.
_FIRST_VERSION = re.compile(r"depth_anything_vit[sbl]14")
_DATA = {None: "relative", "hypersim": "indoor", "vkitti": "outdoor"}
_WIDTHS = {"s": 384, "b": 768, "l": 1024}
_ASK = "pass --kind relative, --kind indoor or --kind outdoor"


@dataclass(frozen=True)
class Meaning:
    """Unit of the output; for metres also what the sigmoid is multiplied by and the training camera."""

    unit: str
    largest_depth: float | None = None  # metres
    focal_length: float | None = None  # in units of the picture's width

    @property
    def words(self) -> str:
        return self.unit if self.largest_depth is None else f"metres, {self.largest_depth:g} at most"


KINDS = {
    "relative": Meaning(DISPARITY),
    "indoor": Meaning(METRE, 20, 886.81 / 1024),  # Hypersim, 1024 pixels wide
    "outdoor": Meaning(METRE, 80, 725 / 1242),  # Virtual KITTI 2, 1242 pixels wide
}


def of_authors_file(path: Path, width: int, asked: str | None) -> tuple[Meaning, str]:
    """The meaning of an authors' file with tokens of `width` numbers, and a sentence on why."""
    if _FIRST_VERSION.fullmatch(path.stem):
        raise ConversionError(f"'{path.name}' is the name of the first version's weights, not of Depth Anything V2's")
    match = _NAME.fullmatch(path.stem)
    named = _DATA[match["data"]] if match and _WIDTHS[match["size"]] == width else None
    if asked is not None:
        contrary = f", although '{path.name}' is a name of the {named} weights" if named not in (None, asked) else ""
        return KINDS[asked], f"taken as {asked}, as --kind says{contrary}"
    if named is None:
        raise ConversionError(f"'{path.name}' does not say which kind it is, and the weights of all kinds look alike: "
                              + _ASK)
    return KINDS[named], f"taken as {named}: '{path.name}' is the published name of those weights"


def of_hub_file(path: Path, config: Config | None, asked: str | None) -> tuple[Meaning, str]:
    """The meaning of a hub's file with the config.json beside it, and a sentence on why."""
    if config is None:
        if asked is None:
            raise ConversionError(f"there is no config.json beside '{path.name}' that says which kind it is: fetch it, "
                                  f"or {_ASK}")
        return KINDS[asked], f"taken as {asked}, as --kind says; there is no config.json"
    depth = config.largest_depth if config.is_metric else None
    found = next((name for name, kind in KINDS.items() if kind.largest_depth == depth), None)
    if found is None:
        return _of_unknown_depth(config, asked)
    if asked not in (None, found):
        raise ConversionError(f"config.json says that the weights are {found}, --kind says {asked}")
    return KINDS[found], f"taken as {found}, as config.json says"


def _of_unknown_depth(config: Config, asked: str | None) -> tuple[Meaning, str]:
    """Metres up to another depth than the published: the user says which camera saw them."""
    depth = config.largest_depth
    if asked not in ("indoor", "outdoor"):
        raise ConversionError(f"config.json has the largest depth {depth:g} m, neither 20 (indoor) nor 80 (outdoor): pass "
                              "--kind indoor or --kind outdoor")
    return (Meaning(METRE, depth, KINDS[asked].focal_length),
            f"taken as {asked} with depths up to {depth:g} m, as --kind and config.json say")
