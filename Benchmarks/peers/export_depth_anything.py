"""Writes a Depth Anything V2 with noise for weights, and what everybody who is compared on it reads.

    export_depth_anything.py FOLDER PHOTO... [--size small|tiny] [--input WxH]...

FOLDER gets weights.h5 for swift-depth, and for each input size WxH.onnx, WxH.png, which is a photo of that size, and WxH.npz: `input` is that
photo as the network reads it, `calibration` eight others. Positions are resampled as the authors do.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from compare_depth_anything import DEVIATION, MEAN, loaded

CONVERT = Path(__file__).resolve().parents[2] / "Scripts/convert"
sys.path.insert(0, str(CONVERT))
from tests.depth_anything_weights import authors_state, hub_state, write_pth  # noqa: E402

SIZES = {"small": {"width": 384, "blocks": 12, "features": 64, "channels": (48, 96, 192, 384)}, "tiny": {}}
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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("photos", type=Path, nargs="+")
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--input", action="append")
    a = parser.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)

    with tempfile.TemporaryDirectory() as temporary:
        weights = Path(temporary) / "weights.pth"
        write_pth(weights, authors_state(hub_state(**SIZES[a.size])))
        subprocess.run([sys.executable, "-m", "fcrnweights", weights, a.folder / "weights.h5", "--precision", "float32",
                        "--kind", "indoor"], check=True, env={"PYTHONPATH": str(CONVERT), "PYTHONDONTWRITEBYTECODE": "1"})
        model = loaded(weights, "indoor", Path(temporary))

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
