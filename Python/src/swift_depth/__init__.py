"""Depth in metres from one photo, on a CPU.

    >>> import swift_depth
    >>> estimator = swift_depth.Estimator()
    >>> estimate = estimator.estimate("photo.jpg")
    >>> estimate.depth.shape
    (480, 640)
"""

from ._arrays import Photo
from ._errors import DepthError, ForkedError, InvalidArgumentError, UnreadableError
from ._estimator import Estimate, Estimator, Size, align, normals, refine, stereo, write
from ._library import version as _version

__version__ = _version()

__all__ = [
    "DepthError",
    "Estimate",
    "Estimator",
    "ForkedError",
    "InvalidArgumentError",
    "Photo",
    "Size",
    "UnreadableError",
    "align",
    "normals",
    "refine",
    "stereo",
    "write",
]
