"""NumPy's own pickled dictionary, and a checkpoint by a writer of ours."""

from __future__ import annotations

import numpy as np

from ..small_checkpoint import write_checkpoint
from .common import arguments, official

tensors, folder = arguments()
np.save(folder / "NYU_ResNet-UpProj.npy", official(tensors), allow_pickle=True)
write_checkpoint(folder)
