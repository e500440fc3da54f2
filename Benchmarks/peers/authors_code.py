"""ZipDepth and MoGe-2 by their authors' code, from copies of their repositories on Python's path."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

State = dict[str, Any]
#: ZipDepth's shorter side, and what sides are multiples of.
SIDE, MULTIPLE = 384, 32
#: MoGe-2's patches, and the horizontal field of view in degrees that both sides are given.
TOKENS, FIELD_OF_VIEW = 1200, 60


def zipdepth(state: State, photo: np.ndarray) -> np.ndarray:
    """Relative disparity in the size of the network's input."""
    from zipdepth.model.architecture import create_model
    from zipdepth.utils.model_utils import strip_state_dict_prefixes

    tensors = strip_state_dict_prefixes(state.get("model_state_dict", state))
    # The variant for neural processors doubles the last map by other layers.
    model = create_model("base", upsample_unfold=not any("where_conv" in name for name in tensors))
    missing = model.load_state_dict(tensors, strict=False).missing_keys
    if missing:
        raise ValueError(f"the authors' model also has {missing[0]}")
    height, width = photo.shape[:2]
    rows, columns = (max(MULTIPLE, round(side * SIDE / min(height, width) / MULTIPLE) * MULTIPLE) for side in (height, width))
    resized = cv2.resize(photo, (columns, rows), interpolation=cv2.INTER_LINEAR)
    with torch.inference_mode():
        return model.eval()(_input(resized)).reshape(rows, columns).numpy()


def moge2(weights: Path, photo: np.ndarray) -> np.ndarray:
    """Metres in the size of the photo, infinity where there is no geometry."""
    from moge.model.v2 import MoGeModel

    model = MoGeModel.from_pretrained(weights).eval()
    with torch.inference_mode():
        found = model.infer(_input(photo)[0], num_tokens=TOKENS, fov_x=FIELD_OF_VIEW, use_fp16=False)
    return found["depth"].numpy()


def _input(photo: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(photo.transpose(2, 0, 1)[None].astype(np.float32)) / 255
