"""Samples of activations in golden files."""

import h5py
import numpy as np


def write(golden: h5py.File, activations: dict[str, np.ndarray], indices: np.ndarray) -> None:
    """Writes the group `samples`: for each activation its shape, mean and rms, and its values at a row of `indices`."""
    maps = list(activations.values())
    samples = golden.create_group("samples")
    samples["name"] = np.array([name.encode() for name in activations])
    samples["shape_chw"] = np.array([values.shape for values in maps], np.int32)
    samples["index"] = np.asarray(indices, np.int32)
    samples["value"] = np.stack([values.ravel()[places] for values, places in zip(maps, indices)])
    samples["mean"] = np.array([values.mean() for values in maps])
    samples["rms"] = np.array([np.sqrt((values**2).mean()) for values in maps])
