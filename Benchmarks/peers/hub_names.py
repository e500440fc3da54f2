"""The authors' weights of Depth Anything V2 as `transformers` expects them: model.safetensors and config.json.

The names are mapped here and not by the program, so that a fault of the program shows in the comparison.
"""

import pickle
import re
from pathlib import Path
from zipfile import BadZipFile

import torch
from safetensors.torch import save_file
from transformers import DepthAnythingConfig, Dinov2Config

State = dict[str, torch.Tensor]

#: Blocks of an encoder → those after which maps are taken; 4 blocks are for tests.
TAKEN = {12: (3, 6, 9, 12), 24: (5, 12, 18, 24), 4: (1, 2, 3, 4)}
#: Largest depth of the kinds, metres.
LARGEST_DEPTH = {"relative": None, "indoor": 20, "outdoor": 80}
BLOCK = "backbone.encoder.layer."
#: Pattern of the authors' name → the hub's name.
RENAMED = tuple((re.compile(pattern), name) for pattern, name in (
    (r"pretrained\.(cls_token|mask_token)", r"backbone.embeddings.\1"),
    (r"pretrained\.pos_embed", "backbone.embeddings.position_embeddings"),
    (r"pretrained\.patch_embed\.proj\.(\w+)", r"backbone.embeddings.patch_embeddings.projection.\1"),
    (r"pretrained\.blocks\.(\d+)\.attn\.proj\.(\w+)", BLOCK + r"\1.attention.output.dense.\2"),
    (r"pretrained\.blocks\.(\d+)\.ls([12])\.gamma", BLOCK + r"\1.layer_scale\2.lambda1"),
    (r"pretrained\.blocks\.(\d+)\.((?:norm|mlp\.fc)[12]\.\w+)", BLOCK + r"\1.\2"),
    (r"pretrained\.norm\.(\w+)", r"backbone.layernorm.\1"),
    (r"depth_head\.projects\.(\d)\.(\w+)", r"neck.reassemble_stage.layers.\1.projection.\2"),
    (r"depth_head\.resize_layers\.(\d)\.(\w+)", r"neck.reassemble_stage.layers.\1.resize.\2"),
    (r"depth_head\.scratch\.output_conv1\.(\w+)", r"head.conv1.\1"),
    (r"depth_head\.scratch\.output_conv2\.0\.(\w+)", r"head.conv2.\1"),
    (r"depth_head\.scratch\.output_conv2\.2\.(\w+)", r"head.conv3.\1"),
))
QKV = re.compile(r"pretrained\.blocks\.(\d+)\.attn\.qkv\.(\w+)")
NARROWED = re.compile(r"depth_head\.scratch\.layer([1-4])_rn\.weight")
FUSION = re.compile(r"depth_head\.scratch\.refinenet([1-4])\.(?:out_conv|resConfUnit([12])\.conv([12]))\.(\w+)")


def write_hub_folder(weights: Path, kind: str | None, folder: Path) -> None:
    """Writes what `weights`, a state dict under the authors' names, is on the hub.

    Raises ValueError for another file.
    """
    try:
        state = torch.load(weights, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, BadZipFile, RuntimeError, EOFError) as fault:
        raise ValueError(f"'{weights.name}' is no state dict: {str(fault).splitlines()[0]}") from fault
    if not isinstance(state, dict) or "pretrained.pos_embed" not in state:
        raise ValueError(f"'{weights.name}' has no weights of Depth Anything V2 under their authors' names")
    folder.mkdir()
    _config(state, LARGEST_DEPTH[kind or _kind(weights)]).save_pretrained(folder)
    save_file(_hub_state(state), folder / "model.safetensors", metadata={"format": "pt"})


def _kind(weights: Path) -> str:
    """Of a file with a published name; the program refuses others without --weights-kind."""
    for data, kind in (("hypersim", "indoor"), ("vkitti", "outdoor")):
        if data in weights.stem:
            return kind
    return "relative"


def _config(state: State, largest_depth: int | None) -> DepthAnythingConfig:
    """All but the largest depth follows from shapes."""
    width = state["pretrained.norm.weight"].numel()
    blocks = sum(name.endswith(".ls1.gamma") for name in state)
    backbone = Dinov2Config(
        hidden_size=width, num_hidden_layers=blocks, num_attention_heads=width // 64, image_size=518, patch_size=14,
        out_features=[f"stage{block}" for block in TAKEN[blocks]], apply_layernorm=True, reshape_hidden_states=False)
    return DepthAnythingConfig(
        backbone_config=backbone, reassemble_hidden_size=width, patch_size=14,
        fusion_hidden_size=state["depth_head.scratch.layer1_rn.weight"].shape[0],
        neck_hidden_sizes=[state[f"depth_head.projects.{i}.weight"].shape[0] for i in range(4)],
        head_hidden_size=state["depth_head.scratch.output_conv2.0.weight"].shape[0],
        depth_estimation_type="metric" if largest_depth else "relative", max_depth=largest_depth)


def _hub_state(state: State) -> State:
    renamed: State = {}
    for name, values in state.items():
        if match := QKV.fullmatch(name):
            for part, rows in zip(("query", "key", "value"), values.chunk(3)):
                renamed[f"{BLOCK}{match[1]}.attention.attention.{part}.{match[2]}"] = rows.clone()
        else:
            renamed[_hub_name(name)] = values.contiguous()
    return renamed


def _hub_name(name: str) -> str:
    for pattern, theirs in RENAMED:
        if match := pattern.fullmatch(name):
            return match.expand(theirs)
    if match := NARROWED.fullmatch(name):
        return f"neck.convs.{int(match[1]) - 1}.weight"
    if match := FUSION.fullmatch(name):  # the authors count from the finest map, the hub from the coarsest
        part = f"residual_layer{match[2]}.convolution{match[3]}" if match[2] else "projection"
        return f"neck.fusion_stage.layers.{4 - int(match[1])}.{part}.{match[4]}"
    raise ValueError(f"'{name}' is no tensor of Depth Anything V2")
