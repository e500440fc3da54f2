#!/usr/bin/env python3
"""Prints the anaglyph colours that Tests/ViewTests/ViewSynthesis/AnaglyphTests.swift expects.

Independent of the package: the matrices are typed from their publications (E. Dubois, "A projection
method to generate anaglyph stereo images", ICASSP 2001, and the note of 2009 for LCD screens), the
transfer curve from IEC 61966-2-1. Both eyes are added in linear light, the sum is clipped to 0…1 and
encoded once.
"""

BT709 = (0.2126, 0.7152, 0.0722)
NONE = (0, 0, 0)
KINDS = {
    "red-cyan": (
        ((0.437, 0.449, 0.164), (-0.062, -0.062, -0.024), (-0.048, -0.050, -0.017)),
        ((-0.011, -0.032, -0.007), (0.377, 0.761, 0.009), (-0.026, -0.093, 1.234)),
    ),
    "green-magenta": (
        ((-0.062, -0.158, -0.039), (0.284, 0.668, 0.143), (-0.015, -0.027, 0.021)),
        ((0.529, 0.705, 0.024), (-0.016, -0.015, -0.065), (0.009, 0.075, 0.937)),
    ),
    "amber-blue": (
        ((1.062, -0.205, 0.299), (-0.026, 0.908, 0.068), (-0.038, -0.173, 0.022)),
        ((-0.016, -0.123, -0.017), (0.006, 0.062, -0.017), (0.094, 0.185, 0.911)),
    ),
    "half-color": ((BT709, NONE, NONE), (NONE, (0, 1, 0), (0, 0, 1))),
    "gray": ((BT709, NONE, NONE), (NONE, BT709, BT709)),
    "color": (((1, 0, 0), NONE, NONE), (NONE, (0, 1, 0), (0, 0, 1))),
}
# Left and right colour.
PATCHES = [
    ((128, 128, 128), (128, 128, 128)),
    ((255, 255, 255), (255, 255, 255)),
    ((255, 0, 0), (255, 0, 0)),
    ((0, 255, 0), (0, 255, 0)),
    ((0, 0, 255), (0, 0, 255)),
    ((200, 30, 90), (20, 180, 60)),
    ((12, 240, 250), (250, 8, 140)),
]


def light(byte):
    value = byte / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def coded(value):
    value = min(1, max(0, value))
    return round(255 * (value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))


for name, (a, b) in KINDS.items():
    colours = []
    for left, right in PATCHES:
        l, r = [light(x) for x in left], [light(x) for x in right]
        colours.append(
            [coded(sum(x * y for x, y in zip(a[i] + b[i], l + r))) for i in range(3)])
    print(f'    ("{name}", {colours}),')
