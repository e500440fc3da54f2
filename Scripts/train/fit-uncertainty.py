#!/usr/bin/env python3
"""How far a photo's depth is off, from how far the maps disagree that its estimate is the mean of.

    Scripts/train/fit-uncertainty.py DEPTH DATASET [--weights FILE …] [--mirrored] --work FOLDER

DEPTH is the built command line tool. DATASET holds rgb/NNNNN.jpg, depth/NNNNN.png (metres · 5000) and
train_idx0.txt, as Scripts/train reads it; the frames are those that training held out. `depth predict --json`
says the spread of each photo; the relative error of its map (no refinement, the mean over all pixels with a
true depth) is compared with it: by the line floor + slope · spread nearest to the errors, by least squares,
whose two numbers are `PackagedWeights.expectedError`, and by the rank correlation (Spearman's). Needs NumPy,
Pillow, and PyTorch for Scripts/train.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from fcrntrain.frames import LabelledSet  # noqa: E402


def predictions(tool, photos, options, work):
    """The JSON objects of the photos, whose maps go into the folder `work`."""
    command = [tool, "predict", *map(str, photos), "--refine", "none", "--format", "npy", "--json", "--quiet",
               "--overwrite", "--output-dir", str(work), *options]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def relative_error(depth, truth):
    """The map is stretched over the truth; pixels without a true depth do not count."""
    size = (truth.shape[1], truth.shape[0])
    stretched = np.asarray(Image.fromarray(depth.astype(np.float32)).resize(size, Image.Resampling.BILINEAR))
    known = truth > 0
    return float(np.mean(np.abs(stretched - truth)[known] / truth[known]))


def line(spread, error):
    """floor and slope of the least-squares line; a larger spread never means a smaller error."""
    slope = max(float(np.polyfit(spread, error, 1)[0]), 0.0)
    return float(error.mean()) - slope * float(spread.mean()), slope


def spearman(a, b):
    """The correlation of places in ascending order, of values that hardly repeat."""
    return float(np.corrcoef(a.argsort().argsort(), b.argsort().argsort())[0, 1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("depth")
    parser.add_argument("dataset", type=pathlib.Path)
    parser.add_argument("--weights", action="append", default=[])
    parser.add_argument("--mirrored", action="store_true")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    options = [part for file in arguments.weights for part in ("--weights", file)]
    options += ["--mirrored"] * arguments.mirrored

    labelled = LabelledSet(arguments.dataset)
    held_out = labelled.split()[1]
    photos = [arguments.dataset / f"rgb/{frame:05}.jpg" for frame in held_out]
    said = predictions(arguments.depth, photos, options, arguments.work)
    spread = np.array([each["spread"] for each in said], float)
    if not np.isfinite(spread).all():
        sys.exit("one network saw each photo once, expected several weights or the mirrored photo")
    error = np.array([relative_error(np.load(each["outputs"][0]), labelled.depth(frame))
                      for each, frame in zip(said, held_out)])

    floor, slope = line(spread, error)
    print(f"{len(spread)} frames, {said[0]['weights_id']}")
    print(f"mean rel {error.mean():.4f}, mean spread {spread.mean():.4f}")
    print(f"line: floor {floor:.3f}, slope {slope:.2f}; "
          f"the program says {np.mean([each['uncertainty'] for each in said]):.4f} on average")
    print(f"spearman {spearman(spread, error):.3f}")


if __name__ == "__main__":
    main()
