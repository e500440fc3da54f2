"""Depth Anything V2 in `transformers`, with the authors' input and positions."""

from pathlib import Path

import cv2
import numpy as np
import torch
from transformers import DepthAnythingForDepthEstimation

from hub_names import write_hub_folder

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
