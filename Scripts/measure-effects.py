#!/usr/bin/env python3
"""Times the effects beside NumPy and OpenCV versions of the same formulas, in one run.

  Scripts/measure-effects.py [WIDTHxHEIGHT]      default 4032x3024; needs numpy and opencv-python-headless
"""
import pathlib
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np

THREADS = 2
cv2.setNumThreads(THREADS)


def scene(width, height):
    """Tiles under noise; a slanted floor, a wall and boxes before it, metres."""
    rng = np.random.default_rng(1)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    cell = max(width // 64, 1)
    tiles = ((x // cell + y // cell) % 2 * 90 + 60)[..., None]
    photo = np.clip(tiles + rng.normal(0, 8, (height, width, 3)), 0, 255).astype(np.uint8)
    depth = np.minimum(4, 1.2 / np.maximum(y / height - 0.2, 0.05)).astype(np.float32)
    for i in range(12):
        left, top = (i * 37 % 83) / 83 * width, (i * 29 % 71) / 71 * height
        box = (abs(x - left) < width / 22) & (abs(y - top) < height / 14)
        depth[box] = 0.8 + i * 0.15
    return photo, depth


def mask(depth, focus=0.5, slope=4.0, width=0.1):
    d = 1 / depth
    d = (d - d.min()) / (d.max() - d.min())
    half = (2 / slope + width) / 2
    left = np.clip(slope * d - slope * (focus - half), 0, 1)
    right = np.clip(-slope * d + slope * (focus + half), 0, 1)
    return np.minimum(left, right)


def spotlight(photo, depth):
    return (photo * mask(depth)[..., None] + 0.5).astype(np.uint8)


LINEAR = np.array([v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in np.arange(256) / 255], np.float32)
_light = np.arange(16385) / 16384
CODED = np.round(255 * np.where(_light <= 0.0031308, 12.92 * _light, 1.055 * _light ** (1 / 2.4) - 0.055)).astype(np.uint8)


def encode(light):
    return CODED[(np.clip(light, 0, 1) * 16384 + 0.5).astype(np.int32)]


def highlight(photo, depth):
    m = mask(depth)[..., None]
    light = LINEAR[photo]
    gray = (light @ np.array([0.2126, 0.7152, 0.0722], np.float32))[..., None]
    return encode(m * light + (1 - m) * gray)


def haze(photo, depth, density=0.3):
    air = LINEAR[[214, 220, 226]]
    t = np.exp(-density * depth)[..., None]
    return encode(LINEAR[photo] * t + air * (1 - t))


def disc(radius):
    reach = int(np.ceil(radius))
    c = np.arange(-reach, reach + 1)
    k = np.clip(radius + 0.5 - np.hypot(c[:, None], c[None]), 0, 1).astype(np.float32)
    return k / k.sum()


def blur(photo, depth, share=0.01):
    """Layers of the radii that the lens has, discs by filter2D, laid over each other from the front.

    The hidden layer is left out, which makes this one faster."""
    d = 1 / depth
    focus = (d.max() + d.min()) / 2
    s = share * photo.shape[1] * (d - focus) / (d.max() - focus)
    bounds = [0.5]
    while bounds[-1] < abs(s).max():
        bounds.append(bounds[-1] * 1.5)
    bounds = np.array([-b for b in bounds[::-1]] + bounds)
    layer = np.digitize(s, bounds)
    source = np.dstack([LINEAR[photo], np.ones(s.shape, np.float32)])
    result = np.zeros_like(source)
    for index in range(len(bounds), -1, -1):
        here = layer == index
        if not here.any():
            continue
        part = source * here[..., None]
        radius = abs(s[here]).mean()
        if radius >= 0.5:
            part = cv2.filter2D(part, -1, disc(radius), borderType=cv2.BORDER_CONSTANT)
        left = 1 - result[..., 3:]
        result += part * np.minimum(1, left / np.maximum(part[..., 3:], 1e-6))
    return encode(result[..., :3] / np.maximum(result[..., 3:], 1e-6))


def main():
    width, height = (int(n) for n in (sys.argv[1] if len(sys.argv) > 1 else "4032x3024").split("x"))
    root = pathlib.Path(__file__).resolve().parent.parent
    photo, depth = scene(width, height)
    with tempfile.TemporaryDirectory() as folder:
        cv2.imwrite(f"{folder}/photo.png", photo[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])
        np.save(f"{folder}/depth.npy", depth)
        command = [root / ".build/release/measure-effects", "time", f"{folder}/photo.png", f"{folder}/depth.npy"]
        lines = subprocess.run([*command, "--threads", str(THREADS)], check=True, capture_output=True, text=True).stdout
    def numbers(line):
        words = line.replace(",", "").split()
        return float(words[words.index("processors") + 1]), float(words[-1])

    ours = {line.split()[0]: numbers(line) for line in lines.splitlines()}
    print(f"{width}x{height}, {THREADS} threads, milliseconds: best wall clock, mean of all processors together")
    print("effect            depth effect       NumPy and OpenCV")
    for name, work in [
        ("mask", lambda: mask(depth)), ("spotlight", lambda: spotlight(photo, depth)),
        ("highlight", lambda: highlight(photo, depth)), ("haze", lambda: haze(photo, depth)),
        ("blur", lambda: blur(photo, depth)),
    ]:
        times, runs, used = [], 1 if name == "blur" else 3, time.process_time()
        for _ in range(runs):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        used = (time.process_time() - used) / runs * 1000
        cpu, wall = ours[name]
        print(f"{name:14}{wall:9.1f}{cpu:9.1f}{min(times) * 1000:12.1f}{used:9.1f}")
    print("mask-blur  {1:9.1f}{0:9.1f}".format(*ours["mask-blur"]))


main()
