#!/usr/bin/env python3
"""Accuracy of predicted depth by the protocols of `depth evaluate`, written independently with NumPy.

    goldens/evaluation.py DATASET DEPTH_SCALE PREDICTIONS

DATASET is a folder with depth/*.png, PREDICTIONS a folder with maps in metres as NAME.npy; frames without a
map are left out. Prints one JSON object: protocol -> measure -> number. Needs NumPy and Pillow.
"""
import json
import pathlib
import sys

import numpy as np
from PIL import Image

SMALLEST = 1e-3


def axis(inputs, outputs):
    place = (np.arange(outputs) + 0.5) * inputs / outputs - 0.5
    low = np.floor(place).astype(int)
    return np.clip(low, 0, inputs - 1), np.clip(low + 1, 0, inputs - 1), place - low


def stretched(plane, height, width):
    plane = plane.astype(np.float64)
    low, high, share = axis(plane.shape[0], height)
    plane = plane[low] * (1 - share)[:, None] + plane[high] * share[:, None]
    low, high, share = axis(plane.shape[1], width)
    return plane[:, low] * (1 - share) + plane[:, high] * share


def measures(prediction, truth):
    ratio = np.maximum(prediction / truth, truth / prediction)
    d = np.log(prediction) - np.log(truth)
    return {
        "rel": np.mean(np.abs(prediction - truth) / truth),
        "rms": np.sqrt(np.mean((prediction - truth) ** 2)),
        "log10": np.mean(np.abs(np.log10(prediction) - np.log10(truth))),
        "rms_log": np.sqrt(np.mean(d ** 2)),
        "delta1": np.mean(ratio < 1.25), "delta2": np.mean(ratio < 1.25 ** 2), "delta3": np.mean(ratio < 1.25 ** 3),
        "silog": 100 * np.std(d),
    }


def neighbours(plane):
    """Four pairs of views: each pixel and its right, left, lower and upper neighbour."""
    right, left, lower, upper = plane[:, 1:], plane[:, :-1], plane[1:], plane[:-1]
    return [(left, right), (right, left), (upper, lower), (lower, upper)]


def boundary_f1(prediction, truth, counts):
    total = weights = 0.0
    for t in np.linspace(1.05, 1.25, 10):
        precision = recall = 0.0
        for (p, q), (y, z), (a, b) in zip(neighbours(prediction), neighbours(truth), neighbours(counts)):
            found = a & b & (q > t * p)
            wanted = a & b & (z > t * y)
            both = np.count_nonzero(found & wanted)
            precision += both / max(np.count_nonzero(found), 1) / 4
            recall += both / max(np.count_nonzero(wanted), 1) / 4
        if precision + recall > 0:
            total += t * 2 * precision * recall / (precision + recall)
        weights += t
    return total / weights


def median_scaled(prediction, truth, counts):
    prediction = np.where(prediction > SMALLEST, prediction, SMALLEST)
    return prediction * (np.median(truth[counts]) / np.median(prediction[counts]))


def aligned(prediction, truth, counts):
    """Disparity fitted by scale and shift where there is a prediction; depth up to 10 m, or 80 m with farther truth."""
    has_depth = prediction > SMALLEST
    disparity = 1 / np.where(has_depth, prediction, 1)
    fits = counts & has_depth
    line = np.stack([disparity[fits], np.ones(np.count_nonzero(fits))], axis=1)
    (scale, shift), *_ = np.linalg.lstsq(line, 1 / truth[fits], rcond=None)
    farthest = 10 if truth[counts].max() <= 10 else 80
    return np.where(has_depth, 1 / np.maximum(scale * disparity + shift, 1 / farthest), SMALLEST)


def evaluate(frames, eigen, averages, adjusted=None):
    each, predictions, truths = [], [], []
    for prediction, truth in frames:
        counts = truth > 0
        if adjusted:
            prediction = adjusted(prediction, truth, counts)
        prediction = np.where(prediction > SMALLEST, prediction, SMALLEST)
        if eigen:
            prediction = np.minimum(prediction, 10)
            crop = np.zeros(truth.shape, bool)
            crop[45:471, 41:601] = True
            counts = crop & (truth > SMALLEST) & (truth < 10)
        numbers = measures(prediction[counts], truth[counts])
        numbers["boundary_f1"] = boundary_f1(prediction, truth, counts)
        each.append(numbers)
        predictions.append(prediction[counts])
        truths.append(truth[counts])
    mean = {name: np.mean([numbers[name] for numbers in each]) for name in each[0]}
    if averages:
        return mean
    pooled = measures(np.concatenate(predictions), np.concatenate(truths))
    return {**pooled, "silog": mean["silog"], "boundary_f1": mean["boundary_f1"]}


def main(dataset, scale, predictions):
    frames = []
    for file in sorted(pathlib.Path(predictions).glob("*.npy")):
        truth = np.asarray(Image.open(pathlib.Path(dataset) / "depth" / f"{file.stem}.png"), np.float64) / float(scale)
        truth = truth.astype(np.float32).astype(np.float64)
        frames.append((stretched(np.load(file), *truth.shape), truth))
    print(json.dumps({
        "laina": evaluate(frames, False, False), "full-frame": evaluate(frames, False, False),
        "eigen": evaluate(frames, True, True), "per-image": evaluate(frames, False, True),
        "median": evaluate(frames, False, True, median_scaled), "aligned": evaluate(frames, False, True, aligned),
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
