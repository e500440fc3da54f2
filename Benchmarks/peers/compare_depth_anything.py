"""Compares the depth that swift-depth gives for a photo with that of `transformers` from the same weights.

    compare_depth_anything.py WEIGHTS PHOTO.png DEPTH.npy TEMPORARY_FOLDER [--kind KIND]

Exit status 0: the largest difference is at most LIMIT of the depth's range; 1: it is above.
"""

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np
import torch
import transformers
from PIL import Image
from transformers import DepthAnythingForDepthEstimation

from hub_names import LARGEST_DEPTH, write_hub_folder

LIMIT = 1e-4
SIDE, PATCH = 518, 14
#: ImageNet's, of colors 0…1.
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def input_size(height: int, width: int) -> tuple[int, int]:
    """By the published rule: the shorter side becomes 518, both are whole patches."""
    scale = SIDE / min(height, width)
    rows, columns = (max(SIDE, round(side * scale / PATCH) * PATCH) for side in (height, width))
    return rows, columns


def network_input(photo: np.ndarray) -> torch.Tensor:
    rows, columns = input_size(*photo.shape[:2])
    resized = cv2.resize(photo / 255.0, (columns, rows), interpolation=cv2.INTER_CUBIC)
    normalized = (resized - MEAN) / DEVIATION
    return torch.from_numpy(normalized.transpose(2, 0, 1)[None].astype(np.float32))


def use_authors_positions(model: DepthAnythingForDepthEstimation) -> None:
    """Resamples position vectors as the authors do, for a grid a tenth larger; `transformers` leaves out the tenth."""
    embeddings = model.backbone.embeddings
    positions = embeddings.position_embeddings.detach()
    learned = round((positions.shape[1] - 1) ** 0.5)

    def resampled(tokens: torch.Tensor, height: int, width: int) -> torch.Tensor:
        grid = int(height) // PATCH, int(width) // PATCH  # tensors while the model is exported
        if grid == (learned, learned):
            return positions
        patches = positions[:, 1:].reshape(1, learned, learned, -1).permute(0, 3, 1, 2)
        patches = torch.nn.functional.interpolate(
            patches, scale_factor=tuple((side + 0.1) / learned for side in grid), mode="bicubic")
        if patches.shape[2:] != grid:
            raise ValueError(f"positions became {tuple(patches.shape[2:])}, expected {grid}")
        return torch.cat([positions[:, :1], patches.flatten(2).transpose(1, 2)], 1)

    embeddings.interpolate_pos_encoding = resampled


def loaded(weights: Path, kind: str | None, temporary: Path) -> DepthAnythingForDepthEstimation:
    """The model of `transformers`; raises ValueError where a tensor is missing or left over."""
    if weights.suffix == ".safetensors":
        folder = weights.parent
    else:
        folder = temporary / "hub"
        write_hub_folder(weights, kind, folder)
    model, report = DepthAnythingForDepthEstimation.from_pretrained(
        folder, dtype=torch.float32, local_files_only=True, output_loading_info=True)
    for fault in ("missing_keys", "unexpected_keys", "mismatched_keys"):
        # No computation uses the mask's token, and some files are without it.
        if names := [name for name in report[fault] if "mask_token" not in name]:
            raise ValueError(f"{fault.replace('_', ' ')} of '{weights.name}' in transformers: {names[0]}")
    if model.head.max_depth is None:
        model.head.max_depth = 1  # relative disparity has no scale
    use_authors_positions(model)
    return model.eval()


def report(ours: np.ndarray, theirs: np.ndarray, unit: str) -> bool:
    """Prints how far the maps are apart; whether that is near enough."""
    span = float(theirs.max() - theirs.min())
    difference = np.abs(ours.astype(np.float64) - theirs)
    largest, mean = float(difference.max()), float(difference.mean())
    row, column = np.unravel_index(difference.argmax(), difference.shape)
    print(f"depth {theirs.min():.6g} … {theirs.max():.6g}{unit}, range {span:.6g}{unit}")
    for name, value in (("largest", largest), ("mean", mean)):
        print(f"{name} difference {value:.3g}{unit}, {value / span if span else float('inf'):.2g} of the range", end="")
        print(f", at column {column}, row {row}" if name == "largest" else "")
    same = largest <= LIMIT * span and span > 0  # false where a value is missing
    print(f"{'the same' if same else 'NOT THE SAME'}: the limit is {LIMIT:g} of the range")
    return same


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("weights", "photo", "depth", "temporary"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--kind", choices=LARGEST_DEPTH)
    a = parser.parse_args()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        model = loaded(a.weights, a.kind, a.temporary)
        photo = np.asarray(Image.open(a.photo))
        x = network_input(photo)
        with torch.inference_mode():
            theirs = model(x).predicted_depth[0].numpy()
        ours = np.load(a.depth)
        if ours.shape != theirs.shape:
            raise ValueError(f"the map has rows and columns {ours.shape} here, {theirs.shape} in transformers")
    except (ValueError, KeyError, OSError) as fault:
        print(f"check-depth-anything: error: {fault}", file=sys.stderr)
        return 1
    print(f"photo {photo.shape[1]} × {photo.shape[0]}, input {x.shape[3]} × {x.shape[2]}, "
          f"map {theirs.shape[1]} × {theirs.shape[0]}, transformers {transformers.__version__}")
    return 0 if report(ours, theirs, " m" if model.config.depth_estimation_type == "metric" else "") else 1


if __name__ == "__main__":
    sys.exit(main())
