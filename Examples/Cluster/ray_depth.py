#!/usr/bin/env python3
"""Depth of many photos with Ray Data: files in, Parquet out.

    ray_depth.py PHOTOS… --output maps [--workers 8] [--threads 4]

Each row has `path`, `height`, `width`, `near_m`, `far_m`, `depth` (little-endian float32, metres) and `error`. A row's path is its
identity: a run that is started again leaves photos whose rows are there. Blocks of a killed worker are made again by Ray.
"""

import argparse
from pathlib import Path

import numpy as np
import ray

import swift_depth

SUFFIXES = {".jpg", ".jpeg", ".png"}


class DepthMaps:
    """One engine per worker, which loads its weights once."""

    def __init__(self, threads: int) -> None:
        self.estimator = swift_depth.Estimator(threads=threads)

    def __call__(self, batch: dict) -> dict:
        # Bytes, not arrays: the engine decodes faster than Python, and turns photos upright.
        rows = [self.row(path, content) for path, content in zip(batch["path"], batch["bytes"])]
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        # Types that do not depend on whether the first photos of a block could be read.
        return {
            name: np.array(values, dtype={"path": object, "depth": object, "error": object}.get(name, np.float64))
            for name, values in columns.items()
        }

    def row(self, path: str, content: bytes) -> dict:
        try:
            depth = self.estimator.estimate(content).depth
        except swift_depth.DepthError as error:
            return row(path, error=str(error))
        return row(path, *depth.shape, depth.min(), depth.max(), depth.astype("<f4").tobytes())


def row(path, height=0, width=0, near_m=np.nan, far_m=np.nan, depth=b"", error=""):
    return dict(path=path, height=height, width=width, near_m=near_m, far_m=far_m, depth=depth, error=error)


def photos(names: list) -> list:
    """The photos that arguments name, those of folders too."""
    files = [file for name in names for file in ([Path(name)] if Path(name).is_file() else Path(name).rglob("*"))]
    return sorted({str(file.resolve()) for file in files if file.suffix.lower() in SUFFIXES})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="+")
    parser.add_argument("--output", required=True, help="folder of Parquet files")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    arguments = parser.parse_args()
    ray.init(log_to_driver=False)
    files = photos(arguments.photos)
    if any(Path(arguments.output).glob("*.parquet")):
        done = {row["path"] for row in ray.data.read_parquet(arguments.output, columns=["path"]).iter_rows()}
        files = [file for file in files if file not in done]
    if files:
        # Reading and writing wait for disks; asking for processors too, they would wait for those of the engines.
        waiting = {"num_cpus": 0}
        # Blocks of about eight photos: what a killed worker had under way is done again.
        data = ray.data.read_binary_files(
            files,
            include_paths=True,
            override_num_blocks=max(arguments.workers, len(files) // 8),
            ray_remote_args=waiting,
        )
        data.map_batches(
            DepthMaps,
            fn_constructor_kwargs={"threads": arguments.threads},
            batch_size=8,
            num_cpus=arguments.threads,
            compute=ray.data.ActorPoolStrategy(size=arguments.workers),
        ).write_parquet(arguments.output, mode=ray.data.SaveMode.APPEND, ray_remote_args=waiting)
    print(f"{len(files)} photos done")


if __name__ == "__main__":
    main()
