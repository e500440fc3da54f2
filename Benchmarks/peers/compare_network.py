"""Compares the depth that swift-depth gives for a photo with that of independent code from the same weights.

    compare_network.py PROGRAM WEIGHTS PHOTO [--kind KIND] [--code FOLDER]...

Exit status 0: the largest difference is at most LIMIT of the depth's range; 1: it is above.
"""

import argparse
import pickle
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import torch
import transformers
from PIL import Image, ImageOps, UnidentifiedImageError

import authors_code
import depth_anything
from hub_names import LARGEST_DEPTH

LIMIT = 1e-4


@dataclass
class Reference:
    """A map by independent code, and the program's options for the same one."""

    code: str
    depth: np.ndarray
    unit: str
    options: list[str]
    isolates_shift: bool = False


def upright(path: Path) -> np.ndarray:
    """A photo's pixels, turned by its Exif orientation."""
    try:
        with Image.open(path) as image:
            return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as fault:
        raise ValueError(f"'{path}' is no photo that Pillow reads: {fault}") from fault


def reference(weights: Path, photo: np.ndarray, kind: str | None, folder: Path) -> Reference:
    state = None
    if weights.suffix != ".safetensors":
        try:
            state = torch.load(weights, map_location="cpu", weights_only=True)
        except (pickle.UnpicklingError, BadZipFile, RuntimeError, EOFError) as fault:
            raise ValueError(f"'{weights.name}' is no file of PyTorch: {str(fault).splitlines()[0]}") from fault
    if isinstance(state, dict) and "model_config" in state:
        # The authors' solver stops early, so the maps' shift is compared apart from their shape.
        return Reference("the authors' code", authors_code.moge2(weights, photo), " m",
                         ["--fov", str(authors_code.FIELD_OF_VIEW), "--tokens", str(authors_code.TOKENS)], isolates_shift=True)
    if isinstance(state, dict) and any("stem_half" in name for name in state.get("model_state_dict", state)):
        return Reference("the authors' code", authors_code.zipdepth(state, photo), "", ["--metres", "none"])
    model = depth_anything.loaded(weights, kind, folder)
    with torch.inference_mode():
        depth = model(depth_anything.network_input(photo)).predicted_depth[0].numpy()
    is_metric = model.config.depth_estimation_type == "metric"
    return Reference(f"transformers {transformers.__version__}", depth, " m" if is_metric else "",
                     ["--focal-length", "none"] if is_metric else ["--metres", "none"])


def ours(program: Path, weights: Path, photo: np.ndarray, options: list[str], folder: Path) -> np.ndarray:
    # One decoder for both: those of JPEG differ in their last bits.
    Image.fromarray(photo).save(folder / "photo.png")
    run = subprocess.run(
        [program, "predict", folder / "photo.png", "--weights", weights, "--refine", "none", *options, "-o", folder / "depth.npy", "--quiet"],
        capture_output=True, text=True)
    if run.returncode != 0:
        raise ValueError(run.stderr.replace(f"{folder}/", "").strip())
    return np.load(folder / "depth.npy")


def report(ours: np.ndarray, theirs: Reference) -> bool:
    """Prints how far the maps are apart; whether that is near enough."""
    if ours.shape != theirs.depth.shape:
        raise ValueError(f"the map has rows and columns {ours.shape} here, {theirs.depth.shape} in {theirs.code}")
    known = np.isfinite(ours) & np.isfinite(theirs.depth)
    apart = float(np.mean(np.isfinite(ours) != np.isfinite(theirs.depth)))
    if not known.any():
        raise ValueError("no pixel has depth in both maps")
    there = theirs.depth[known].astype(np.float64)
    span, difference = float(np.ptp(there)), ours[known] - there
    print(f"depth {there.min():.6g} … {there.max():.6g}{theirs.unit}, range {span:.6g}{theirs.unit}")
    if theirs.isolates_shift:
        shift = float(np.median(difference))
        difference -= shift
        print(f"without depth {1 - known.mean():.2%}, in one map only {apart:.2g}; shift between the maps {shift:.3g}{theirs.unit}")
    difference = np.abs(difference)
    largest, mean = float(difference.max()), float(difference.mean())
    row, column = (int(places[difference.argmax()]) for places in np.nonzero(known))
    for name, value in (("largest", largest), ("mean", mean)):
        print(f"{name} difference {value:.3g}{theirs.unit}, {value / span if span else float('inf'):.2g} of the range", end="")
        print(f", at column {column}, row {row}" if name == "largest" else "")
    same = 0 < span and largest <= LIMIT * span and apart <= LIMIT
    print(f"{'the same' if same else 'NOT THE SAME'}: the limit is {LIMIT:g} of the range")
    return same


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("program", "weights", "photo"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--kind", choices=LARGEST_DEPTH)
    parser.add_argument("--code", type=Path, action="append", default=[])
    a = parser.parse_args()
    sys.path[:0] = [str(folder.resolve()) for folder in a.code]
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        photo = upright(a.photo)
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            theirs = reference(a.weights, photo, a.kind, folder)
            kind = ["--weights-kind", a.kind] if a.kind else []
            here = ours(a.program, a.weights, photo, [*theirs.options, *kind], folder)
        print(f"photo {photo.shape[1]} × {photo.shape[0]}, map {here.shape[1]} × {here.shape[0]}, {theirs.code}")
        return 0 if report(here, theirs) else 1
    except ModuleNotFoundError as fault:
        print(f"check-network: error: there is no Python module '{fault.name}': --code names the authors' code", file=sys.stderr)
    except (ValueError, KeyError, OSError) as fault:
        print(f"check-network: error: {fault}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
