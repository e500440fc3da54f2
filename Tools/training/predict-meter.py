#!/usr/bin/env python3
"""Maps of METER-XXS (L. Papa et al. 2023), for `depth evaluate` to measure beside our own.

    Tools/training/predict-meter.py TEACHER PHOTOS MAPS
    depth evaluate DATASET --depth-scale 5000 --predictions MAPS

TEACHER is a folder with the published weights, meter_xxs_nyu.npz, and meter.py, whose class Meter takes photos of
256 × 192 in 0…1 to maps of 64 × 48 in metres. PHOTOS is the data set's rgb folder; MAPS receives NAME.npy for
each of them. Photos are stretched bilinearly. Protocols that show the network a part of the photo only
(`laina`) say nothing about these maps. Needs NumPy, Pillow and PyTorch.
"""
import importlib.util
import pathlib
import sys

import numpy as np
import torch
from PIL import Image


def main(teacher, photos, maps):
    spec = importlib.util.spec_from_file_location("meter", pathlib.Path(teacher) / "meter.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    network = module.Meter(str(pathlib.Path(teacher) / "meter_xxs_nyu.npz"))
    maps = pathlib.Path(maps)
    maps.mkdir(parents=True, exist_ok=True)
    for file in sorted(pathlib.Path(photos).glob("*.jpg")) + sorted(pathlib.Path(photos).glob("*.png")):
        photo = Image.open(file).convert("RGB").resize((256, 192), Image.Resampling.BILINEAR)
        pixels = np.asarray(photo, np.float32).transpose(2, 0, 1)[None] / 255
        depth = network(torch.from_numpy(pixels))[0, 0].numpy()
        np.save(maps / f"{file.stem}.npy", depth.astype(np.float32))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
