#!/usr/bin/env python3
"""How well many small workers do the work of few large ones: photos per second of 2 workers with 1 thread each over those of
1 worker with 2 threads.

    measure_scaling.py PHOTO [--depth .build/release/depth] [--photos 60] [--rounds 5]

Both are `depth worker`, warm, and get the same requests in turns; each round counts from the first request to the last answer.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import threading
import time


class Worker:
    def __init__(self, depth: str, threads: int) -> None:
        command = [depth, "worker", "--threads", str(threads)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, requests: list) -> None:
        def write() -> None:
            for request in requests:
                self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()

        writer = threading.Thread(target=write)
        writer.start()
        for _ in requests:
            answer = json.loads(self.process.stdout.readline())
            assert "error" not in answer, answer
        writer.join()


def rate(workers: list, requests: list) -> float:
    """Photos per second of workers that share the requests."""
    parts = [requests[index :: len(workers)] for index in range(len(workers))]
    threads = [threading.Thread(target=worker.run, args=(part,)) for worker, part in zip(workers, parts)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(requests) / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photo")
    parser.add_argument("--depth", default="depth")
    parser.add_argument("--photos", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        requests = [
            {"id": index, "input": arguments.photo, "output": f"{folder}/{index}.png", "overwrite": True}
            for index in range(arguments.photos)
        ]
        one, two = [Worker(arguments.depth, 2)], [Worker(arguments.depth, 1), Worker(arguments.depth, 1)]
        rate(one, requests[:8]), rate(two, requests[:8])
        ratios = []
        for _ in range(arguments.rounds):
            large, small = rate(one, requests), rate(two, requests)
            ratios.append(small / large)
            print(f"1 worker x 2 threads {large:.1f}, 2 workers x 1 thread {small:.1f} photos per second: {small / large:.2f}")
        print(f"median {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
