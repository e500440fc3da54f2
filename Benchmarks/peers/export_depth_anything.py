"""Writes a Depth Anything V2 with noise for weights, and what everybody who is compared on it reads.

    export_depth_anything.py FOLDER PHOTO... [--size small|tiny] [--input WxH]...

FOLDER gets model.safetensors and config.json for swift-depth, and for each input size WxH.onnx, WxH.png, which is a photo of that size, and WxH.npz: `input` is that
photo as the network reads it, `calibration` eight others. Positions are resampled as the authors do.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from transformers import DepthAnythingConfig, DepthAnythingForDepthEstimation, Dinov2Config

from depth_anything import DEVIATION, MEAN, loaded

#: Width, blocks, blocks after which maps are taken, features and channels.
SIZES = {"small": (384, 12, (3, 6, 9, 12), 64, (48, 96, 192, 384)), "tiny": (128, 4, (1, 2, 3, 4), 16, (8, 12, 16, 24))}
CALIBRATION = 8


def network_input(pixels: np.ndarray) -> np.ndarray:
    return ((pixels / 255.0 - MEAN) / DEVIATION).transpose(2, 0, 1)[None].astype(np.float32)


def crops(photos: list[Path], width: int, height: int) -> list[np.ndarray]:
    """The first photo of the size, and then crops of all of them in turn."""
    made = []
    for index in range(CALIBRATION + 1):
        image = Image.open(photos[index % len(photos)]).convert("RGB")
        inset = 0.05 * (index // len(photos))
        box = (inset * image.width, inset * image.height, (1 - inset) * image.width, (1 - inset) * image.height)
        made.append(np.asarray(image.resize((width, height), Image.Resampling.LANCZOS, box)))
    return made


class Depth(torch.nn.Module):
    """The network with one output."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model.requires_grad_(False)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.model(image).predicted_depth


def noise(size: str) -> DepthAnythingForDepthEstimation:
    """A network whose activations stay near 1."""
    width, blocks, taken, features, channels = SIZES[size]
    backbone = Dinov2Config(
        hidden_size=width, num_hidden_layers=blocks, num_attention_heads=width // 64, image_size=518, patch_size=14,
        out_features=[f"stage{block}" for block in taken], reshape_hidden_states=False)
    model = DepthAnythingForDepthEstimation(DepthAnythingConfig(
        backbone_config=backbone, reassemble_hidden_size=width, neck_hidden_sizes=list(channels), fusion_hidden_size=features,
        depth_estimation_type="metric", max_depth=20))
    torch.manual_seed(1)
    for name, values in model.named_parameters():
        if values.ndim > 1:
            torch.nn.init.normal_(values, std=(values[0].numel()) ** -0.5)
        elif "norm" not in name and "lambda" not in name:
            torch.nn.init.normal_(values, std=0.1)
    return model


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("photos", type=Path, nargs="+")
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--input", action="append")
    a = parser.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)

    noise(a.size).save_pretrained(a.folder)
    model = loaded(a.folder / "model.safetensors", None, a.folder)
    depth = Depth(model).eval()
    for size in a.input or ["518x518", "686x518"]:
        width, height = map(int, size.split("x"))
        pictures = crops(a.photos, width, height)
        Image.fromarray(pictures[0]).save(a.folder / f"{size}.png")
        inputs = [network_input(picture) for picture in pictures]
        np.savez(a.folder / f"{size}.npz", input=inputs[0], calibration=np.concatenate(inputs[1:]))
        torch.onnx.export(
            depth, (torch.from_numpy(inputs[0]),), str(a.folder / f"{size}.onnx"), input_names=["image"],
            output_names=["depth"], opset_version=17, dynamo=False)


if __name__ == "__main__":
    main()
