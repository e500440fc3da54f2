#!/usr/bin/env python3
"""Writes a Depth Anything V2 of 12 blocks with random weights as safetensors, with the authors' names of layers.

    tiny-depth-anything.py FILE

Activations stay near 1. Needs nothing but Python.
"""

import array
import json
import math
import random
import struct
import sys
from pathlib import Path

WIDTH, BLOCKS, FEATURES, CHANNELS, LAST, PATCHES = 64, 12, 8, (6, 5, 8, 10), 6, 37 * 37


def layers() -> dict[str, list[int]]:
    """Shapes by the authors' names; a shape of one axis is a bias or a factor."""
    shapes = {"pretrained.cls_token": [1, 1, WIDTH], "pretrained.pos_embed": [1, 1 + PATCHES, WIDTH], "pretrained.mask_token": [1, WIDTH]}

    def layer(name: str, *shape: int, has_bias: bool = True) -> None:
        shapes[f"{name}.weight"] = list(shape)
        if has_bias:
            shapes[f"{name}.bias"] = [shape[0]]

    layer("pretrained.patch_embed.proj", WIDTH, 3, 14, 14)
    for block in (f"pretrained.blocks.{number}" for number in range(BLOCKS)):
        layer(f"{block}.norm1", WIDTH)
        layer(f"{block}.attn.qkv", 3 * WIDTH, WIDTH)
        layer(f"{block}.attn.proj", WIDTH, WIDTH)
        layer(f"{block}.norm2", WIDTH)
        layer(f"{block}.mlp.fc1", 4 * WIDTH, WIDTH)
        layer(f"{block}.mlp.fc2", WIDTH, 4 * WIDTH)
        shapes |= {f"{block}.ls{number}.gamma": [WIDTH] for number in (1, 2)}
    layer("pretrained.norm", WIDTH)
    head, scratch = "depth_head", "depth_head.scratch"
    for index, count in enumerate(CHANNELS):
        layer(f"{head}.projects.{index}", count, WIDTH, 1, 1)
        layer(f"{scratch}.layer{index + 1}_rn", FEATURES, count, 3, 3, has_bias=False)
    for index, side in ((0, 4), (1, 2), (3, 3)):
        layer(f"{head}.resize_layers.{index}", CHANNELS[index], CHANNELS[index], side, side)
    for net in (1, 2, 3, 4):
        for unit in (1, 2):
            for number in (1, 2):
                layer(f"{scratch}.refinenet{net}.resConfUnit{unit}.conv{number}", FEATURES, FEATURES, 3, 3)
        layer(f"{scratch}.refinenet{net}.out_conv", FEATURES, FEATURES, 1, 1)
    layer(f"{scratch}.output_conv1", FEATURES // 2, FEATURES, 3, 3)
    layer(f"{scratch}.output_conv2.0", LAST, FEATURES // 2, 3, 3)
    layer(f"{scratch}.output_conv2.2", 1, LAST, 1, 1)
    return shapes


def values(shape: list[int]) -> bytes:
    deviation = 0.1 if len(shape) == 1 else math.prod(shape[1:]) ** -0.5
    middle = 1.0 if shape == [WIDTH] else 0.0
    return array.array("f", (random.gauss(middle, deviation) for _ in range(math.prod(shape)))).tobytes()


def main() -> None:
    random.seed(1)
    header, content = {}, bytearray()
    for name, shape in layers().items():
        start = len(content)
        content += values(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, len(content)]}
    text = json.dumps(header).encode()
    Path(sys.argv[1]).write_bytes(struct.pack("<Q", len(text)) + text + content)


if __name__ == "__main__":
    main()
