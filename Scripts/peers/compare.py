"""Runs swift-depth and its peers in turn, several rounds, and writes the table of ratios.

    compare.py DEPTH FOLDER RESULTS.md [--rounds N]

Absolute times drift with the machine; what counts is the ratio of medians of one round, and of those the
median over all rounds.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PEERS = {"OpenVINO": ("openvino", "fcrn.onnx"), "ncnn": ("ncnn", "deconv5"),
         "ONNX Runtime": ("onnxruntime", "fcrn.onnx")}
BFLOAT16 = "**swift-depth bfloat16**"
# Not `auto`, which may choose int8.
FLOAT32 = ("--precision", "float32")
# The other precisions; int8 of all engines is calibrated on the same eight photos.
REDUCED = {"OpenVINO by default": ("openvino-default", "fcrn.onnx"),
           "OpenVINO int8 (NNCF)": ("openvino-default", "fcrn-int8.xml"),
           "ONNX Runtime int8 (static QDQ)": ("onnxruntime", "fcrn-int8.onnx")}


def timed(command: list[str]) -> dict:
    """The second of two runs: the first warms the page cache and gets memory from a virtual machine's host."""
    subprocess.run(command, check=True, capture_output=True)
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def own(depth: str, folder: Path, *options: str, weights: str = "full.h5") -> dict:
    """Times the network in float32 unless `options` name a precision."""
    if "--precision" not in options:
        options += FLOAT32
    return timed([depth, "benchmark", "--weights", str(folder / weights), "--json", *options])


def peer(name: str, folder: Path, threads: int) -> dict:
    runtime, model = (PEERS | REDUCED)[name]
    return timed([sys.executable, str(HERE / "time_peer.py"), runtime, str(folder / model),
                  "--threads", str(threads)])


def processor() -> str:
    text = Path("/proc/cpuinfo").read_text()
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    fields = {k.strip(): v.strip() for k, v in fields.items()}
    flags = fields.get("flags", "").split()
    names = ("avx2", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8", "amx_bf16")
    found = " ".join(name for name in names if name in flags) or "baseline"
    return f"{fields.get('model name', platform.machine())}, family {fields.get('cpu family', '?')} ({found})"


def own_precisions() -> dict[str, tuple[str, ...]]:
    names = {"**swift-depth float32**": FLOAT32, "**swift-depth int8**": ("--precision", "int8")}
    if "avx512_bf16" in processor():
        names[BFLOAT16] = ("--precision", "bfloat16")
    return names


def reduced_table(depth: str, folder: Path, threads: int, rounds: int) -> list[str]:
    """Times in fewer bits, and the ratios that matter: like with like, and what each takes by itself."""
    runs: dict[str, list[dict]] = {}
    for _ in range(rounds):
        for name, options in own_precisions().items():
            weights = "full-int8.h5" if "int8" in options else "full.h5"
            runs.setdefault(name, []).append(
                own(depth, folder, "--threads", str(threads), *options, weights=weights))
        for name in ("OpenVINO", *REDUCED):
            runs.setdefault(name, []).append(peer(name, folder, threads))

    def ratio(ours: str, theirs: str) -> str:
        value = statistics.median(a["ms_median"] / b["ms_median"] for a, b in zip(runs[ours], runs[theirs]))
        return f"| {ours.strip('*')} ÷ {theirs} | **{value:.2f}** | |"

    lines = [f"### {threads} thread{'s' if threads > 1 else ''}", "", "| | forward, ms | peak memory, MB |",
             "|---|--:|--:|"]
    lines += [f"| {name} | {middle(r, 'ms_median'):.1f} | {middle(r, 'peak_rss_mb'):.0f} |" for name, r in runs.items()]
    int8 = "**swift-depth int8**"
    if BFLOAT16 in runs:
        lines += [ratio(BFLOAT16, "**swift-depth float32**"), ratio(BFLOAT16, "OpenVINO by default")]
    lines += [ratio(int8, "**swift-depth float32**"), ratio(int8, "OpenVINO by default"),
              ratio(int8, "OpenVINO int8 (NNCF)"), ratio(int8, "ONNX Runtime int8 (static QDQ)"),
              ratio("**swift-depth float32**", "OpenVINO"), ""]
    return lines


def how_measured(rounds: int, runs: int) -> list[str]:
    return [f"In each of {rounds} rounds all engines ran in turn, {runs} runs each. Times and memory are medians over the rounds. Ratios are",
            "medians of the rounds' ratios, so they differ from the ratio of two rows."]


def middle(rounds: list[dict], key: str) -> float:
    return statistics.median(r[key] for r in rounds)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("depth")
    parser.add_argument("folder", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    a = parser.parse_args()

    lines = ["# Results", "", f"FCRN-50, 228 × 304, batch 1, float32. {processor()}, 2 threads of it used.",
             *how_measured(a.rounds, 15), "`Scripts/compare-peers.sh` makes this page.", ""]
    for threads in (2, 1):
        ours, theirs = [], {name: [] for name in PEERS}
        for _ in range(a.rounds):
            ours.append(own(a.depth, a.folder, "--threads", str(threads)))
            for name in PEERS:
                theirs[name].append(peer(name, a.folder, threads))
        lines += [f"## {threads} thread{'s' if threads > 1 else ''}", "",
                  "| | forward, ms | load + first, ms | peak memory, MB |", "|---|--:|--:|--:|"]
        for name, rounds in [("**swift-depth**", ours), *theirs.items()]:
            start = statistics.median(r["load_ms"] + r["first_ms"] for r in rounds)
            lines.append(f"| {name} | {middle(rounds, 'ms_median'):.1f} | {start:.0f} | {middle(rounds, 'peak_rss_mb'):.0f} |")
        def ratio(value):
            return statistics.median(
                value(ours[i]) / min(value(theirs[name][i]) for name in PEERS) for i in range(a.rounds))
        lines.append(
            f"| ours ÷ the best peer | **{ratio(lambda r: r['ms_median']):.2f}** | "
            f"**{ratio(lambda r: r['load_ms'] + r['first_ms']):.2f}** | **{ratio(lambda r: r['peak_rss_mb']):.2f}** |")
        lines.append("")

    single = [own(a.depth, a.folder)["ms_median"] for _ in range(a.rounds)]
    batch = [own(a.depth, a.folder, "--batch", "8")["ms_median"] / 8 for _ in range(a.rounds)]
    blas = own(a.depth, a.folder, "--gemm", "openblas")["ms_median"]
    lines += [f"Batch of 8, a photo ÷ batch 1: **{statistics.median(b / s for b, s in zip(batch, single)):.2f}**. "
              f"OpenBLAS products only: {blas:.0f} ms.", "", "## Growth", "",
              "| input | threads | ms | workspace, MB | peak memory, MB |", "|---|--:|--:|--:|--:|"]
    for size in ("152x114", "304x228", "608x456", "1216x912"):
        for threads in (1, 2, 4):
            r = own(a.depth, a.folder, "--size", size, "--threads", str(threads), "--runs", "5")
            lines.append(f"| {size} | {threads} | {r['ms_median']:.1f} | {r['workspace_mb']:.0f} | {r['peak_rss_mb']:.0f} |")
    lines += ["", "## Fewer bits", "",
              "int8 of all engines is calibrated on the same eight photos. OpenVINO by default computes in bfloat16 where the",
              "processor has it.", ""]
    for threads in (2, 1):
        lines += reduced_table(a.depth, a.folder, threads, a.rounds)
    a.results.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
