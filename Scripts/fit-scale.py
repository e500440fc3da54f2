#!/usr/bin/env python3
"""Fits the scale heads of weights, and the exponent of the camera's factor, to frames of several cameras.

    Scripts/fit-scale.py Weights/A.h5 Weights/B.h5 --labelled nyu/train --raw nyu-raw --cameras cameras/train
        --choose cameras/measure [--rendered FOLDER …] --work FOLDER [--ridge L --share S --exponent B --factor F]
        [--output FOLDER]

A scale head is linear in the mean of the encoder's last map and is added to ln depth. It is fitted by ridge
regression to the median of ln(truth ÷ depth), of whole frames and of views of them: crops, which show what a camera
with a longer lens sees, turned frames, and other exposures. The weights are those of the files without their heads.
--share is the part of the weight that frames of --cameras have; each of their sets counts alike, and so does each
sequence of --raw and each run of labelled frames. Means are divided by their standard deviations before the fit.
--factor multiplies the head. Without --output, a table over several ridges, shares and exponents is printed:

    near, far   sets of --choose with a median of less than 1.2 m, and the others: median |scale|, median scale, δ1
    kept        the same of a third of the sets of --cameras, by a fit to the other two thirds
    rooms       the held-out frames of --labelled: δ1, mean |scale|; the first line of numbers is without heads

With --output, the files with head (`scale_head`) and exponent (`focal_exponent`) are written there. The networks run in
float32 here; they need PyTorch, h5py, NumPy and Pillow (Scripts/train/requirements.txt). The maps of all frames
are computed once and kept in --work.
"""
import argparse
import json
import pathlib
import shutil
import sys

import h5py
import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

SCRIPTS = pathlib.Path(__file__).parent
sys.path += [str(SCRIPTS / "train"), str(SCRIPTS / "convert")]
from fcrntrain import exchange  # noqa: E402
from fcrntrain.frames import LABELLED_SCALE, LabelledSet, _portable_float_map, raw_sequences, runs  # noqa: E402
from fcrnweights import block  # noqa: E402

#: Of the training camera, in units of the geometric mean of a picture's sides.
KINECT = 519 / np.sqrt(640 * 480)
QUANTILES = np.linspace(0, 1, 201)
NEAR, WITHIN = 1.2, np.log(1.25)


