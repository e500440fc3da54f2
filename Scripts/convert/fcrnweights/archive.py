"""The HDF5 file that `depth` reads."""

import os
import tempfile
from pathlib import Path

import h5py
import numpy as np

from . import block
from .architecture import EFFICIENTNET_LITE2, RESNET18
from .network import BN_EPSILON, Network
from .reading import Source

FORMAT_NAME, FORMAT_VERSION = "fcrn-hdf5", 2
#: Every dataset begins at a multiple of so many bytes, to be mapped and read with aligned loads.
ALIGNMENT = 64
#: Bytes of a compressed chunk: few enough for a reader's cache, whole output channels each.
CHUNK_BYTES = 1 << 20


def write(path: Path, network: Network, precision: str, source: Source) -> None:
    """Writes `network` under a temporary name beside `path`, then renames: all of it or nothing."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    try:
        with h5py.File(temporary, "w", libver="earliest", userblock_size=block.BYTES,
                       alignment_threshold=1, alignment_interval=ALIGNMENT) as file:
            _describe(file.attrs, network, precision, source)
            for layer, parameters in network.tensors.items():
                group = file.create_group(layer)
                group.attrs["kind"] = np.bytes_("conv" if "kernel" in parameters else "bn")
                for name, values in parameters.items():
                    group.create_dataset(name, data=values, **_storage(values))
        block.seal(Path(temporary))
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)  # mkstemp's files are private
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _describe(attributes: h5py.AttributeManager, network: Network, precision: str, source: Source) -> None:
    architecture = network.architecture
    text = {
        "format_name": FORMAT_NAME, "content": "weights",
        "architecture": architecture.name, "channel_order": "RGB",
        "kernel_layout": "OIHW", "kernel_type": precision, "upproj_padding": network.padding,
        "output_unit": "metre", "source_name": source.name, "source_format": source.form,
        "source_sha256": source.sha256,
    }
    integers = {
        "format_version": FORMAT_VERSION, "width_divisor": architecture.width_divisor,
        "input_height": architecture.input_size[0], "input_width": architecture.input_size[1],
        "bn_folded": network.folded,
    }
    if architecture.output_activation is None:
        integers["final_relu"] = network.final_relu
    else:
        text["output_activation"] = architecture.output_activation
    for name, value in text.items():  # of fixed length, so that a small reader needs no string heap
        attributes[name] = np.bytes_(value.encode("ascii", "backslashreplace"))
    # What the first files say by not saying it is left out, so that these stay as they are.
    for name, number, absent in (
            ("outputs", architecture.outputs, 1), ("global_context", architecture.global_context, False),
            ("skip_connections", architecture.skip_connections, False)):
        if number != absent:
            integers[name] = number
    for name, number in integers.items():
        attributes[name] = np.int32(number)
    for name, number in (("focal_exponent", np.float64(network.focal_exponent)), ("depth_scale", np.float32(network.depth_scale))):
        if number != 1:
            attributes[name] = number
    attributes["pixel_scale"] = np.float32(network.pixel_scale)
    attributes["pixel_mean"] = np.asarray(network.pixel_mean, np.float32)
    attributes["bn_epsilon"] = np.float64(BN_EPSILON)
    if architecture.name in (RESNET18, EFFICIENTNET_LITE2):
        attributes["decoder_widths"] = np.asarray(architecture.decoder_widths, np.int32)


def _storage(values: np.ndarray) -> dict[str, object]:
    """float32 and int8 lie contiguous and plain, to be mapped; float16 is compressed to be small."""
    if values.dtype.itemsize != 2:
        return {}
    row = int(np.prod(values.shape[1:])) * values.dtype.itemsize
    rows = max(1, min(values.shape[0], CHUNK_BYTES // row))
    return {"chunks": (rows, *values.shape[1:]), "compression": "gzip", "compression_opts": 9,
            "shuffle": True}
