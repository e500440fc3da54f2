"""Weights and activations of FCRN with ResNet-50, in 64-bit floats, for Tests/Golden.

    python3 Tools/training/goldens/fcrn50.py --check    compares the files there with what this script computes
    python3 Tools/training/goldens/fcrn50.py            writes them again; needs h5py, numpy, torch

Written from the papers and from the description of the portable weight generator alone, with nothing of the engine or the trainer.
"""

import pathlib
import sys
from collections.abc import Iterator

import h5py
import numpy as np
import torch
import torch.nn.functional as F

import samples
from streams import Stream

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Tests/Golden"
EPSILON = 1e-4
#: File, divisor of the widths, rows, columns, where an up-convolution pads, whole activations in the file.
FILES = (
    ("fcrn_narrow16_golden_65x97.h5", 16, 65, 97, "topleft", True),
    ("fcrn_narrow16_golden_65x97_bottomright.h5", 16, 65, 97, "bottomright", True),
    ("fcrn_narrow16_golden_228x304.h5", 16, 228, 304, "topleft", True),
    ("fcrn_full_golden_228x304.h5", 1, 228, 304, "topleft", False),
)
#: The largest difference of float64 sums in another order, and of activations that a file keeps as float32.
TOLERANCE, FLOAT_TOLERANCE = 1e-9, 1e-6


def kernel(layer: str, shape: tuple[int, int, int, int]) -> np.ndarray:
    """He's initialisation, uniform; twice its variance for the last layer."""
    bound = np.sqrt(6 * (2 if layer == "ConvPred" else 1) / (shape[1] * shape[2] * shape[3]))
    return Stream(f"{layer}/kernel").symmetric(int(np.prod(shape)), bound).reshape(shape)


def bias(layer: str, count: int) -> np.ndarray:
    if layer == "ConvPred":
        return np.full(count, 3, np.float32)
    return Stream(f"{layer}/bias").symmetric(count, 8 if layer == "conv1" else 0.125)


def norm(layer: str, count: int) -> dict[str, np.ndarray]:
    """Statistics by which activations stay between .7 and 1.3."""
    gamma, beta = 1.0, -0.5
    if layer == "layer1_BN":
        beta = -0.25
    elif layer.endswith("branch2c"):
        gamma, beta = 0.5, -0.25
    elif layer.endswith("branch1") or layer.startswith("layer") and not layer.endswith("br1_BN"):
        gamma, beta = 0.75, -0.25
    mean, variance = (16, 32768) if layer == "bn_conv1" else (0.25, 2)
    return {"gamma": Stream(f"{layer}/gamma").range(count, gamma, 0.5), "beta": Stream(f"{layer}/beta").range(count, beta, 0.5),
            "mean": Stream(f"{layer}/mean").symmetric(count, mean),
            "variance": Stream(f"{layer}/variance").range(count, 0.75 * variance, 0.5 * variance)}


