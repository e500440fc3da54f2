"""Runs Depth Anything V2 here and in OpenVINO and ONNX Runtime in turn, several rounds, and writes the table of ratios.

    compare_transformers.py DEPTH FOLDER RESULTS.md [--input WxH]... [--threads N] [--rounds N] [--runs N] [--name NAME]

FOLDER is what export_depth_anything.py and quantize_depth_anything.py wrote. Times and ratios as in compare.py. What int8 changes is the
mean of |int8 − float32| of the same engine over one photo, as a share of the standard deviation of its float32 depth.
"""

import argparse
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from rounds import FLOAT32, HEAD, INT8, Rounds, how_measured, own_precisions, peer, processor, timed

# Engine, the ending of its model, and what its int8 is compared with.
PEERS = {"OpenVINO": ("openvino", ".onnx"), "ONNX Runtime": ("onnxruntime", ".onnx"),
         "OpenVINO int8 (NNCF)": ("openvino", "-int8.xml"), "ONNX Runtime int8 (dynamic)": ("onnxruntime", "-int8.onnx")}
FLOAT_PEERS, INT8_PEERS = tuple(PEERS)[:2], tuple(PEERS)[2:]
PAIRS = {INT8: FLOAT32, "OpenVINO int8 (NNCF)": "OpenVINO", "ONNX Runtime int8 (dynamic)": "ONNX Runtime"}


class Comparison:
    def __init__(self, a: argparse.Namespace, size: str) -> None:
        self.a, self.size = a, size
        self.npz = a.folder / f"{size}.npz"

    def own(self, options: tuple[str, ...]) -> dict:
        return timed([self.a.depth, "benchmark", "--weights", str(self.a.folder / "model.safetensors"), "--json", "--size", self.size,
                      "--threads", str(self.a.threads), "--runs", str(self.a.runs), *options])

    def peer(self, name: str, *options: str) -> dict:
        runtime, ending = PEERS[name]
        return peer(runtime, self.a.folder / (self.size + ending), self.a.threads, "--runs", str(self.a.runs),
                    "--input", str(self.npz), *options)

    def depths(self) -> dict[str, np.ndarray]:
        """Everybody's depth of the same photo."""
        side = min(map(int, self.size.split("x")))
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/depth.npy"
            made = {}
            for name, options in own_precisions().items():
                subprocess.run(
                    [self.a.depth, "predict", str(self.a.folder / f"{self.size}.png"), "--weights",
                     str(self.a.folder / "model.safetensors"), "--input-size", str(side), "--refine", "none", "--focal-length", "none",
                     "-o", file, "--overwrite", "--quiet", *options], check=True)
                made[name] = np.load(file).astype(np.float64)
            for name in PEERS:
                self.peer(name, "--output", file)
                made[name] = np.load(file)[0].astype(np.float64)
        return made

    def table(self) -> list[str]:
        engines = {name: partial(self.own, options) for name, options in own_precisions().items()}
        engines |= {name: partial(self.peer, name) for name in PEERS}
        times = Rounds(self.a.rounds, engines)
        depths = self.depths()
        changes = {name: np.abs(depths[name] - depths[whole]).mean() / depths[whole].std() for name, whole in PAIRS.items()}

        lines = [f"## {self.size.replace('x', ' × ')}, {self.a.threads} threads", "",
                 HEAD[0] + " change by int8 ÷ deviation |", HEAD[1] + "--:|"]
        lines += [f"{row} {f'{changes[name]:.3f}' if name in changes else ''} |" for name, row in times.medians()]
        ratios = [times.ratio(FLOAT32, FLOAT_PEERS, "the best float32"), *(times.ratio(INT8, (name,)) for name in (*INT8_PEERS, FLOAT32))]
        lines += [f"{row} |" for row in ratios]
        float_change = np.abs(depths[FLOAT32] - depths["OpenVINO"]).mean() / depths["OpenVINO"].std()
        return lines + ["", f"The mean absolute difference between the float32 depth of swift-depth and of OpenVINO is {float_change:.1e} times the",
                      "standard deviation of OpenVINO's depth.", ""]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("depth")
    parser.add_argument("folder", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--input", action="append")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--name", default="Depth Anything V2 Small")
    a = parser.parse_args()
    lines = [f"# {a.name}", "", f"Random weights, one photo per run, on an {processor()}.",
             *how_measured(a.rounds, a.runs),
             "`Benchmarks/compare-peers.sh` makes this page. In int8, the engines use 8-bit integers in linear layers. OpenVINO's scales come from eight",
             "photos (NNCF's mode for transformers). ONNX Runtime and swift-depth compute them at run time. The last column is the mean",
             "difference between an engine's int8 and float32 depth of one photo, divided by the standard deviation of that depth.", ""]
    for size in a.input or ["518x518", "686x518"]:
        lines += Comparison(a, size).table()
    a.results.write_text("\n".join(lines).rstrip() + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
