"""TensorFlow's own checkpoint."""

import zipfile
from pathlib import Path

import tensorflow as tf

from .common import arguments, official


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


write_checkpoint(official(arguments()[0]), arguments()[1])