class Reference:
    """The network on generated weights; `kept` holds activations by name, `tensors` every weight that was used."""

    def __init__(self, divisor: int, padding: str) -> None:
        self.divisor, self.padding = divisor, padding
        self.kept: dict[str, torch.Tensor] = {}
        self.tensors: dict[str, np.ndarray] = {}

    def run(self, pixels: np.ndarray) -> torch.Tensor:
        x = torch.from_numpy(pixels.astype(np.float64)).permute(2, 0, 1)[None]
        x = self.convolution("conv1", x, 64 // self.divisor, (7, 7), 2, has_bias=True)
        x = self.keep("bn_conv1", F.relu(self.norm("bn_conv1", x)))
        # Padded as TensorFlow's SAME: nowhere before an even side. After a ReLU zero serves as −∞.
        x = self.keep("pool1", F.max_pool2d(F.pad(x, (x.shape[3] % 2, 1, x.shape[2] % 2, 1)), 3, 2))
        for stage, blocks, width in ((2, "abc", 64), (3, "abcd", 128), (4, "abcdef", 256), (5, "abc", 512)):
            for block in blocks:
                x = self.bottleneck(f"{stage}{block}", x, width // self.divisor, 2 if block == "a" and stage > 2 else 1)
        x = self.convolution("layer1", x, x.shape[1] // 2, (1, 1), has_bias=True)
        x = self.keep("layer1_BN", self.norm("layer1_BN", x))
        for layer in ("layer2x", "layer4x", "layer8x", "layer16x"):
            x = self.up_projection(layer, x)
        x = self.keep("ConvPred_linear", self.convolution("ConvPred", x, 1, (3, 3), has_bias=True))
        return self.keep("ConvPred", F.relu(x))

    def keep(self, name: str, x: torch.Tensor) -> torch.Tensor:
        self.kept[name] = x[0]
        return x

    def tensor(self, name: str, values: np.ndarray) -> torch.Tensor:
        self.tensors[name] = values
        return torch.from_numpy(values.astype(np.float64))

    def convolution(self, name: str, x: torch.Tensor, outputs: int, size: tuple[int, int], stride: int = 1,
                    has_bias: bool = False, padding: tuple[int, int, int, int] | None = None) -> torch.Tensor:
        weight = self.tensor(f"{name}/kernel", kernel(name, (outputs, x.shape[1], *size)))
        shift = self.tensor(f"{name}/bias", bias(name, outputs)) if has_bias else None
        return F.conv2d(F.pad(x, padding or (size[1] // 2,) * 2 + (size[0] // 2,) * 2), weight, shift, stride)

    def norm(self, name: str, x: torch.Tensor) -> torch.Tensor:
        values = {part: self.tensor(f"{name}/{part}", array) for part, array in norm(name, x.shape[1]).items()}
        return F.batch_norm(x, values["mean"], values["variance"], values["gamma"], values["beta"], eps=EPSILON)

    def bottleneck(self, name: str, x: torch.Tensor, width: int, stride: int) -> torch.Tensor:
        """He et al. (2015), figure 5 right, with the stride on the first convolution."""

        def branch(part: str, x: torch.Tensor, outputs: int, size: int, stride: int = 1) -> torch.Tensor:
            y = self.convolution(f"res{name}_branch{part}", x, outputs, (size, size), stride)
            return self.norm(f"bn{name}_branch{part}", y)

        shortcut = branch("1", x, 4 * width, 1, stride) if name[1] == "a" else x
        y = F.relu(branch("2a", x, width, 1, stride))
        y = F.relu(branch("2b", y, width, 3))
        return self.keep(f"res{name}_relu", F.relu(branch("2c", y, 4 * width, 1) + shortcut))

    def up_convolution(self, name: str, x: torch.Tensor) -> torch.Tensor:
        """Laina et al. (2016), figure 2d: four small convolutions whose results interleave."""
        outputs = x.shape[1] // 2
        y = torch.empty(1, outputs, 2 * x.shape[2], 2 * x.shape[3], dtype=torch.float64)
        for part, size, row, column in (("A", (3, 3), 0, 0), ("B", (2, 3), 1, 0), ("C", (3, 2), 0, 1), ("D", (2, 2), 1, 1)):
            # A 3-wide kernel is centred; a 2-wide one sees a zero before the map, or behind it.
            both = [(1, 1) if extent == 3 else (1, 0) if self.padding == "topleft" else (0, 1) for extent in size]
            y[:, :, row::2, column::2] = self.convolution(
                f"{name}_Conv{part}", x, outputs, size, has_bias=True, padding=(*both[1], *both[0]))
        return self.norm(f"{name}_BN", y)

    def up_projection(self, name: str, x: torch.Tensor) -> torch.Tensor:
        """Figure 2c."""
        first = self.keep(f"{name}_br1_ReLU", F.relu(self.up_convolution(f"{name}_br1", x)))
        second = self.keep(f"{name}_br2_BN", self.up_convolution(f"{name}_br2", x))
        y = self.norm(f"{name}_BN", self.convolution(f"{name}_Conv", first, first.shape[1], (3, 3), has_bias=True))
        return self.keep(f"{name}_ReLU", F.relu(y + second))


def picture(height: int, width: int) -> np.ndarray:
    """Gradients, tiles and noise, (H, W, 3) bytes."""
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
    gradient = x * (96 + 32 * c) // width + y * (128 - 32 * c) // height
    tiles = Stream("image/tile").take(16 * 16 * 3).astype(int)[(y // 19 % 16 * 16 + x // 23 % 16) * 3 + c] % 112
    noise = Stream("image/noise").take(height * width * 3).astype(int).reshape(height, width, 3) % 24
    return (gradient // 2 + tiles + noise).astype(np.uint8)


def differences(golden: h5py.File, reference: Reference, pixels: np.ndarray, output: np.ndarray) -> Iterator[tuple[str, float, float]]:
    """Each part of a file, the largest difference, and its bound."""
    yield "input", float(np.abs(golden["input_u8_hwc"][()].astype(int) - pixels).max()), 0
    yield "output", float(np.abs(golden["output_f64"][()] - output).max()), TOLERANCE
    for name, values in golden["activations"].items():
        yield name, float(np.abs(values[()] - reference.kept[name].numpy()).max()), FLOAT_TOLERANCE
    stored = golden["samples"]
    for row, name in enumerate(stored["name"][()]):
        values = reference.kept[name.decode()].numpy().ravel()
        yield f"samples of {name.decode()}", float(np.abs(stored["value"][row] - values[stored["index"][row]]).max()), TOLERANCE


def write(path: pathlib.Path, reference: Reference, pixels: np.ndarray, output: np.ndarray, attributes: dict[str, object],
          keeps_whole: bool) -> None:
    random = np.random.default_rng(50)
    names = list(reference.kept)
    maps = [reference.kept[name].numpy() for name in names]
    indices = [random.integers(0, values.size, 64) for values in maps]
    whole = [name for name in names if keeps_whole and (pixels.size < 20_000 or reference.kept[name].numel() < 20_000)]
    with h5py.File(path, "w", track_order=False) as golden:
        golden.attrs.update(attributes)
        golden["input_u8_hwc"], golden["output_f64"], golden["output"] = pixels, output, output.astype(np.float32)
        group = golden.create_group("activations")
        for name in whole:
            group[name] = reference.kept[name].numpy().astype(np.float32)
        samples.write(golden, dict(zip(names, maps)), indices)
        if pixels.shape[0] == 65:
            golden["output_bias_minus4"] = np.maximum(reference.kept["ConvPred_linear"].numpy()[0] - 4, 0)


def main(checks: bool) -> int:
    failures = 0
    for name, divisor, height, width, padding, keeps_whole in FILES:
        path, pixels, reference = FOLDER / name, picture(height, width), Reference(divisor, padding)
        output = reference.run(pixels)[0, 0].numpy()
        if checks:
            with h5py.File(path) as golden:
                found = list(differences(golden, reference, pixels, output))
            wrong = [f"{what}: {by:.2g}" for what, by, largest in found if not by <= largest]
            failures += len(wrong)
            print(f"{name}: {len(found)} compared, {wrong or 'all equal'}")
            if divisor == 16 and padding == "topleft" and height == 65:
                failures += check_weights(reference)
        else:
            with h5py.File(path) as golden:
                attributes = dict(golden.attrs)
            write(path, reference, pixels, output, attributes, keeps_whole)
            print(f"{name}: {path.stat().st_size} bytes, depths {output.min():.3f} to {output.max():.3f} m")
    return failures


def check_weights(reference: Reference) -> int:
    """How many tensors of the narrow network's file are not the generated ones, bit for bit."""
    with h5py.File(FOLDER / "fcrn_narrow16_weights.h5") as file:
        wrong = [name for name, values in reference.tensors.items() if not np.array_equal(file[name][()], values)]
    print(f"fcrn_narrow16_weights.h5: {len(reference.tensors)} tensors, {wrong or 'all equal'}")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(1 if main("--check" in sys.argv[1:]) else 0)
