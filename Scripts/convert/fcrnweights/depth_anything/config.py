"""The hub's config.json, as far as weights do not say it themselves."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ConversionError, decoding

LIMIT_BYTES = 1 << 20
#: Facts that the engine takes for granted; one that is not there has this value in `transformers` too.
_EXPECTED = (("patch_size", 14), ("reassemble_factors", [4, 2, 1, 0.5]), ("head_in_index", -1))
_EXPECTED_OF_BACKBONE = (
    ("model_type", "dinov2"), ("patch_size", 14), ("hidden_act", "gelu"), ("layer_norm_eps", 1e-6), ("mlp_ratio", 4),
    ("apply_layernorm", True), ("use_swiglu_ffn", False), ("reshape_hidden_states", False))


@dataclass(frozen=True)
class Config:
    """What config.json says."""

    is_metric: bool
    largest_depth: float | None  # metres, where it is metric
    taken_blocks: tuple[int, ...] | None


def beside(weights: Path) -> Config | None:
    """The config.json in the folder of `weights`, or nothing where there is none."""
    path = weights.with_name("config.json")
    if not path.is_file():
        return None
    with decoding("'config.json'"):
        if path.stat().st_size > LIMIT_BYTES:
            raise ConversionError("'config.json' is larger than a megabyte")
        facts = json.loads(path.read_text("utf-8"))
        if not isinstance(facts, dict) or facts.get("model_type") != "depth_anything":
            raise ConversionError("'config.json' describes no Depth Anything")
        backbone = facts.get("backbone_config") or {}
        for values, expected in ((facts, _EXPECTED), (backbone, _EXPECTED_OF_BACKBONE)):
            for name, value in expected:
                if values.get(name, value) != value:
                    raise ConversionError(f"'config.json' has {name} {json.dumps(values[name])}, "
                                          f"expected {json.dumps(value)}")
        kind = facts.get("depth_estimation_type") or "relative"  # older files do not say it
        if kind not in ("relative", "metric"):
            raise ConversionError(f"'config.json' has depth_estimation_type {json.dumps(kind)}, "
                                  "expected relative or metric")
        return Config(kind == "metric", _largest_depth(facts) if kind == "metric" else None, _taken_blocks(backbone))


def _largest_depth(facts: dict[str, Any]) -> float:
    depth: Any = facts.get("max_depth")
    if type(depth) not in (int, float) or not 0 < depth < math.inf:
        raise ConversionError(f"'config.json' has max_depth {json.dumps(depth)}, expected metres")
    return float(depth)


def _taken_blocks(backbone: dict[str, Any]) -> tuple[int, ...] | None:
    """From `stage3`, which is behind the third block."""
    stages = backbone.get("out_features")
    if stages is None:
        return None
    matches = [re.fullmatch(r"stage(\d{1,3})", stage) for stage in stages]
    if not all(matches):
        raise ConversionError("'config.json' has out_features that name no blocks")
    return tuple(int(match[1]) for match in matches if match)
