#!/usr/bin/env python3
"""How a portrait photo should go through a network that knows landscape photos, measured on true depth.

    Scripts/measure-portrait.py DEPTH DATASET --depth-scale 5000 --work FOLDER [--frames FILE] [--stride N]

DEPTH is the built command line tool, DATASET a folder of landscape frames with rgb/ and depth/. Each frame's
middle, 3 wide and 4 high, is taken as a portrait photo, and goes through the network

    upright   as it is: stretched to 228 × 304, what `depth predict` does
    squeezed  stretched to 304 × 228, wider than it was
    cropped   as the 4 : 3 landscape part in its middle; nothing is known above and below
    padded    between grey bars on a 4 : 3 landscape canvas
    mirrored  between its own mirrored sides on such a canvas
    turned    lying on its side as a landscape photo, and the map turned back

A crop is no photo of a turned camera but of one with a longer lens: treatments that enlarge things make them
nearer, by the enlargement against a whole landscape frame. So maps are compared twice: times that
enlargement, and (`median_scaled`) times whatever brings each map's median to the truth's. `cropped` knows a
part only, on which all are measured in a second table.

--frames names a file with the numbers of the frames to use, one a line (file names are compared as numbers).
Needs NumPy and Pillow.
"""
import argparse
import json
import pathlib
import subprocess

import numpy as np
from PIL import Image

GREY = (124, 116, 104)


def mirrored(photo, width):
    left = (width - photo.width) // 2
    pixels = np.pad(np.asarray(photo), ((0, 0), (left, width - photo.width - left), (0, 0)), "symmetric")
    return Image.fromarray(pixels)


def treatments(photo):
    """Name -> (photo for the network, map of it -> map of the portrait photo, enlargement)."""
    width, height = photo.size
    canvas = height * 4 // 3
    band = width * 3 // 4
    top = (height - band) // 2
    bars = Image.new("RGB", (canvas, height), GREY)
    bars.paste(photo, ((canvas - width) // 2, 0))

    def middle(depth):
        columns = depth.shape[1] * width / canvas
        left = round((depth.shape[1] - columns) / 2)
        return depth[:, left:depth.shape[1] - left]

    def part(depth):
        # The rows above and below are of no account, but a map has to have them.
        border = round(depth.shape[0] * top / band)
        return np.pad(depth, ((border, border), (0, 0)), "edge")

    return {
        "upright": (photo, lambda depth: depth, 4 / 3),
        "squeezed": (photo.resize((canvas, height), Image.Resampling.LANCZOS), lambda depth: depth, 4 / 3),
        "cropped": (photo.crop((0, top, width, top + band)), part, canvas / width),
        "padded": (bars, middle, 1.0),
        "mirrored": (mirrored(photo, canvas), middle, 1.0),
        "turned": (photo.transpose(Image.Transpose.ROTATE_90), lambda depth: np.rot90(depth, -1), 4 / 3),
    }


def prepare(dataset, work, names):
    for name in names:
        photo = Image.open(dataset / "rgb" / f"{name}.jpg").convert("RGB")
        truth = Image.open(dataset / "depth" / f"{name}.png")
        left, width = (photo.width - photo.height * 3 // 4) // 2, photo.height * 3 // 4
        photo = photo.crop((left, 0, left + width, photo.height))
        left, width = (truth.width - truth.height * 3 // 4) // 2, truth.height * 3 // 4
        truth = np.asarray(truth.crop((left, 0, left + width, truth.height))).astype(np.uint16)
        centre = truth.copy()
        band = width * 3 // 4
        top = (truth.shape[0] - band) // 2
        centre[:top] = centre[top + band:] = 0
        for kind, values in (("whole", truth), ("centre", centre)):
            for folder in ("rgb", "depth"):
                (work / kind / folder).mkdir(parents=True, exist_ok=True)
            photo.save(work / kind / "rgb" / f"{name}.png")
            Image.fromarray(values).save(work / kind / "depth" / f"{name}.png")
        for treatment, (picture, _, _) in treatments(photo).items():
            (work / "photos" / treatment).mkdir(parents=True, exist_ok=True)
            picture.save(work / "photos" / treatment / f"{name}.png")


def predict(tool, weights, work, names):
    for treatment in sorted(path.name for path in (work / "photos").iterdir()):
        raw, final = work / "raw" / treatment, work / "maps" / treatment
        raw.mkdir(parents=True, exist_ok=True)
        final.mkdir(parents=True, exist_ok=True)
        for start in range(0, len(names), 100):
            files = [str(work / "photos" / treatment / f"{name}.png") for name in names[start:start + 100]]
            subprocess.run(
                [tool, "predict", *files, "--weights", weights, "--refine", "none", "--format", "npy", "--quiet",
                 "--overwrite", "--output-dir", str(raw)], check=True)
        for name in names:
            photo = Image.open(work / "whole" / "rgb" / f"{name}.png")
            _, back, enlargement = treatments(photo)[treatment]
            depth = np.load(next(raw.glob(f"{name}*.npy")))
            np.save(final / f"{name}.npy", np.ascontiguousarray(back(depth) * enlargement, np.float32))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("dataset", type=pathlib.Path)
    parser.add_argument("--depth-scale", default="5000")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--weights", default="default")
    parser.add_argument("--frames", type=pathlib.Path)
    parser.add_argument("--stride", type=int, default=1)
    options = parser.parse_args()
    names = sorted(path.stem for path in (options.dataset / "rgb").glob("*.jpg"))
    if options.frames:
        chosen = {int(word) for word in options.frames.read_text().split()}
        names = [name for name in names if int(name) in chosen]
    names = names[::options.stride]
    prepare(options.dataset, options.work, names)
    predict(options.tool, options.weights, options.work, names)
    for kind in ("whole", "centre"):
        maps = [folder for folder in sorted((options.work / "maps").iterdir())
                if kind == "centre" or folder.name != "cropped"]
        command = [options.tool, "evaluate", str(options.work / kind), "--depth-scale", options.depth_scale,
                   "--protocol", "per-image", "--median-scaling", "--quiet", "--json"]
        for folder in maps:
            command += ["--predictions", str(folder)]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        print(f"{kind}, {len(names)} frames: treatment, rel, rms, δ1; median-scaled rel, rms, δ1")
        records = [json.loads(line) for line in lines.splitlines()]
        for folder in maps:
            rows = [r for r in records if r["weights"] == folder.name]
            rows.sort(key=lambda r: r["median_scaled"])
            print("  " + folder.name.ljust(10), *(f"{r[m]:.4f}" for r in rows for m in ("rel", "rms", "delta1")))


if __name__ == "__main__":
    main()
