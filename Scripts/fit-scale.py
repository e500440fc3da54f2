#!/usr/bin/env python3
"""Fits the scale heads of weights to frames of several cameras, and shows what they and the focal exponent change.

    Scripts/fit-scale.py Weights/A.h5 Weights/B.h5 --labelled nyu/train --raw nyu-raw --cameras cameras/train
        --choose cameras/measure [--rendered FOLDER …] --work FOLDER [--ridge A B] [--share S] [--exponent E] [--output FOLDER]

A scale head is linear in the mean of the encoder's last map and is added to ln depth. It is fitted by ridge
regression to the median of ln(truth ÷ depth), of whole frames and of views of them: crops, which show what a camera
with a longer lens sees, turned frames, and other exposures. Whole frames of NYU are to stay as they are, and so does
their mean. --share is the part of the weight that --cameras has; each of its sets counts alike, and so does each
sequence of --raw and each run of labelled frames. --ridge is for means divided by their standard deviations, one for
each network; `inf` gives it no head. A line is printed without and with the exponent and the heads:

    near, far   sets of --choose with a median of less than 1.2 m, and the others: median |scale|, median scale, δ1
    kept        the same of a third of the sets of --cameras, by a fit to the other two thirds
    rooms       the held-out frames of --labelled: δ1, mean |scale|, median scale; for all networks and for each

With --output, copies of the weights with heads (`scale_head`) and exponent (`focal_exponent`) are written there.
Networks run in float32 here; needs PyTorch, h5py, NumPy and Pillow (Scripts/train/requirements.txt). What they make of
all frames is computed once and kept in --work.
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
from fcrnweights.archive import ALIGNMENT  # noqa: E402
from fcrnweights.network import SCALE_HEAD  # noqa: E402

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


def heads(data, ridges, share, exponent, left_out=()):
    """(slopes, constant) of every network; 0 at the mean of NYU's whole frames."""
    weights, found = weights_of(data, share, left_out), []
    nyu = np.isin(data["kind"], ("nyu", "raw"))
    for index, ridge in enumerate(ridges):
        x, y = data[f"mean{index}"].astype(np.float64), -np.median(data["errors"][:, index], 1) - exponent * data["ratio"]
        center = x[nyu].mean(0)
        deviation = np.sqrt(weights @ (x - center) ** 2) + 1e-3
        z, wanted = (x - center) / deviation, np.where(nyu, 0, y)
        slopes = np.zeros(len(center))
        if np.isfinite(ridge):
            slopes = np.linalg.solve((z.T * weights) @ z + ridge * np.eye(len(center)), z.T @ (weights * wanted)) / deviation
        found.append((slopes, -center @ slopes))
    return found


def summary(data, found, kind, exponent, sets, which=-1):
    """|scale|, scale and δ1 of near and of far sets; of `rooms` δ1, |scale| and scale over frames."""
    rows = data["kind"] == kind
    added = [data[f"mean{index}"][rows] @ slopes + constant for index, (slopes, constant) in enumerate(found)]
    shift = (np.mean(added, 0) if which < 0 else added[which]) + exponent * data["ratio"][rows]
    errors = data["errors"][rows][:, which] + shift[:, None]
    scale, delta = np.median(errors, 1), (np.abs(errors) < WITHIN).mean(1)
    if kind == "rooms":
        return delta.mean(), np.abs(scale).mean(), np.median(scale)
    groups = {True: [], False: []}
    for name in sets:
        own = data["set"][rows] == name
        groups[np.median(data["near"][rows][own]) < NEAR].append((np.median(scale[own]), delta[own].mean()))
    scales, deltas = zip(*(np.array(groups[near]).T for near in (True, False)))
    return [(np.median(np.abs(s)), np.median(s), d.mean()) for s, d in zip(scales, deltas)]


def report(data, name, ridges, share, exponent):
    """One line of the table."""
    sets = {kind: np.unique(data["set"][data["kind"] == kind]) for kind in ("cameras", "choose")}
    found = heads(data, ridges, share, exponent)
    thirds = [sets["cameras"][third::3] for third in range(3)]
    kept = [summary(data, heads(data, ridges, share, exponent, third), "cameras", exponent, third) for third in thirds]
    texts = [name.ljust(20)]
    for group, label in enumerate(("near", "far")):
        chosen = summary(data, found, "choose", exponent, sets["choose"])[group]
        texts.append("{} {:.3f} {:+.3f} {:.3f}, kept {:.3f} {:+.3f} {:.3f}".format(
            label, *chosen, *np.mean([each[group] for each in kept], 0)))
    for which in range(-1, len(ridges)):
        texts.append("rooms {:.4f} {:.3f} {:+.3f}".format(*summary(data, found, "rooms", exponent, (), which)))
    print(" | ".join(texts), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", nargs="+", type=pathlib.Path)
    for folder in ("labelled", "raw", "cameras", "choose", "work"):
        parser.add_argument(f"--{folder}", type=pathlib.Path, required=True)
    parser.add_argument("--rendered", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--ridge", type=float, nargs="+", required=True)
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--exponent", type=float, default=1.0)
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    data, ridges, none = measured(arguments), arguments.ridge, [np.inf] * len(arguments.weights)
    if len(ridges) != len(none):
        sys.exit(f"{len(ridges)} numbers after --ridge, expected one for each of {len(none)} weights files")
    for name, used, exponent in (("now", none, 1), ("exponent", none, arguments.exponent), ("heads", ridges, 1),
                                 ("both", ridges, arguments.exponent)):
        report(data, name, used, arguments.share, exponent)
    if not arguments.output:
        return
    for path, ridge, (slopes, constant) in zip(
            arguments.weights, ridges, heads(data, ridges, arguments.share, arguments.exponent)):
        written = arguments.output / path.name
        shutil.copyfile(path, written)
        with h5py.File(written, "r+", libver="earliest", alignment_threshold=1, alignment_interval=ALIGNMENT) as file:
            file.attrs["focal_exponent"] = np.float64(arguments.exponent)
            if np.isfinite(ridge):
                group = file.require_group(SCALE_HEAD)
                group.attrs["kind"] = np.bytes_("conv")
                for name, values in (("kernel", slopes.reshape(1, -1, 1, 1)), ("bias", np.array([constant]))):
                    group.require_dataset(name, values.shape, np.float32)[...] = values
        block.seal(written)


if __name__ == "__main__":
    main()
