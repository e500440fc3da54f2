"""`NYU_ResNet-UpProj.npy`: a pickled dictionary of dictionaries in a NumPy file."""

from pathlib import Path

import numpy as np

from .. import official
from ..errors import ConversionError, decoding
from ..reading import Options, Reading
from ..restricted_pickle import RestrictedUnpickler, numpy_names

MAGIC = b"\x93NUMPY"
FORM = "numpy dictionary"


def read(path: Path, options: Options) -> Reading:
    """Reads the pickle inside the file with a reader that knows nothing but NumPy arrays."""
    with decoding(f"'{path.name}'"), open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        if version not in ((1, 0), (2, 0)):
            raise ConversionError(f"'{path.name}' has NumPy format {version}, expected 1.0 or 2.0")
        shape, _, dtype = getattr(np.lib.format, f"read_array_header_{version[0]}_0")(file)
        if shape != () or dtype != np.dtype("O"):
            raise ConversionError(f"'{path.name}' holds an array of {dtype}, expected the dictionary of layers")
        value = RestrictedUnpickler(file, numpy_names(), f"'{path.name}'").load()
        layers = value.item() if isinstance(value, np.ndarray) and value.shape == () else value
    return Reading(official.network(_checked(layers, path.name), options), FORM, (path,))


def _checked(layers: object, name: str) -> dict[str, dict[str, np.ndarray]]:
    if not isinstance(layers, dict) or not layers:
        raise ConversionError(f"'{name}' holds no dictionary of layers")
    for layer, parameters in layers.items():
        if not isinstance(layer, str) or not isinstance(parameters, dict):
            raise ConversionError(f"'{name}' holds no dictionary of layers and their parameters")
        if not all(isinstance(key, str) and isinstance(values, np.ndarray) for key, values in parameters.items()):
            raise ConversionError(f"'{layer}' of '{name}' holds something other than arrays")
    return layers
