"""Quantises the network to 8 bits for OpenVINO (NNCF) and ONNX Runtime (static QDQ), both on the same 8 photos.

    quantize.py FOLDER PHOTO...

Reads fcrn.onnx; writes fcrn-int8.xml, fcrn-int8.onnx, and the photos with a flat wall for a truth as photos/, from
which `depth weights calibrate` takes its scales.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

HEIGHT, WIDTH, COUNT = 228, 304, 8


def inputs(photos: list[str]) -> list[np.ndarray]:
    """`COUNT` photos of the network's size; of fewer files, several crops each."""
    crops = []
    for index in range(COUNT):
        image = Image.open(photos[index % len(photos)]).convert("RGB")
        inset = 0.05 * (index // len(photos))
        box = (inset * image.width, inset * image.height, (1 - inset) * image.width, (1 - inset) * image.height)
        pixels = np.asarray(image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS, box), np.float32)
        crops.append(np.ascontiguousarray(pixels.transpose(2, 0, 1)[None]))
    return crops


def for_openvino(folder: Path, photos: list[np.ndarray]) -> None:
    import nncf
    import openvino

    model = openvino.Core().read_model(folder / "fcrn.onnx")
    data = nncf.Dataset(photos, lambda x: {"image": x})
    openvino.save_model(
        nncf.quantize(model, data, preset=nncf.QuantizationPreset.MIXED, subset_size=len(photos)),
        folder / "fcrn-int8.xml")


def for_onnxruntime(folder: Path, photos: list[np.ndarray]) -> None:
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(CalibrationDataReader):
        def __init__(self) -> None:
            self.left = iter(photos)

        def get_next(self):
            x = next(self.left, None)
            return None if x is None else {"image": x}

    prepared = folder / "fcrn-prepared.onnx"
    quant_pre_process(str(folder / "fcrn.onnx"), str(prepared), skip_symbolic_shape=True)
    quantize_static(
        str(prepared), str(folder / "fcrn-int8.onnx"), Reader(), quant_format=QuantFormat.QDQ, per_channel=True,
        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)
    prepared.unlink()


def write_frames(folder: Path, photos: list[np.ndarray]) -> None:
    """One frame more than photos: a calibration needs another one to measure."""
    for part in ("rgb", "depth"):
        (folder / "photos" / part).mkdir(parents=True, exist_ok=True)
    for index, photo in enumerate([*photos, photos[0]]):
        pixels = photo[0].transpose(1, 2, 0).round().clip(0, 255).astype(np.uint8)
        Image.fromarray(pixels).save(folder / "photos" / "rgb" / f"{index}.png")
        Image.fromarray(np.full(pixels.shape[:2], 2000, np.uint16)).save(folder / "photos" / "depth" / f"{index}.png")


def main() -> None:
    folder = Path(sys.argv[1])
    photos = inputs(sys.argv[2:])
    write_frames(folder, photos)
    for_openvino(folder, photos)
    for_onnxruntime(folder, photos)


if __name__ == "__main__":
    main()
