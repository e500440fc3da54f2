"""Times the network in another runtime and prints one line of JSON.

    time_peer.py RUNTIME MODEL [--threads N] [--runs N] [--input FILE.npz] [--output FILE.npy]

RUNTIME is onnxruntime, openvino, openvino-default (in the precision that it chooses for the processor) or ncnn. The input is noise of FCRN's size,
or the array `input` of FILE.npz; --output keeps what the network makes of it.
"""

import argparse
import json
import resource
import statistics
import time
from collections.abc import Callable

import numpy as np


def onnxruntime_session(model: str, threads: int) -> Callable[[np.ndarray], np.ndarray]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"image": x})[0]


def openvino_session(model: str, threads: int, precision: str | None = "f32") -> Callable[[np.ndarray], np.ndarray]:
    import openvino

    settings = {"INFERENCE_NUM_THREADS": str(threads), "PERFORMANCE_HINT": "LATENCY"}
    if precision:
        settings["INFERENCE_PRECISION_HINT"] = precision
    compiled = openvino.Core().compile_model(model, "CPU", settings)
    return lambda x: next(iter(compiled({"image": x}).values()))


def openvino_default_session(model: str, threads: int) -> Callable[[np.ndarray], np.ndarray]:
    return openvino_session(model, threads, precision=None)


def ncnn_session(model: str, threads: int) -> Callable[[np.ndarray], np.ndarray]:
    import ncnn

    net = ncnn.Net()
    net.opt.num_threads = threads
    for half in ("use_fp16_packed", "use_fp16_storage", "use_fp16_arithmetic", "use_bf16_storage"):
        setattr(net.opt, half, False)
    net.load_param(f"{model}.ncnn.param")
    net.load_model(f"{model}.ncnn.bin")

    def run(x: np.ndarray) -> np.ndarray:
        extractor = net.create_extractor()
        extractor.input("in0", ncnn.Mat(x[0]).clone())
        return np.array(extractor.extract("out0")[1])

    return run


SESSIONS = {"onnxruntime": onnxruntime_session, "openvino": openvino_session,
            "openvino-default": openvino_default_session, "ncnn": ncnn_session}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("runtime", choices=SESSIONS)
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--input")
    parser.add_argument("--output")
    arguments = parser.parse_args()
    if arguments.input:
        x = np.load(arguments.input)["input"]
    else:
        x = np.random.default_rng(1).uniform(0, 255, (1, 3, 228, 304)).astype(np.float32)

    start = time.perf_counter()
    run = SESSIONS[arguments.runtime](arguments.model, arguments.threads)
    loaded = time.perf_counter()
    made = run(x)
    first = time.perf_counter()
    run(x)
    durations = []
    for _ in range(arguments.runs):
        before = time.perf_counter()
        run(x)
        durations.append(1e3 * (time.perf_counter() - before))
    if arguments.output:
        np.save(arguments.output, made)
    print(json.dumps({
        "ms_median": statistics.median(durations), "ms_min": min(durations),
        "load_ms": 1e3 * (loaded - start), "first_ms": 1e3 * (first - loaded),
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
