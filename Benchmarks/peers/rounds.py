"""Times engines in turn, in several rounds, and writes the rows of their tables.

Absolute times drift with the machine. What counts is the ratio of two engines in one round, and the median of these ratios over all
rounds.
"""

import json
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

FLOAT32, INT8 = "**swift-depth float32**", "**swift-depth int8**"
#: What a run is measured by: of both processes, from the line of JSON that each prints.
MEASURES: tuple[Callable[[dict], float], ...] = (
    lambda run: run["ms_median"], lambda run: run["load_ms"] + run["first_ms"], lambda run: run["peak_rss_mb"])
HEAD = ["| | forward, ms | load + first, ms | peak memory, MB |", "|---|--:|--:|--:|"]


def timed(command: list[str]) -> dict:
    """The second of two runs: the first warms the page cache and gets memory from a virtual machine's host."""
    subprocess.run(command, check=True, capture_output=True)
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def peer(runtime: str, model: Path, threads: int, *options: str) -> dict:
    script = Path(__file__).parent / "time_peer.py"
    return timed([sys.executable, str(script), runtime, str(model), "--threads", str(threads), *options])


def processor() -> str:
    text = Path("/proc/cpuinfo").read_text()
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    fields = {k.strip(): v.strip() for k, v in fields.items()}
    flags = fields.get("flags", "").split()
    names = ("avx2", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8", "amx_bf16")
    found = " ".join(name for name in names if name in flags) or "baseline"
    return (f"{fields.get('model name', platform.machine())}, family {fields.get('cpu family', '?')}, "
            f"model {fields.get('model', '?')} ({found})")


def own_precisions() -> dict[str, tuple[str, ...]]:
    """Options of `depth` for each precision. Never `auto`, which may choose int8."""
    return {FLOAT32: ("--precision", "float32"), INT8: ("--precision", "int8")}


def how_measured(rounds: int, runs: int) -> list[str]:
    return [f"In each of {rounds} rounds all engines ran in turn, {runs} runs each. Times and memory are medians over the rounds. A ratio is the",
            "median of the rounds' ratios, so it can differ from the quotient of two rows."]


class Rounds:
    """The runs of every engine, by round."""

    def __init__(self, count: int, engines: dict[str, Callable[[], dict]]) -> None:
        self.count = count
        self.runs: dict[str, list[dict]] = {name: [] for name in engines}
        for _ in range(count):
            for name, run in engines.items():
                self.runs[name].append(run())

    def medians(self) -> Iterable[tuple[str, str]]:
        """Every engine's name and row, without the end of the row."""
        for name, runs in self.runs.items():
            forward, start, memory = (statistics.median(map(measure, runs)) for measure in MEASURES)
            yield name, f"| {name} | {forward:.1f} | {start:.0f} | {memory:.0f} |"

    def ratio(self, ours: str, theirs: tuple[str, ...], label: str | None = None) -> str:
        """The row of one engine ÷ the best of several, each measure by itself."""
        values = [statistics.median(measure(self.runs[ours][i]) / min(measure(self.runs[name][i]) for name in theirs)
                                    for i in range(self.count)) for measure in MEASURES]
        label = label or theirs[0].strip("*")
        return f"| {ours.strip('*')} ÷ {label} | " + " | ".join(f"**{value:.2f}**" for value in values) + " |"

    def has(self, name: str) -> bool:
        return name in self.runs
