#!/usr/bin/env python3
"""The numbers that Tests/RefinementTests/MeasureRefinement compares with, by an independent implementation.

    Scripts/goldens/refinement.py FLATNESS.py

FLATNESS.py defines the flat textured patches and every number with NumPy and SciPy. The frame is that of
RefinementScoresTests.swift, formula by formula.
"""
import importlib.util
import sys

import numpy as np

spec = importlib.util.spec_from_file_location("flatness", sys.argv[1])
flatness = importlib.util.module_from_spec(spec)
spec.loader.exec_module(flatness)

y, x = np.mgrid[:120, :160]
metres = np.where((x >= 110) & (y >= 60), 0.9, 1000 / (400 + x + 2 * y))
depth = np.where((y < 8) & (x < 8), 0, np.floor(metres * 5000) / 5000)
luminance = ((y // 5 + x // 7) % 2 * 90 + (x * y) % 50 + 60) / 255
ripple = ((y // 5 + x // 7) % 2 * 3 + (3 * x + y) % 4) / 400
found = depth[y, np.maximum(x - 2, 0)] * (1 + ripple) + np.where((y < 8) & (x < 10), 2, 0)

row = flatness.frame(found, np.repeat(luminance[..., None], 3, 2), depth)
print("patch", flatness.flat_and_textured(depth, luminance).sum())
print("near", flatness.near_edges(depth).sum())
for name in ("rel", "rms", "delta1", "edge", "f1", "fine", "corr", "plane"):
    print(name, repr(float(row[name])))
