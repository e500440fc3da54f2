#!/usr/bin/env python3
"""Prints a checksum of what each file below the current folder holds: the pixels of pictures and their frames, the fields of JSON
less times, and the bytes of everything else. Notes inside pictures, and how they are compressed, do not count.

    Scripts/lib/content-digests.py [--skip NAME]… [FOLDER]
"""
import argparse
import base64
import hashlib
import io
import json
import pathlib
import re
import subprocess

from PIL import Image, ImageSequence


def pixels(data):
    """The size, mode, duration and pixels of every frame, and of every picture that follows in the file (MPO)."""
    digest = hashlib.sha256()
    with Image.open(io.BytesIO(data)) as picture:
        for frame in ImageSequence.Iterator(picture):
            text = f"{frame.size} {frame.mode} {frame.info.get('duration')} {frame.info.get('dpi')}"
            digest.update(text.encode())
            digest.update(frame.tobytes())
    return digest.hexdigest()


def film(path):
    """The frames and sound of a film, decoded, with their times."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-map", "0", "-f", "framemd5", "-"]
    return hashlib.sha256(subprocess.run(command, check=True, capture_output=True).stdout).hexdigest()


def page(data):
    """A page's text, with the pixels of the pictures inside it in place of their bytes."""
    def decoded(match):
        return b"pixels " + pixels(base64.b64decode(match.group(1))).encode()
    text = re.sub(rb"data:image/(?:png|jpeg);base64,([A-Za-z0-9+/=]+)", decoded, data)
    return hashlib.sha256(text).hexdigest()


def without_times(value):
    if isinstance(value, dict):
        # The path of the weights depends on where the program lies.
        skipped = ("milliseconds", "request", "weights")
        return {k: without_times(v) for k, v in value.items() if k not in skipped}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def lines(data):
    """JSON, or lines of it, less times and paths, with keys in order."""
    try:
        values = without_times(json.loads(data))
    except json.JSONDecodeError:
        values = [without_times(json.loads(line)) for line in data.splitlines()]
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def content(path):
    data = path.read_bytes()
    if path.suffix in (".png", ".jpg", ".gif", ".mpo"):
        return pixels(data)
    if path.suffix in (".mp4", ".mkv"):
        return film(path)
    if path.suffix == ".html":
        return page(data)
    if path.suffix == ".json":
        return lines(data)
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=".")
    parser.add_argument("--skip", action="append", default=[], help="a file name to leave out")
    options = parser.parse_args()
    for path in sorted(pathlib.Path(options.folder).rglob("*")):
        if path.is_file() and path.name not in options.skip and not path.name.startswith("."):
            print(path.relative_to(options.folder), content(path)[:16])
