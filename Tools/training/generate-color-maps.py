"""Writes Sources/PictureFiles/Colors/ColorMap+Tables.swift from matplotlib's tables.

Usage: python3 -m venv .venv && .venv/bin/pip install matplotlib==3.11.2
       .venv/bin/python Tools/training/generate-color-maps.py

Every map has 256 sRGB colours, far end first. Spectral is taken reversed, so that the near end is
red as in other programs that draw depth with it.
"""
import pathlib

import matplotlib
import numpy

MAPS = [
    ("inferno", "inferno", "N. Smith and S. van der Walt, matplotlib. CC0."),
    ("magma", "magma", "N. Smith and S. van der Walt, matplotlib. CC0."),
    ("viridis", "viridis", "N. Smith, S. van der Walt and E. Firing, matplotlib. CC0."),
    ("turbo", "turbo", "A. Mikhailov, Google, 2019. Apache License 2.0."),
    ("spectral", "Spectral_r",
     "C. Brewer and M. Harrower, ColorBrewer 2.0, Apache-style licence; reversed."),
]
DIGITS = 84  # of a line: 14 colours

lines = [
    f"// Written by Tools/training/generate-color-maps.py from matplotlib {matplotlib.__version__}.",
    "",
    "/// 256 colours each, far end first, as hexadecimal RGB.",
    "extension ColorMap {",
]
for name, source, origin in MAPS:
    colours = matplotlib.colormaps[source](numpy.arange(256) / 255.0)[:, :3]
    digits = "".join("%02x%02x%02x" % tuple(c) for c in numpy.rint(colours * 255).astype(int))
    rows = [digits[i:i + DIGITS] for i in range(0, len(digits), DIGITS)]
    lines.append(f"  /// {origin}")
    lines.append(f"  static let {name}Digits: StaticString = \"\"\"")
    lines += [f"    {row}\\" for row in rows[:-1]] + [f"    {rows[-1]}"]
    lines += ["    \"\"\"", ""]
lines[-1] = "}"
target = pathlib.Path(__file__).resolve().parents[2] / "Sources/PictureFiles/Colors/ColorMap+Tables.swift"
target.write_text("\n".join(lines) + "\n")
