"""TensorFlow's own checkpoint and TFLite models; NumPy's own pickled dictionary."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import tensorflow as tf

from ..forward import Padding, forward
from .common import HEIGHT, WIDTH, arguments, official


class GraphBackend:
    """Operations as the published TensorFlow program has them: NHWC, explicit padding, then VALID."""

    def __init__(self, layers: dict[str, dict]) -> None:
        self.layers = layers

    def convolution(self, x, layer: str, stride: int, padding: Padding):
        t, b, l, r = padding
        if any(padding):
            x = tf.pad(x, [[0, 0], [t, b], [l, r], [0, 0]])
        y = tf.nn.conv2d(x, self.layers[layer]["weights"], stride, "VALID", name=layer)
        bias = self.layers[layer].get("biases")
        return y if bias is None else tf.nn.bias_add(y, bias)

    def norm(self, x, layer: str):
        p = self.layers[layer]
        return tf.nn.batch_normalization(x, p["mean"], p["variance"], p["offset"], p["scale"], 1e-4, layer)

    def relu(self, x):
        return tf.nn.relu(x)

    def add(self, x, y):
        return x + y

    def pool(self, x):
        return tf.nn.max_pool2d(x, 3, 2, "SAME")

    def interleave(self, a, b, c, d):
        left, right = self._interleave(a, b, 1), self._interleave(c, d, 1)
        return self._interleave(left, right, 2)

    @staticmethod
    def _interleave(x, y, axis: int):
        shape = x.shape.as_list()
        shape[axis] *= 2
        return tf.reshape(tf.stack([x, y], axis + 1), shape)


def write_checkpoint(layers: dict[str, dict], folder: Path) -> None:
    """Saved by the Saver of TensorFlow 1, with an optimiser's variable among the others."""
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        for layer, parameters in layers.items():
            for name, values in parameters.items():
                tf.compat.v1.get_variable(
                    f"{layer}/{name}", values.shape, tf.float32,
                    lambda shape, dtype, partition_info=None, v=values: tf.constant(v))
        tf.compat.v1.get_variable("global_step", initializer=tf.constant(7, tf.int64))
        session.run(tf.compat.v1.global_variables_initializer())
        tf.compat.v1.train.Saver().save(session, str(folder / "NYU_FCRN.ckpt"))
    with zipfile.ZipFile(folder / "NYU_FCRN-checkpoint.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        for path in sorted(folder.glob("NYU_FCRN.ckpt.*")):
            z.write(path, f"NYU_FCRN-checkpoint/{path.name}")


def write_tflite(layers: dict[str, dict], folder: Path) -> None:
    for name, padding, half in (("float32", "topleft", False), ("bottomright", "bottomright", False),
                                ("float16", "topleft", True)):
        @tf.function(input_signature=[tf.TensorSpec([1, HEIGHT, WIDTH, 3], tf.float32)])
        def network(x, padding=padding):
            return forward(GraphBackend(layers), x, padding)

        converter = tf.lite.TFLiteConverter.from_concrete_functions([network.get_concrete_function()])
        if half:
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
            converter.target_spec.supported_types = [tf.float16]
        (folder / f"{name}.tflite").write_bytes(converter.convert())


def main() -> None:
    tensors, folder = arguments()
    layers = official(tensors)
    np.save(folder / "NYU_ResNet-UpProj.npy", layers, allow_pickle=True)
    write_checkpoint(layers, folder)
    write_tflite(layers, folder)


main()
