"""Decodes a photo once for everybody who is compared, turned upright by its Exif orientation.

    upright.py PHOTO OUT.png

The PNG has 8-bit RGB and nothing beside its pixels, so that all programs read the same numbers.
"""

import sys

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError


def main() -> None:
    photo, out = sys.argv[1:]
    try:
        with Image.open(photo) as image:
            pixels = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as fault:
        sys.exit(f"check-depth-anything: error: '{photo}' is no photo that Pillow reads: {fault}")
    Image.fromarray(pixels).save(out)


if __name__ == "__main__":
    main()
