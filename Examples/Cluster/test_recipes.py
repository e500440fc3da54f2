"""Runs the recipes on this machine. Those of Ray and Spark are skipped by name where they are not installed."""

import contextlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

folder = Path(__file__).resolve().parent
sys.path.insert(0, str(folder.parent.parent / "Python/tests"))
from pictures import png, room  # noqa: E402

import swift_depth  # noqa: E402

COUNT = 12


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Photos in folders, one of them damaged."""
    tree = tmp_path_factory.mktemp("photos")
    for index in range(COUNT):
        place = tree / "abc"[index % 3]
        place.mkdir(exist_ok=True)
        (place / f"{index}.png").write_bytes(png(room(seed=index)))
    (tree / "a" / "bad.jpg").write_bytes(b"no photo")
    return tree


@pytest.fixture
def environment(tmp_path):
    """An environment whose PATH has the program, as `depth`."""
    program = os.environ.get("DEPTH")
    if not program:
        pytest.skip("DEPTH names no program")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/depth").write_text(f'#!/bin/sh\nexec {program} "$@"\n')
    (tmp_path / "bin/depth").chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}


def expect_all(maps, photos):
    """Every photo has its map, and the damaged one its line."""
    assert len(list(maps.rglob("*_depth.png"))) == COUNT
    lines = [json.loads(line) for file in maps.glob("shard-*.jsonl") for line in file.read_text().splitlines()]
    assert len({line["path"] for line in lines}) == len(lines) == COUNT + 1
    assert [line["path"] for line in lines if line.get("error")] == [str(photos / "a/bad.jpg")]


def array_task(environment, photos, maps, task, indices, *arguments, **more):
    """One task of an array with these indices, as Slurm starts it."""
    environment = {**environment, "PHOTOS": str(photos), "MAPS": str(maps), "SLURM_CPUS_PER_TASK": "1", **more}
    environment.update(
        SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT=str(len(indices)),
        SLURM_ARRAY_TASK_MIN=str(min(indices)), SLURM_ARRAY_TASK_MAX=str(max(indices)),
    )
    return subprocess.run([folder / "slurm-array.sh", *arguments], env=environment, stderr=subprocess.DEVNULL).returncode


@pytest.mark.parametrize("indices", [(1, 2, 3), (0, 1, 2)])
def test_slurm(environment, photos, tmp_path, indices):
    maps = tmp_path / "maps"
    for task in indices:
        assert array_task(environment, photos, maps, task, indices) == 0
    expect_all(maps, photos)


def test_slurm_part_of_an_array_keeps_its_shards(environment, photos, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for task in (1, 2, 3):
        assert array_task(environment, photos, whole, task, (1, 2, 3)) in (0, 1)
    assert array_task(environment, photos, parts, 2, (2,), "3") in (0, 1)
    for task in (1, 3):
        assert array_task(environment, photos, parts, task, (1, 3), "3") in (0, 1)
    assert {p.name for p in whole.glob("*.jsonl")} == {p.name for p in parts.glob("*.jsonl")}
    expect_all(parts, photos)
    # Counted from 0, a part of the array has to say so.
    assert array_task(environment, photos, tmp_path / "zero", 2, (1, 2), "3", FIRST="0") in (0, 1)
    assert (tmp_path / "zero/shard-3-of-3.jsonl").exists()
    assert array_task(environment, photos, tmp_path / "beyond", 4, (4,), "3") == 64


def pod(environment, photos, maps, index):
    job = (folder / "kubernetes-job.yaml").read_text()
    assert f"image: swift-depth:{swift_depth.__version__}\n" in job
    script = re.search(r"- \|\n(.*?)\n          resources", job, re.S)[1]
    environment = {**environment, "PHOTOS": str(photos), "MAPS": str(maps), "JOB_COMPLETION_INDEX": str(index), "COMPLETIONS": "2"}
    return subprocess.run(["/bin/sh", "-ec", script], env=environment, stderr=subprocess.DEVNULL).returncode


def test_kubernetes(environment, photos, tmp_path):
    """A photo that cannot be read fails no pod; wrong usage does."""
    assert [pod(environment, photos, tmp_path / "maps", index) for index in (0, 1)] == [0, 0]
    expect_all(tmp_path / "maps", photos)
    assert pod(environment, tmp_path / "no photos here", tmp_path / "none", 0) != 0


def test_kubernetes_full_disk_is_a_failure_with_few_tries(environment, photos, tmp_path):
    """Status 75 of the program is the pod's, and no rule excuses it."""
    program = tmp_path / "bin/depth"
    program.write_text("#!/bin/sh\nexit 75\n")
    assert pod(environment, photos, tmp_path / "maps", 0) == 75
    job = (folder / "kubernetes-job.yaml").read_text()
    assert "backoffLimitPerIndex: 3\n" in job
    ignored = re.search(r"action: Ignore\n(.*?)(?:- action|  template)", job, re.S)[1]
    assert "onExitCodes" not in ignored and "DisruptionTarget" in ignored
    assert re.search(r"securityContext: .*fsGroup: \d+", job)


