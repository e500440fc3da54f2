"""Times FCRN-50 here and in its peers, in turn, and writes the tables.

    compare.py DEPTH FOLDER RESULTS.md [--rounds N]

FOLDER is what export.py and quantize.py wrote.
"""

import argparse
import statistics
from functools import partial
from pathlib import Path

from rounds import FLOAT32, HEAD, INT8, Rounds, how_measured, own_precisions, peer, processor, timed

# Runtime and model. int8 of all engines is calibrated on the same eight photos.
PEERS = {"OpenVINO": ("openvino", "fcrn.onnx"), "ncnn": ("ncnn", "deconv5"), "ONNX Runtime": ("onnxruntime", "fcrn.onnx"),
         "OpenVINO by default": ("openvino-default", "fcrn.onnx"),
         "OpenVINO int8 (NNCF)": ("openvino-default", "fcrn-int8.xml"),
         "ONNX Runtime int8 (static QDQ)": ("onnxruntime", "fcrn-int8.onnx")}
FLOAT_PEERS = ("OpenVINO", "ncnn", "ONNX Runtime")
DEFAULT, *INT8_PEERS = list(PEERS)[len(FLOAT_PEERS):]
SIZE = "304x228"
RUNS = 15


def own(depth: str, folder: Path, *options: str) -> dict:
    weights = folder / ("full-int8.h5" if "int8" in options else "full.h5")
    return timed([depth, "benchmark", "--weights", str(weights), "--json", *options])


def table(depth: str, folder: Path, threads: int, rounds: int) -> list[str]:
    """Every engine and precision once, and the ratios that compare like with like."""
    engines = {name: partial(own, depth, folder, "--threads", str(threads), "--runs", str(RUNS), *options)
               for name, options in own_precisions().items()}
    engines |= {name: partial(peer, runtime, folder / model, threads, "--runs", str(RUNS))
                for name, (runtime, model) in PEERS.items()}
    times = Rounds(rounds, engines)
    lines = [f"## {threads} thread{'s' if threads > 1 else ''}", "", *HEAD, *(row for _, row in times.medians()),
             times.ratio(FLOAT32, FLOAT_PEERS, "the best float32"), times.ratio(FLOAT32, FLOAT_PEERS[:1])]
    lines += [times.ratio(INT8, (name,)) for name in (*INT8_PEERS, DEFAULT, FLOAT32)]
    return [*lines, ""]


def growth(depth: str, folder: Path, rounds: int) -> list[str]:
    """Times in units of one photo's at the size above, so that no time is there twice."""
    def measured(*options: str, runs: int = RUNS) -> dict:
        return own(depth, folder, *own_precisions()[FLOAT32], "--runs", str(runs), *options)

    def ratio(count: int, *options: str) -> float:
        return statistics.median(measured(*options)["ms_median"] / count / measured()["ms_median"] for _ in range(rounds))

    lines = ["## Growth", "", "swift-depth in float32, with inputs of four sizes (width × height). Each time is divided by the time for",
             f"{SIZE.replace('x', ' × ')} with 2 threads, measured beside it. If eight photos are estimated in one batch, a photo takes",
             f"**{ratio(8, '--batch', '8'):.2f}**; with OpenBLAS for all matrix products, **{ratio(1, '--gemm', 'openblas'):.2f}**.", "",
             "| input | threads | time | workspace, MB | peak memory, MB |", "|---|--:|--:|--:|--:|"]
    for size in ("152x114", SIZE, "608x456", "1216x912"):
        for threads in (1, 2, 4):
            run = measured("--size", size, "--threads", str(threads), runs=5)
            unit = measured("--threads", "2", runs=5)["ms_median"]
            lines.append(f"| {size} | {threads} | {run['ms_median'] / unit:.2f} | {run['workspace_mb']:.0f} | {run['peak_rss_mb']:.0f} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("depth")
    parser.add_argument("folder", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    a = parser.parse_args()
    lines = ["# Results", "", f"FCRN-50, one photo of 304 × 228 pixels per run, on an {processor()}.", *how_measured(a.rounds, RUNS),
             "For int8, all engines computed their scales from the same eight photos. *OpenVINO by default* computes in bfloat16 if the "
             "processor has bfloat16 instructions.",
             "`Benchmarks/compare-peers.sh` makes this page.", ""]
    for threads in (2, 1):
        lines += table(a.depth, a.folder, threads, a.rounds)
    lines += growth(a.depth, a.folder, a.rounds)
    a.results.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
