"""FCRN-50 as a walk through its operations; a backend writes each as a node of a file format.

Activations are whatever the backend makes of them. Parameters are found by the name of their layer, and padding is top, bottom, left,
right.
"""

from fcrnweights.architecture import QUARTET, STAGES, UP_PROJECTIONS


def forward(backend, x):
    """From the image to metres."""
    x = backend.pool(_conv_norm_relu(backend, x, "conv1", "bn_conv1", 2, (3, 3, 3, 3)))
    for stage, letters, _, stride in STAGES:
        for letter in letters:
            x = _bottleneck(backend, x, stage + letter, stride if letter == "a" else 1, letter == "a")
    x = backend.norm(backend.convolution(x, "layer1", 1, (0, 0, 0, 0)), "layer1_BN")
    for tag in UP_PROJECTIONS:
        x = _up_projection(backend, x, f"layer{tag}")
    return backend.relu(backend.convolution(x, "ConvPred", 1, (1, 1, 1, 1)))


def _conv_norm_relu(backend, x, layer: str, norm: str, stride: int, padding: tuple[int, int, int, int]):
    return backend.relu(backend.norm(backend.convolution(x, layer, stride, padding), norm))


def _bottleneck(backend, x, block: str, stride: int, projects: bool):
    none, one = (0, 0, 0, 0), (1, 1, 1, 1)
    y = _conv_norm_relu(backend, x, f"res{block}_branch2a", f"bn{block}_branch2a", stride, none)
    y = _conv_norm_relu(backend, y, f"res{block}_branch2b", f"bn{block}_branch2b", 1, one)
    y = backend.norm(backend.convolution(y, f"res{block}_branch2c", 1, none), f"bn{block}_branch2c")
    if projects:
        x = backend.norm(backend.convolution(x, f"res{block}_branch1", stride, none), f"bn{block}_branch1")
    return backend.relu(backend.add(x, y))


def _up_projection(backend, x, layer: str):
    y = backend.relu(_unpooled(backend, x, f"{layer}_br1"))
    y = backend.norm(backend.convolution(y, f"{layer}_Conv", 1, (1, 1, 1, 1)), f"{layer}_BN")
    return backend.relu(backend.add(y, _unpooled(backend, x, f"{layer}_br2")))


def _unpooled(backend, x, branch: str):
    """Twice the size: four convolutions, interleaved. Even kernels are padded above and at the left."""
    parts = []
    for part in "ABCD":
        rows, columns = QUARTET[part]
        pads = ((1, 0) if rows == 2 else (1, 1)) + ((1, 0) if columns == 2 else (1, 1))
        parts.append(backend.convolution(x, f"{branch}_Conv{part}", 1, pads))
    return backend.norm(backend.interleave(*parts), f"{branch}_BN")
