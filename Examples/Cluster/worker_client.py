#!/usr/bin/env python3
"""Feeds `depth worker` and starts it again where it ends: every photo gets one answer.

    find photos -name '*.jpg' | worker_client.py --output-dir maps

Prints the answers, one JSON object per line, in the order of the photos.
"""

import argparse
import json
import subprocess
import sys
import threading


class Worker:
    """A running `depth worker`, which answers requests in their order."""

    def __init__(self, command: list, requests: list) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # The worker reads as fast as it answers, so writing waits: it has a thread of its own.
        threading.Thread(target=self.write, args=(requests,), daemon=True).start()

    def write(self, requests: list) -> None:
        try:
            with self.process.stdin as pipe:
                for request in requests:
                    pipe.write(json.dumps(request) + "\n")
        except BrokenPipeError:
            pass  # The worker has ended; the reader sees it.

    def answers(self):
        for line in self.process.stdout:
            # A worker that is killed may leave half a line.
            if line.endswith("\n"):
                yield json.loads(line)
        self.process.wait()


def answers(command: list, requests: list):
    """One answer to each request; those that a killed worker has not answered are asked again."""
    attempts = 0
    while requests:
        before = len(requests)
        for answer in Worker(command, requests).answers():
            requests = requests[1:]
            yield answer
        attempts = attempts + 1 if len(requests) == before else 0
        if attempts == 3:
            raise SystemExit(f"the worker ended three times on {requests[0]['input']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output-dir", required=True)
    parser.add_argument("--depth", default="depth", help="the program")
    parser.add_argument("--threads", default="2")
    arguments = parser.parse_args()
    requests = [
        {"id": index, "input": line.rstrip("\n"), "output_dir": arguments.output_dir, "skip_existing": True}
        for index, line in enumerate(sys.stdin)
    ]
    for answer in answers([arguments.depth, "worker", "--threads", arguments.threads], requests):
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
