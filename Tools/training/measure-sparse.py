#!/usr/bin/env python3
"""Errors of maps that are moved to sparse points, by the number of points.

    Tools/training/measure-sparse.py --photos nyu/rgb --truth nyu/depth

For each photo and count, random pixels of the true depth are the points. Three maps are compared at all pixels with a true
depth: the estimate with scale and shift fitted to the points, linear interpolation of the points alone (Delaunay; the nearest
point outside), and `depth refine --sparse`. Fine energy and correlation are those of measure-refinement.py --flatness, as a
share of the first map's. Needs NumPy, SciPy, Pillow and OpenCV.
"""
import argparse
import importlib.util
import pathlib
import subprocess
import tempfile

import numpy as np
from PIL import Image
from scipy import ndimage
from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator


def flatness_of(found, truth, luminance):
    """rel, δ1, fine energy, correlation."""
    path = pathlib.Path(__file__).with_name("measure-refinement.py")
    spec = importlib.util.spec_from_file_location("refinement", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rel, _, delta, _, _, fine, correlation, *_ = module.edges_and_flatness(found, truth, luminance)
    return rel, delta, fine, correlation


def interpolated(truth, rows, columns):
    points, depths, pixels = np.stack([rows, columns], 1), truth[rows, columns], np.indices(truth.shape)
    inside = LinearNDInterpolator(points, depths)(*pixels)
    return np.where(np.isnan(inside), NearestNDInterpolator(points, depths)(*pixels), inside)


def at_size(found, shape):
    """Linear interpolation between the centers of pixels."""
    places = [np.clip((np.arange(n) + 0.5) * m / n - 0.5, 0, m - 1) for n, m in zip(shape, found.shape)]
    return ndimage.map_coordinates(found, np.meshgrid(*places, indexing="ij"), order=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--depth", default=".build/release/depth", help="the program")
    parser.add_argument("--photos", required=True, type=pathlib.Path)
    parser.add_argument("--truth", required=True, type=pathlib.Path, help="16-bit PNG with the photos' names")
    parser.add_argument("--scale", type=float, default=5000, help="values per metre of the true depth")
    parser.add_argument("--counts", type=int, nargs="*", default=[200, 500, 1500])
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    photos = sorted(args.photos.glob("*.jpg"))[::args.every]

    def run(*words):
        subprocess.run([args.depth, *map(str, words), "--quiet", "--overwrite"], check=True)

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        camera, floats = ["--focal-length", "none"], ["--format", "npy"]
        run("predict", *photos, "--output-dir", folder / "maps", "--refine", "none", *camera, *floats)
        for count in args.counts:
            points = folder / "points"
            points.mkdir(exist_ok=True)
            rows = {"scale and shift": [], "points alone": [], "--sparse": []}
            for seed, photo in enumerate(photos):
                name = photo.stem
                truth = np.array(Image.open(args.truth / f"{name}.png")) / args.scale
                luminance = np.array(Image.open(photo).convert("RGB").resize(truth.shape[::-1])) @ [0.299, 0.587, 0.114] / 255
                pixels = np.random.default_rng(seed).choice(np.flatnonzero(truth), count, replace=False)
                known = np.unravel_index(pixels, truth.shape)
                sparse = np.zeros(truth.shape, np.float32)
                sparse[known] = truth[known]
                np.save(points / f"{name}.npy", sparse)
                run("calibrate", photo, "--sparse", points / f"{name}.npy", "-o", folder / "c.json", *camera)
                run("predict", photo, "--calibration", folder / "c.json", "-o", folder / "fit.npy", *camera)
                run("refine", photo, folder / "maps" / f"{name}_depth.npy", "--sparse", points / f"{name}.npy",
                    "-o", folder / "moved.npy")
                maps = {"points alone": interpolated(truth, *known)}
                for key, file in ("scale and shift", "fit"), ("--sparse", "moved"):
                    maps[key] = at_size(np.load(folder / f"{file}.npy").astype(float), truth.shape)
                for key, found in maps.items():
                    near = np.mean(np.abs(found[known] / truth[known] - 1) < 0.02)
                    rows[key].append([*flatness_of(found, truth, luminance), near])
            means = {key: np.nanmean(values, 0) for key, values in rows.items()}
            base = means["scale and shift"]
            for key, (rel, delta, fine, correlation, near) in means.items():
                print("%5d  %-16s rel %.4f  δ1 %.4f  fine %.3f  correlation %.3f  within 2 %% %.3f"
                      % (count, key, rel, delta, fine / base[2], correlation / base[3], near), flush=True)


if __name__ == "__main__":
    main()