def frames(arguments):
    """(kind, set, picture, metres, focal length ÷ the training camera's, views) of every frame."""
    labelled = LabelledSet(arguments.labelled)
    train, held_out = labelled.split()
    for kind, numbers, views in (("nyu", train, 1), ("rooms", held_out, 0)):
        for index, run in enumerate(runs(numbers)):
            for number in run:
                yield kind, f"run{index}", labelled.picture(number), labelled.depth(number), 1.0, views
    for path in raw_sequences(arguments.raw, held_out):
        metres = np.asarray(Image.open(arguments.raw / "depth" / f"{path.stem}.png")) / LABELLED_SCALE
        yield "raw", path.stem.rsplit("_", 1)[0], Image.open(path), metres, 1.0, 0
    for folder in arguments.rendered:
        lengths = dict(line.split("\t")[:2] for line in (folder / "cameras.tsv").read_text().splitlines())
        for stem, length in lengths.items():
            picture = Image.open(folder / f"{stem}.jpg")
            yield ("rendered", folder.name, picture, _portable_float_map(folder / f"{stem}_depth.pfm"),
                   float(length) / np.sqrt(picture.width * picture.height) / KINECT, 0)
    for kind, folder in (("cameras", arguments.cameras), ("choose", arguments.choose)):
        for path in sorted(folder.iterdir()):
            length = json.loads((path / "camera.json").read_text())["focal_px"]
            photos = sorted((path / "rgb").iterdir())
            for photo in photos:
                picture = Image.open(photo)
                views = max(2, min(12, 36 // len(photos))) if kind == "cameras" else 0
                yield (kind, path.name, picture, np.asarray(Image.open(path / "depth" / f"{photo.stem}.png")) / 1000,
                       length / np.sqrt(picture.width * picture.height) / KINECT, views)


def view(picture, metres, random, turn):
    """Part of a frame, turned and exposed differently, and the share of its sides that is seen."""
    angle, share = random.uniform(-turn, turn), random.uniform(0.5, 1)
    (w, h), (c, s) = picture.size, (np.cos(np.radians(angle)), abs(np.sin(np.radians(angle))))
    inside = min(w / (w * c + h * s), h / (w * s + h * c))  # of the sides of what has no corner beyond the frame
    side = inside * share
    left, top = ((1 - inside) / 2 + (inside - side) * random.random(2))
    gamma, gain = np.exp(random.uniform(-0.3, 0.3)), np.exp(random.uniform(-0.25, 0.25))

    def cut(image, resampling):
        width, height = image.size
        box = [round(edge) for edge in (left * width, top * height, (left + side) * width, (top + side) * height)]
        return image.rotate(angle, resampling).crop(box)

    shown = np.asarray(cut(picture, Image.Resampling.BICUBIC)) / 255
    shown = (np.clip(gain * shown ** gamma, 0, 1) * 255).astype(np.uint8)
    depth = np.asarray(cut(Image.fromarray(metres.astype(np.float32)), Image.Resampling.NEAREST))
    if random.random() < 0.5:
        shown, depth = shown[:, ::-1], depth[:, ::-1]
    return Image.fromarray(shown), depth, side


@torch.no_grad()
def seen(net, picture):
    """The mean of the encoder's last map, and the depth."""
    height, width = net.architecture.input_size
    size = (height, width) if picture.height > picture.width else (width, height)
    pixels = torch.from_numpy(np.array(picture.resize(size, Image.Resampling.LANCZOS))).permute(2, 0, 1)[None].float()
    means, layer = [], type(net)._layer

    def observed(name, x, *rest, **more):
        if name == "layer1":
            means.append(x.mean((2, 3))[0].numpy())
        return layer(net, name, x, *rest, **more)

    net._layer = observed
    return net(pixels)[0, 0], means


def measured(arguments):
    """What the networks make of every frame and view, by name; from the cache if there is one."""
    cache = arguments.work / "scale-features.npz"
    if cache.exists():
        return dict(np.load(cache))
    random, nets = np.random.default_rng(1), [exchange.load(path).eval() for path in arguments.weights]
    columns = {name: [] for name in ("kind", "set", "ratio", "near", "errors", *(f"mean{i}" for i in range(len(nets))))}

    def add(kind, name, picture, metres, ratio):
        known = (metres > 0.1) & (metres < 10) & np.isfinite(metres)
        if known.sum() < 100:
            return
        logs = []
        for index, net in enumerate(nets):
            depth, means = seen(net, picture)
            logs.append(depth)
            columns[f"mean{index}"].append(means[0])
        maps = torch.stack([*logs, torch.stack(logs).mean(0)]).exp()[None]
        maps = F.interpolate(maps, metres.shape, mode="bilinear", align_corners=False)[0].numpy()
        errors = np.log(maps[:, known]) - np.log(metres[known])
        row = (kind, name, np.log(ratio), np.median(metres[known]), np.quantile(errors, QUANTILES, axis=1).T)
        for column, value in zip(columns, row):
            columns[column].append(value)

    for kind, name, picture, metres, ratio, views in frames(arguments):
        picture = picture.convert("RGB")
        add(kind, name, picture, metres, ratio)
        for _ in range(views):
            shown, depth, side = view(picture, metres, random, 30 if kind == "cameras" else 4)
            add(f"{kind} view", name, shown, depth, ratio / side)
    arrays = {name: np.array(values) for name, values in columns.items()}
    np.savez(cache, **arrays)
    return arrays


def weights_of(data, share, left_out=()):
    """Of every row in the fit; frames of a set share its weight."""
    kinds = np.array([kind.split()[0] for kind in data["kind"]])
    weights = np.zeros(len(kinds))
    for source, part in (("cameras", share), ("nyu", (1 - share) * 0.5), ("raw", (1 - share) * 0.3),
                         ("rendered", (1 - share) * 0.2)):
        rows = (kinds == source) & ~np.isin(data["set"], left_out)
        _, places, counts = np.unique(data["set"][rows], return_inverse=True, return_counts=True)
        if rows.any():
            weights[rows] = part / len(counts) / counts[places]
    return weights / weights.sum()


def heads(data, networks, ridge, share, exponent, left_out=()):
    """(slopes, constant) of every network."""
    weights, found = weights_of(data, share, left_out), []
    for index in range(networks):
        x, y = data[f"mean{index}"].astype(np.float64), -np.median(data["errors"][:, index], 1) - exponent * data["ratio"]
        center = weights @ x
        deviation = np.sqrt(weights @ (x - center) ** 2) + 1e-3
        z = (x - center) / deviation
        level = weights @ y
        slopes = np.linalg.solve((z.T * weights) @ z + ridge * np.eye(z.shape[1]), (z.T * weights) @ (y - level))
        found.append((slopes / deviation, level - (slopes / deviation) @ center))
    return found


def summary(data, found, kind, exponent, sets=None, which=-1):
    """(near, far): number, median |scale|, median scale, mean δ1 of the sets; all frames of one kind where `sets` is None."""
    rows = data["kind"] == kind
    added = [data[f"mean{index}"][rows] @ slopes + constant for index, (slopes, constant) in enumerate(found)]
    shift = (np.mean(added, 0) if which < 0 else added[which]) + exponent * data["ratio"][rows]
    errors = data["errors"][rows][:, which] + shift[:, None]
    scale, delta = np.median(errors, 1), (np.abs(errors) < WITHIN).mean(1)
    if kind == "rooms":
        return delta.mean(), np.abs(scale).mean(), np.median(scale)
    groups = {True: [], False: []}
    for name in np.unique(data["set"][rows]) if sets is None else sets:
        own = data["set"][rows] == name
        near = np.median(data["near"][rows][own]) < NEAR
        groups[near].append((np.median(scale[own]), delta[own].mean()))
    return [(len(g), np.median(np.abs([s for s, _ in g])), np.median([s for s, _ in g]), np.mean([d for _, d in g]))
            for g in (groups[True], groups[False]) if g]


def report(data, networks, arguments, ridge, share, exponent, factor):
    found = [(factor * s, factor * c) for s, c in heads(data, networks, ridge, share, exponent)]
    names = np.unique(data["set"][data["kind"] == "cameras"])
    kept = []
    for third in range(3):
        fitted = heads(data, networks, ridge, share, exponent, names[third::3])
        fitted = [(factor * s, factor * c) for s, c in fitted]
        kept.append(summary(data, fitted, "cameras", exponent, names[third::3]))
    text = f"ridge {ridge:<6g} share {share:<4g} exponent {exponent:<4g} factor {factor:<4g}"
    for near in (0, 1):
        group = summary(data, found, "choose", exponent)[near]
        others = np.mean([k[near] for k in kept], 0)
        text += f" | {'near' if near == 0 else 'far '} {group[1]:.3f} {group[2]:+.3f} {group[3]:.3f}, kept {others[1]:.3f} {others[2]:+.3f} {others[3]:.3f}"
    for which in (-1, networks - 1):
        delta, size, middle = summary(data, found, "rooms", exponent, which=which)
        text += f" | rooms {delta:.4f} {size:.3f} {middle:+.3f}"
    print(text, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", nargs="+", type=pathlib.Path)
    for folder in ("labelled", "raw", "cameras", "choose", "work"):
        parser.add_argument(f"--{folder}", type=pathlib.Path, required=True)
    parser.add_argument("--rendered", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--ridge", type=float, nargs="+", default=[0.1, 0.3, 1, 3])
    parser.add_argument("--share", type=float, nargs="+", default=[0.2, 0.5])
    parser.add_argument("--exponent", type=float, nargs="+", default=[1, 0.5])
    parser.add_argument("--factor", type=float, nargs="+", default=[0, 1])
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    data, networks = measured(arguments), len(arguments.weights)
    for exponent in arguments.exponent:
        for share in arguments.share:
            for ridge in arguments.ridge:
                for factor in arguments.factor:
                    report(data, networks, arguments, ridge, share, exponent, factor)
    if not arguments.output:
        return
    found = heads(data, networks, arguments.ridge[0], arguments.share[0], arguments.exponent[0])
    for path, (slopes, constant) in zip(arguments.weights, found):
        written = arguments.output / path.name
        shutil.copyfile(path, written)
        with h5py.File(written, "r+") as file:
            file.attrs["focal_exponent"] = np.float32(arguments.exponent[0])
            group = file.create_group("scale_head")
            group.attrs["kind"] = np.bytes_("conv")
            kernel = (arguments.factor[0] * slopes).astype(np.float32).reshape(1, -1, 1, 1)
            group.create_dataset("kernel", data=kernel)
            group.create_dataset("bias", data=np.array([arguments.factor[0] * constant], np.float32))
        block.seal(written)


if __name__ == "__main__":
    main()
