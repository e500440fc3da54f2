"""The two schemes by which files name the tensors of Depth Anything V2.

The authors' names are the common form: a tensor of the hub's file is renamed, and its query, key and
value joined as theirs are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from ..errors import ConversionError

State = dict[str, np.ndarray]

HEAD = "depth_head."
SCRATCH = HEAD + "scratch."
BLOCK = "pretrained.blocks."

#: In both schemes, tensors that no computation uses.
UNUSED = re.compile(r"pretrained\.mask_token|depth_head\.scratch\.refinenet4\.resConfUnit1\..*")

_PARAMETER = r"\.(?P<parameter>weight|bias)"
_QKV = re.compile(r"backbone\.encoder\.layer\.(?P<block>\d+)\.attention\.attention\.(?P<part>query|key|value)" + _PARAMETER)
_FUSION = re.compile(r"neck\.fusion_stage\.layers\.(?P<layer>[0-3])\."
                     r"(?P<part>projection|residual_layer(?P<unit>[12])\.convolution(?P<convolution>[12]))" + _PARAMETER)
#: Pattern of the hub's name → the authors' name.
_RENAMED = tuple((re.compile(pattern), name) for pattern, name in (
    (r"backbone\.embeddings\.cls_token", "pretrained.cls_token"),
    (r"backbone\.embeddings\.mask_token", "pretrained.mask_token"),
    (r"backbone\.embeddings\.position_embeddings", "pretrained.pos_embed"),
    (r"backbone\.embeddings\.patch_embeddings\.projection\.(weight|bias)", r"pretrained.patch_embed.proj.\1"),
    (r"backbone\.encoder\.layer\.(\d+)\.attention\.output\.dense\.(weight|bias)", BLOCK + r"\1.attn.proj.\2"),
    (r"backbone\.encoder\.layer\.(\d+)\.layer_scale([12])\.lambda1", BLOCK + r"\1.ls\2.gamma"),
    (r"backbone\.encoder\.layer\.(\d+)\.(norm[12]|mlp\.fc[12])\.(weight|bias)", BLOCK + r"\1.\2.\3"),
    (r"backbone\.layernorm\.(weight|bias)", r"pretrained.norm.\1"),
    (r"neck\.reassemble_stage\.layers\.([0-3])\.projection\.(weight|bias)", HEAD + r"projects.\1.\2"),
    (r"neck\.reassemble_stage\.layers\.([013])\.resize\.(weight|bias)", HEAD + r"resize_layers.\1.\2"),
    (r"head\.conv1\.(weight|bias)", SCRATCH + r"output_conv1.\1"),
    (r"head\.conv2\.(weight|bias)", SCRATCH + r"output_conv2.0.\1"),
    (r"head\.conv3\.(weight|bias)", SCRATCH + r"output_conv2.2.\1"),
))


def is_hub(state: Mapping[str, np.ndarray]) -> bool:
    """Whether the names are the hub's."""
    return any(name.startswith(("backbone.", "neck.")) for name in state)


def authors_names(state: Mapping[str, np.ndarray]) -> State:
    """A state dict of the hub under the authors' names."""
    renamed: State = {}
    parts: dict[str, State] = {}
    for name, values in state.items():
        if match := _QKV.fullmatch(name):
            joined = f"{BLOCK}{match['block']}.attn.qkv.{match['parameter']}"
            parts.setdefault(joined, {})[match["part"]] = values
        else:
            renamed[_authors_name(name)] = values
    for joined, found in parts.items():
        renamed[joined] = _joined(joined, found)
    return renamed


def _authors_name(name: str) -> str:
    for pattern, theirs in _RENAMED:
        if match := pattern.fullmatch(name):
            return match.expand(theirs)
    if match := re.fullmatch(r"neck\.convs\.([0-3])\.weight", name):
        return f"{SCRATCH}layer{int(match[1]) + 1}_rn.weight"
    if match := _FUSION.fullmatch(name):  # the hub counts from the coarsest map, the authors from the finest
        unit = f"resConfUnit{match['unit']}.conv{match['convolution']}" if match["unit"] else "out_conv"
        return f"{SCRATCH}refinenet{4 - int(match['layer'])}.{unit}.{match['parameter']}"
    raise ConversionError(f"'{name}' is no tensor of Depth Anything V2")


def _joined(name: str, parts: State) -> np.ndarray:
    """All queries, then all keys, then all values."""
    for part in ("query", "key", "value"):
        if part not in parts:
            raise ConversionError(f"the {part} of '{name}' is missing")
        if parts[part].shape != parts["query"].shape or parts[part].ndim == 0:
            raise ConversionError(f"query, key and value of '{name}' differ in their shapes")
    return np.concatenate([parts["query"], parts["key"], parts["value"]])