@pytest.mark.parametrize("starter", ["parallel", "xargs"])
def test_parallel_goes_on_after_a_kill(environment, photos, tmp_path, starter):
    maps = tmp_path / "maps"
    if starter == "xargs":
        # A PATH with nothing but what the script needs without GNU parallel.
        for tool in ("bash", "mkdir", "seq", "sh", "xargs"):
            (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
        environment["PATH"] = str(tmp_path / "bin")
    elif not shutil.which("parallel"):
        pytest.skip("GNU parallel is not installed")
    # Of no meaning to xargs.
    environment["PARALLEL"] = f"--joblog {tmp_path}/jobs --resume-failed"
    command = [shutil.which("bash"), folder / "parallel.sh", photos, maps, "3", "2"]
    run = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    while run.poll() is None and not list(maps.rglob("*_depth.png")):
        time.sleep(0.002)
    # GNU parallel gives each job a group of processes of its own, which would go on without it.
    for process in [run.pid, *children(run.pid)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    run.wait()
    assert subprocess.run(command, env=environment, stderr=subprocess.DEVNULL).returncode != 0  # the damaged photo
    expect_all(maps, photos)
    assert not list(maps.rglob(".depth-*.part"))


def children(process, everything=None):
    """Processes below one, nearest first."""
    if everything is None:
        everything = {}
        for entry in Path("/proc").iterdir():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                everything.setdefault(parent, []).append(int(entry.name))
            except (OSError, ValueError, IndexError):
                continue
    for child in everything.get(process, []):
        yield child
        yield from children(child, everything)


def expect_rows(rows, photos):
    """One row per photo, with the map of the engine."""
    assert len(rows) == COUNT + 1
    by_name = {Path(row["path"]).name: row for row in rows}
    assert len(by_name) == COUNT + 1
    assert "expected a JPEG, PNG, HEIC, WebP or AVIF picture" in by_name["bad.jpg"]["error"]
    with swift_depth.Estimator(threads=1) as estimator:
        for index in (0, COUNT - 1):
            row = by_name[f"{index}.png"]
            depth = np.frombuffer(row["depth"], "<f4").reshape(int(row["height"]), int(row["width"]))
            np.testing.assert_array_equal(depth, estimator.estimate(room(seed=index)).depth)
            assert not row["error"] and row["near_m"] == depth.min()


def run_twice(command, photos, tmp_path, worker_name):
    """Runs a recipe, kills one of its workers in the middle, and runs it again with one more photo."""
    tree = tmp_path / "photos"
    shutil.copytree(photos, tree)
    (tree / "c" / "11.png").rename(tmp_path / "later.png")
    log = tmp_path / "log"
    with log.open("w") as output:
        run = subprocess.Popen(command(tree), stdout=output, stderr=output)
        killed, end = False, time.monotonic() + 600
        while run.poll() is None:
            if time.monotonic() > end:
                run.kill()
            for process in [] if killed else list(children(run.pid)):
                try:
                    if re.search(worker_name, Path(f"/proc/{process}/cmdline").read_text()):
                        os.kill(process, signal.SIGKILL)
                        killed = True
                        break
                except OSError:
                    continue
            time.sleep(0.005)
    assert run.returncode == 0, log.read_text()[-4000:]
    assert killed
    (tmp_path / "later.png").rename(tree / "c" / "11.png")
    again = subprocess.run(command(tree), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert again.returncode == 0, again.stdout[-4000:]
    return again.stdout


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")
def test_ray(photos, tmp_path):
    import pyarrow.parquet

    # Ray gives its workers the priority of work in the background; on a busy machine they would hardly run.
    os.environ.update(RAY_worker_niceness="0", RAY_USAGE_STATS_ENABLED="0")
    said = run_twice(
        lambda tree: [sys.executable, folder / "ray_depth.py", tree, "--output", tmp_path / "maps"],
        photos, tmp_path, r"^ray::.*DepthMaps",
    )
    assert "1 photos done" in said
    expect_rows(pyarrow.parquet.read_table(tmp_path / "maps").to_pylist(), photos)


@pytest.mark.skipif(importlib.util.find_spec("pyspark") is None, reason="Spark is not installed")
@pytest.mark.skipif(not (shutil.which("java") or os.environ.get("JAVA_HOME")), reason="Java, which Spark needs, is not installed")
def test_spark(photos, tmp_path):
    import pyarrow.parquet

    submit = [Path(importlib.util.find_spec("pyspark").origin).parent / "bin/spark-submit", "--master", "local[2,4]"]
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    run_twice(
        lambda tree: [*submit, folder / "spark_depth.py", tree, "--output", tmp_path / "maps", "--partitions", "3"],
        photos, tmp_path, r"pyspark.daemon",
    )
    expect_rows(pyarrow.parquet.read_table(tmp_path / "maps").to_pylist(), photos)
