"""Quantises Depth Anything V2 to 8 bits for OpenVINO (NNCF, for transformers) and ONNX Runtime (dynamic, for transformers).

    quantize_depth_anything.py FOLDER SIZE...       reads SIZE.onnx and SIZE.npz, writes SIZE-int8.xml and SIZE-int8.onnx

NNCF calibrates on eight photos, with fast bias correction and SmoothQuant, its defaults for the model type "transformer". ONNX Runtime
computes the scales of activations at run time, as its documentation recommends for transformers.
"""

import sys
from pathlib import Path

import nncf
import numpy as np
import openvino
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process


def main() -> None:
    folder = Path(sys.argv[1])
    for size in sys.argv[2:]:
        photos = [photo[None] for photo in np.load(folder / f"{size}.npz")["calibration"]]
        model = openvino.Core().read_model(folder / f"{size}.onnx")
        openvino.save_model(
            nncf.quantize(
                model, nncf.Dataset(photos, lambda x: {"image": x}), model_type=nncf.ModelType.TRANSFORMER,
                subset_size=len(photos)),
            folder / f"{size}-int8.xml", compress_to_fp16=False)
        prepared = folder / f"{size}-prepared.onnx"
        quant_pre_process(str(folder / f"{size}.onnx"), str(prepared), skip_symbolic_shape=True)
        quantize_dynamic(
            str(prepared), str(folder / f"{size}-int8.onnx"), per_channel=True, weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul", "Gemm", "Attention"])
        prepared.unlink()


if __name__ == "__main__":
    main()
