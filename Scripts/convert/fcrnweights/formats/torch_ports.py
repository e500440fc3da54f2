"""Names that PyTorch ports give to the layers of FCRN.

Ports seen: XPFly1989/FCRN and its copies, whose own weights lack biases and are refused for that; iapatil/depth-semantic-fully-conv with
mohsaad/Deeper-Depth-Prediction; and dontLoveBugs/FCRN_pytorch, which computes another network, so that its names are not known here.
"""

from collections.abc import Callable, Mapping

import numpy as np

from ..architecture import QUARTET, STAGES, UP_PROJECTIONS, fcrn50
from ..errors import ConversionError

PROJ_AND_SKIP = ("this port pads conv1 by 4: right if the published weights were loaded into it, a pixel off "
                 "if it was trained further")
TORCHVISION = ("this port's encoder may stride on the 3×3 convolutions: right if the published weights were "
               "loaded into it, wrong if it was trained further")


def layer_names(state: Mapping[str, np.ndarray]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Module name there → layer name here, and what to know about the port."""
    modules = {name.rpartition(".")[0] for name in state}
    for names, notes in ((published(), ()), (proj_and_skip(), (PROJ_AND_SKIP,)),
                         (torchvision(), (TORCHVISION,))):
        if modules <= names.keys():
            return {theirs: ours for theirs, ours in names.items() if theirs in modules}, notes
    raise ConversionError(
        "the names in the state dict are those of no port known here, and the order of its tensors does "
        f"not say which layer each is (one is '{sorted(modules)[0]}')")


def published() -> dict[str, str]:
    """A port that keeps the published names."""
    network = fcrn50()
    return {name: name for name in (*network.by_name, *network.norms)}


def torchvision() -> dict[str, str]:
    """XPFly1989's names with torchvision's encoder, from a copy that carries all parameters."""
    return _names(lambda stage, i: f"layer{stage}.{i}", ("downsample.0", "downsample.1"), "up",
                  lambda branch, part: f"conv{branch}_{part}", "conv3")


def proj_and_skip() -> dict[str, str]:
    """iapatil's and mohsaad's names: `proj_layer` for blocks that project, `skip_layer` for others."""
    return _names(lambda stage, i: f"skip_layer{stage}_{i}" if i else f"proj_layer{stage}", ("conv4", "bn4"), "up_conv",
                  lambda branch, part: f"conv{4 * branch + part - 4}", "conv9")


def _names(block: Callable[[int, int], str], projection: tuple[str, str], up: str, quarter: Callable[[int, int], str],
           last: str) -> dict[str, str]:
    """Their names by the numbers of a stage and block, and of a branch and part; `last`: the convolution after them."""
    names = {"conv1": "conv1", "bn1": "bn_conv1", "conv2": "layer1", "bn2": "layer1_BN", "conv3": "ConvPred"}
    for number, (stage, letters, _, _) in enumerate(STAGES, 1):
        for i, letter in enumerate(letters):
            parts = [(f"conv{j}", f"bn{j}", f"branch2{branch}") for j, branch in enumerate("abc", 1)]
            for convolution, norm, branch in parts + ([(*projection, "branch1")] if i == 0 else []):
                names[f"{block(number, i)}.{convolution}"] = f"res{stage}{letter}_{branch}"
                names[f"{block(number, i)}.{norm}"] = f"bn{stage}{letter}_{branch}"
    for i, tag in enumerate(UP_PROJECTIONS, 1):
        for branch in (1, 2):
            names[f"{up}{i}.bn1_{branch}"] = f"layer{tag}_br{branch}_BN"
            for j, part in enumerate(QUARTET, 1):
                names[f"{up}{i}.{quarter(branch, j)}"] = f"layer{tag}_br{branch}_Conv{part}"
        names |= {f"{up}{i}.{last}": f"layer{tag}_Conv", f"{up}{i}.bn2": f"layer{tag}_BN"}
    return names
