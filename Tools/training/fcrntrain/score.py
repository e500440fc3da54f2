"""The score by which weights are chosen: written down before the first run, computed on sets of other cameras."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

#: Sets nearer than this, metres, are near.
NEAR = 1.2
#: Sets whose truth is sharp enough for borders.
SHARP = ("middlebury2005", "middlebury2014_motorcycle", "replica_room", "taskonomy_1")
RESAMPLINGS = 1_000
#: A column's share of a scale that is hardly off: added to both values, since it is no reason to choose weights by.
SLACK = 0.05
#: The sets that choose weights.
CHOOSING = frozenset("""
    agpetit_table arfaian_kv2 cboots_chair cboots_closet dawnborn_azure freegrasp_rs gqcnn_primesense hojaeklee_sun3d ist_office koyo_rs
    liuliu_table looo_rs meiqua_icbin middlebury2014_motorcycle nocs_scenegrasp ransac_rs rongbohou_kinect sofar_d455 sujan_d455 swiss_rs
    taskonomy_1 weilong_d435i yzn_astra_home
""".split())
#: The sets that are looked at once, at the end.
LOOKED_AT = frozenset("""
    amik_azure b3do_kv1 chiheng_d435 dian_gemini335 edufdez_xtion graspnet_kinect4 ist_chair ist_fruit ist_room liuliu_box6 liwuaa_phone
    matthias_rs middlebury2005 pranay_d455 replica_room scannet_1 sileom_rs sunrgbd_kv2 tienyu_d435 tronphan_d435 yellow_d405
""".split())


@dataclass(frozen=True)
class Row:
    """A set in the lines of `depth evaluate --sets --json`."""

    name: str
    distance: float
    delta1: float
    scale: float
    shape: float
    borders: float
    relative_error: float
    expected_error: float

    @property
    def is_near(self) -> bool:
        return self.distance < NEAR


def rows(path: Path) -> list[Row]:
    lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    return [
        Row(line["set"], line["distance_m"], line["delta1"], line["scale"], line["scaled_delta1"], line["boundary_f1"], line["rel"],
            line["expected_error"] or math.nan)
        for line in lines if "set" in line
    ]


def half(of: Sequence[Row], chooses: bool) -> list[Row]:
    """The rows of `CHOOSING` or of `LOOKED_AT`. Raises ValueError for a set in neither."""
    if unknown := sorted({row.name for row in of} - CHOOSING - LOOKED_AT):
        raise ValueError(f"the set {unknown[0]} is in neither half of score.py")
    return [row for row in of if row.name in (CHOOSING if chooses else LOOKED_AT)]


#: Name, sets, a value that is better when larger or, with -1, when smaller.
COLUMNS: tuple[tuple[str, Callable[[Row], bool], Callable[[list[Row]], float], int], ...] = (
    ("near |ln scale|", lambda row: row.is_near, lambda some: float(np.median([abs(row.scale) for row in some])), -1),
    ("near δ1", lambda row: row.is_near, lambda some: float(np.mean([row.delta1 for row in some])), 1),
    ("far |ln scale|", lambda row: not row.is_near, lambda some: float(np.median([abs(row.scale) for row in some])), -1),
    ("far δ1", lambda row: not row.is_near, lambda some: float(np.mean([row.delta1 for row in some])), 1),
    ("near shape", lambda row: row.is_near, lambda some: float(np.mean([row.shape for row in some])), 1),
    ("far shape", lambda row: not row.is_near, lambda some: float(np.mean([row.shape for row in some])), 1),
    ("boundary F1", lambda row: row.name in SHARP, lambda some: float(np.mean([row.borders for row in some])), 1),
    ("near |ln expected ÷ observed|", lambda row: row.is_near and not math.isnan(row.expected_error), lambda some: abs(_honesty(some)), -1),
)


def _honesty(some: list[Row]) -> float:
    return float(np.median([math.log(row.expected_error / row.relative_error) for row in some]))


def ratios(before: Sequence[Row], after: Sequence[Row]) -> dict[str, float]:
    """Of each column how many times better it became; columns without a set are left out."""
    found = {}
    for name, belongs, value, sign in COLUMNS:
        old, new = ([row for row in some if belongs(row)] for some in (before, after))
        if old and new:
            slack = SLACK if sign < 0 else 0
            found[name] = (max(value(new) + slack, 1e-3) / max(value(old) + slack, 1e-3)) ** sign
    return found


def score(before: Sequence[Row], after: Sequence[Row]) -> tuple[float, float, float]:
    """The mean of the columns and an 80 % interval over resamplings of sets: a difference inside it does not count."""
    names = [row.name for row in before if row.name in {other.name for other in after}]
    old, new = ({row.name: row for row in some} for some in (before, after))
    random = np.random.default_rng(1)

    def of(chosen: Sequence[str]) -> float:
        return float(np.mean(list(ratios([old[name] for name in chosen], [new[name] for name in chosen]).values())))

    means = [of(random.choice(names, len(names))) for _ in range(RESAMPLINGS)]
    low, high = np.quantile(means, [0.1, 0.9])
    return of(names), float(low), float(high)


def table(before: Sequence[Row], after: Sequence[Row]) -> str:
    lines = []
    for name, belongs, value, _ in COLUMNS:
        old, new = ([row for row in some if belongs(row)] for some in (before, after))
        if old and new:
            lines.append(f"{name:32} {len(new):3} sets  {value(old):.3f} → {value(new):.3f}")
    mean, low, high = score(before, after)
    return "\n".join([*lines, f"score {mean:.3f}, 80 % interval {low:.3f} to {high:.3f}"])
