"""Photos to depth."""

from __future__ import annotations

import ctypes
import math
import numbers
import operator
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Iterator, List, Literal, Optional, Sequence, Tuple, Union, cast, overload

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._arrays import Photo, Unit
from ._errors import ForkedError, InvalidArgumentError
from ._library import EstimateFacts, Map, OpenOptions, RefineOptions, StereoOptions, Views, call, library

#: The size of a map: ``"photo"``, ``"network"`` or (height, width).
Size = Union[Literal["photo", "network"], Tuple[int, int]]
Method = Literal["joint", "none", "bilateral", "gaussian"]
Precision = Literal["float32", "int8", "auto"]
#: What published weights of Depth Anything V2 were trained on.
WeightsKind = Literal["indoor", "outdoor", "relative"]
#: Which depth of a photo is used.
DepthSource = Literal["auto", "network", "embedded"]

_METHODS = ("joint", "none", "bilateral", "gaussian")
_SIZES = {"photo": 1, "network": 2}
# The place of a name is its number in depth.h.
_FOCAL_LENGTH_SOURCES = ("exif", "given", "assumed", "estimated")
_PRECISIONS = ("float32", "int8", "auto")
_WEIGHTS_KINDS = (None, "indoor", "outdoor", "relative")
_DEPTH_SOURCES = ("auto", "network", "embedded")


# Without `==`, which arrays do not answer by one truth value.
@dataclass(frozen=True, eq=False)
class Estimate:
    """A photo's depth, and how far off it may be.

    Attributes:
        depth: Metres along the optical axis, ``float32`` of shape (height, width); larger is farther. A value that is
            not positive or not finite means that nothing is known. Of weights that know no metres it is relative
            disparity, which :attr:`unit` says.
        focal_length: Of the camera that the photo is taken to come from, pixels.
        focal_length_source: ``exif``, ``given``, ``assumed`` or, by the network, ``estimated``.
        spread: How far the averaged maps disagree; ``None`` where there is one only.
        uncertainty: The relative error to expect of a photo of the training camera, such as .15; about twice that of others; ``None``
            where it is not known.
        depth_factor: The factor for the focal length that metres contain; ``None`` for relative disparity.
        focal_exponent: The exponent of the ratio of focal lengths in it; ``None`` for relative disparity.
        unit: ``metre``, or ``relative-disparity``: scale / metres + shift, neither of which anybody knows; larger is
            nearer, 0 is a value, and no distance follows from it.
        expected_error: The relative error to expect of each pixel of :attr:`depth`, ``float32`` of its shape; ``None``
            unless it was asked for.
    """

    depth: npt.NDArray[np.float32]
    focal_length: float
    focal_length_source: str
    spread: Optional[float]
    uncertainty: Optional[float]
    depth_factor: Optional[float]
    focal_exponent: Optional[float]
    unit: Unit = "metre"
    expected_error: Optional[npt.NDArray[np.float32]] = None

    def write(self, path: Union[str, "os.PathLike[str]"], *, overwrite: bool = True) -> None:
        """Writes :attr:`depth` with its unit to a depth file; see :func:`write`."""
        write(path, self.depth, unit=self.unit, overwrite=overwrite)


def _options(
    refine: Method,
    detail: Optional[float],
    size: Optional[Size],
    fill: bool,
    focal_length: Optional[str] = None,
    threads: Optional[int] = None,
    calibration: Optional[Union[str, "os.PathLike[str]"]] = None,
) -> RefineOptions:
    if refine not in _METHODS:
        raise InvalidArgumentError(f"refine is {refine!r}, expected {', '.join(_METHODS)}")
    if detail is not None and not (isinstance(detail, numbers.Real) and 0 <= detail <= 1):
        raise InvalidArgumentError(f"detail is {detail}, expected 0 to 1")
    options = RefineOptions(
        threads=_threads(threads),
        method=_METHODS.index(refine),
        detail=-1 if detail is None else detail,
        fill=1 if fill else 0,
    )
    if isinstance(size, str):
        if size not in _SIZES:
            raise InvalidArgumentError(f"size is {size!r}, expected 'photo', 'network' or (height, width)")
        options.size = _SIZES[size]
    elif size is not None:
        options.size = 3
        try:
            options.height, options.width = (min(max(operator.index(side), 0), 1 << 30) for side in size)
        except (TypeError, ValueError):
            raise InvalidArgumentError(f"size is {size!r}, expected 'photo', 'network' or (height, width)") from None
    options.focal_length_kind, options.focal_length = _focal_length(focal_length)
    if calibration is not None:
        options.calibration = _path(calibration, "calibration")
    return options


def _path(path: Union[str, "os.PathLike[str]"], name: str) -> bytes:
    encoded = os.fsencode(path)
    if not encoded or 0 in encoded:
        raise InvalidArgumentError(f"{name} is {path!r}, expected a path")
    return encoded


def _focal_length(text: Optional[str]) -> Tuple[int, float]:
    kinds = {"px": 1, "mm": 2, "°": 3}
    if text is None:
        return 0, 0.0
    if text == "none":
        return 4, 0.0
    for ending, kind in kinds.items():
        if isinstance(text, str) and text.endswith(ending):
            try:
                return kind, float(text[: -len(ending)])
            except ValueError:
                break
    raise InvalidArgumentError(f"focal_length is {text!r}, expected '26mm', '525px', '63°' or 'none'")


def _threads(threads: Optional[int]) -> int:
    if threads is None:
        return 0
    if not isinstance(threads, numbers.Integral) or not 1 <= threads <= 256:
        raise InvalidArgumentError(f"threads is {threads}, expected 1 to 256")
    return threads


def _input_size(input_size: Optional[int]) -> int:
    if input_size is None:
        return 0
    # Which of them the weights take, the library says.
    sides = (range(252, 1037, 14), range(192, 1025, 32))
    if not isinstance(input_size, numbers.Integral) or not any(input_size in side for side in sides):
        raise InvalidArgumentError(
            f"input_size is {input_size}, expected a multiple of 14 from 252 to 1036, or a multiple of 32 from 192 to 1024"
        )
    return int(input_size)


def _tokens(tokens: Optional[int]) -> int:
    if tokens is None:
        return 0
    if not isinstance(tokens, numbers.Integral) or not 400 <= tokens <= 3600:
        raise InvalidArgumentError(f"tokens is {tokens}, expected 400 to 3600")
    return int(tokens)


def _pixels(max_pixels: Optional[int]) -> int:
    if max_pixels is not None and not (isinstance(max_pixels, numbers.Integral) and 1 <= max_pixels < 1 << 62):
        raise InvalidArgumentError(f"max_pixels is {max_pixels}, expected at least 1")
    return max_pixels or 0


class Estimator:
    """Loaded weights; estimates the depth of photos.

    Several threads may use one estimator, and a process may have several. It closes when nothing refers to it, at the
    end of a ``with`` block, or by :meth:`close`. Unpickling it opens a new one with the same arguments.

    Args:
        weights: ``default``, ``compact``, the name of a published network such as ``depth-anything-v2-small``, the path of a file (HDF5,
            or published weights: ``.safetensors``, ``.pth``, ``.pt``), or several, which give one estimate together. The environment variable
            ``DEPTH_WEIGHTS`` replaces ``default``.
        threads: 1 to 256; by default all processors, at most ``OMP_NUM_THREADS``. Calls at the same time divide
            them.
        mirrored: Whether to average with the mirrored photo, in twice the time.
        precision: The networks' arithmetic: ``float32``; ``int8``, which takes about half the time for nearly the same
            depth and needs weights with scales; or ``auto``, which is ``int8`` if the weights record a small loss.
        input_size: The shorter side of the input of a network that keeps a photo's proportions: a multiple of 14 from 252 to 1036
            for Depth Anything V2, 518 by default; of 32 from 192 to 1024 for ZipDepth, 384 by default.
        weights_kind: What published weights were trained on, where neither their name nor the ``config.json`` beside them says it.
        metres: Weights in metres, such as ``default``, that maps of relative weights are fitted to; maps are then in metres. By
            default relative maps stay relative.
        tokens: The number of patches of a photo that MoGe-2 reads, 400 to 3600; 1200 by default.

    Raises:
        DepthError: The weights are missing or damaged, or have no scales for ``int8``.
    """

    def __init__(
        self,
        weights: Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]] = "default",
        *,
        threads: Optional[int] = None,
        mirrored: Optional[bool] = None,
        precision: Precision = "auto",
        input_size: Optional[int] = None,
        weights_kind: Optional[WeightsKind] = None,
        metres: Optional[Union[str, "os.PathLike[str]"]] = None,
        tokens: Optional[int] = None,
    ) -> None:
        self._handle = ctypes.c_void_p()
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._users = 0
        self._is_closed = False
        self._arguments = (weights, threads, mirrored, precision, input_size, weights_kind, metres, tokens)
        names = [weights] if isinstance(weights, (str, os.PathLike)) else list(weights)
        encoded = [os.fsencode(name) for name in names]
        if not encoded or any(0 in name for name in encoded):
            raise InvalidArgumentError(f"weights is {weights!r}, expected names or paths")
        if precision not in _PRECISIONS:
            raise InvalidArgumentError(f"precision is {precision!r}, expected {', '.join(_PRECISIONS)}")
        if weights_kind not in _WEIGHTS_KINDS:
            raise InvalidArgumentError(f"weights_kind is {weights_kind!r}, expected indoor, outdoor or relative")
        options = OpenOptions(
            threads=_threads(threads),
            weights=(ctypes.c_char_p * len(encoded))(*encoded),
            weights_count=len(encoded),
            mirrored=-1 if mirrored is None else int(mirrored),
            precision=_PRECISIONS.index(precision),
            input_size=_input_size(input_size),
            weights_kind=_WEIGHTS_KINDS.index(weights_kind),
            tokens=_tokens(tokens),
            metres=None if metres is None else _path(metres, "metres"),
        )
        call("depth_open", byref(options), byref(self._handle))

    def __reduce__(self) -> Tuple[Any, ...]:
        return _open, self._arguments

    def __enter__(self) -> "Estimator":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_lock"):
            self.close()

    def close(self) -> None:
        """Frees the weights once no call uses them."""
        # What the parent's threads were doing when it forked is not known here; the memory goes with the process.
        if os.getpid() != self._process:
            return
        with self._lock:
            self._is_closed = True
            self._free_if_unused()

    def _free_if_unused(self) -> None:
        if self._is_closed and self._users == 0 and self._handle:
            library.depth_close(self._handle)
            self._handle = ctypes.c_void_p()

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise ForkedError(
                f"the estimator was opened by process {self._process} and this is its child {os.getpid()}, "
                "expected an estimator opened after fork"
            )

    @contextmanager
    def _used(self) -> Iterator[ctypes.c_void_p]:
        """The handle, which stays valid inside the block."""
        self._check_process()
        with self._lock:
            if self._is_closed:
                raise InvalidArgumentError("the estimator is closed")
            self._users += 1
        try:
            yield self._handle
        finally:
            with self._lock:
                self._users -= 1
                self._free_if_unused()

    @property
    def precision(self) -> str:
        """What the networks compute with, ``float32`` or ``int8``: what ``auto`` has chosen."""
        precision = ctypes.c_int32()
        with self._used() as handle:
            call("depth_precision", handle, byref(precision))
        return _PRECISIONS[precision.value]

    @property
    def weights_id(self) -> str:
        """What identifies the weights and how they are used: ``weights_id`` of ``depth predict --json``."""
        needed = ctypes.c_uint64()
        with self._used() as handle:
            call("depth_weights_id", handle, None, 0, byref(needed))
            text = ctypes.create_string_buffer(needed.value)
            call("depth_weights_id", handle, text, needed.value, None)
        return text.value.decode()

    # A list of rows is a picture, a list of pictures is several: by their elements, which types cannot tell apart.
    @overload
    def estimate(  # type: ignore[overload-overlap]
        self,
        photo: Photo,
        *,
        refine: Method = "joint",
        detail: Optional[float] = None,
        size: Optional[Size] = None,
        fill: bool = False,
        focal_length: Optional[str] = None,
        calibration: Optional[Union[str, "os.PathLike[str]"]] = None,
        expected_error: bool = False,
        max_pixels: Optional[int] = None,
        out: Optional[npt.NDArray[np.float32]] = None,
    ) -> Estimate: ...

    @overload
    def estimate(
        self,
        photo: Sequence[Photo],
        *,
        refine: Method = "joint",
        detail: Optional[float] = None,
        size: Optional[Size] = None,
        fill: bool = False,
        focal_length: Optional[str] = None,
        calibration: Optional[Union[str, "os.PathLike[str]"]] = None,
        expected_error: bool = False,
        max_pixels: Optional[int] = None,
    ) -> List[Estimate]: ...

    def estimate(
        self,
        photo: Union[Photo, Sequence[Photo]],
        *,
        refine: Method = "joint",
        detail: Optional[float] = None,
        size: Optional[Size] = None,
        fill: bool = False,
        focal_length: Optional[str] = None,
        calibration: Optional[Union[str, "os.PathLike[str]"]] = None,
        expected_error: bool = False,
        max_pixels: Optional[int] = None,
        out: Optional[npt.NDArray[np.float32]] = None,
    ) -> Union[Estimate, List[Estimate]]:
        """The depth of a photo: the map of ``depth predict`` to the bit, in metres unless the weights are relative.

        Args:
            photo: The path of a photo file, its bytes, an open file, or upright pixels (:data:`swift_depth.Photo`). A list or
                tuple of photos gives a list of estimates in the same order; as many are computed at once as the
                estimator has threads.
            refine: ``joint``, ``bilateral``, ``gaussian`` or ``none``.
            detail: How strongly ``joint`` follows the photo, 0 to 1.
            size: ``photo``, ``network`` or (height, width); ``photo`` unless ``refine`` is ``none``.
            fill: Whether missing pixels are filled from their neighbors.
            focal_length: ``26mm`` (35 mm equivalent), ``525px``, ``63°`` along the longer side, or ``none`` for no
                correction; by default from the file's Exif block.
            calibration: The path of a file that ``depth calibrate`` wrote with the same weights and ``refine``; the map gets its
                correction.
            expected_error: Whether the estimate gets the relative error to expect of each pixel, for which weights need
                a second output, as ``default`` has.
            max_pixels: The largest photo or map.
            out: An array for the map, of its size and ``float32``.

        Raises:
            DepthError: The photo cannot be read, or has no depth; of several photos, the first such one.
        """
        self._check_process()
        if _arrays.is_sequence_of_photos(photo):
            if out is not None:
                raise InvalidArgumentError("out takes one map, expected a single photo")
            return self._estimate_each(
                cast(Sequence[Photo], photo), refine=refine, detail=detail, size=size, fill=fill, focal_length=focal_length,
                calibration=calibration, expected_error=expected_error, max_pixels=max_pixels,
            )
        photo = cast(Photo, photo)
        options = _options(refine, detail, size, fill, focal_length, calibration=calibration)
        picture, owner = _arrays.picture(photo, _pixels(max_pixels))
        asked, facts = Map(), EstimateFacts()
        with self._used() as handle, _arrays.named(photo):
            call("depth_estimate", handle, byref(picture), byref(options), byref(asked), None)
            target, depth = _arrays.result((asked.height, asked.width), out)
            errors: Optional[npt.NDArray[np.float32]] = None
            if expected_error:
                error_map, errors = _arrays.result((asked.height, asked.width), None)
                facts.expected_error = ctypes.pointer(error_map)
            call("depth_estimate", handle, byref(picture), byref(options), byref(target), byref(facts))
        del owner
        return Estimate(
            depth=depth,
            focal_length=facts.focal_length,
            focal_length_source=_FOCAL_LENGTH_SOURCES[facts.focal_length_source],
            spread=None if math.isnan(facts.spread) else facts.spread,
            uncertainty=None if math.isnan(facts.uncertainty) else facts.uncertainty,
            depth_factor=None if math.isnan(facts.depth_factor) else facts.depth_factor,
            focal_exponent=None if math.isnan(facts.focal_exponent) else facts.focal_exponent,
            unit=cast(Unit, _arrays.UNITS[asked.unit]),
            expected_error=errors,
        )

    def _estimate_each(self, photos: Sequence[Photo], **options: Any) -> List[Estimate]:
        workers = max(1, min(len(photos), self._arguments[1] or len(os.sched_getaffinity(0))))

        def estimated(photo: Photo) -> Estimate:
            return self.estimate(photo, **options)

        with ThreadPoolExecutor(workers) as pool:
            pending = [pool.submit(estimated, photo) for photo in photos]
            try:
                return [estimate.result() for estimate in pending]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _open(
    weights: Any,
    threads: Optional[int],
    mirrored: Optional[bool],
    precision: Precision,
    input_size: Optional[int] = None,
    weights_kind: Optional[WeightsKind] = None,
    metres: Optional[Union[str, "os.PathLike[str]"]] = None,
    tokens: Optional[int] = None,
) -> Estimator:
    return Estimator(
        weights,
        threads=threads,
        mirrored=mirrored,
        precision=precision,
        input_size=input_size,
        weights_kind=weights_kind,
        metres=metres,
        tokens=tokens,
    )


def refine(
    photo: Photo,
    depth: npt.NDArray[Any],
    *,
    unit: Unit = "metre",
    method: Method = "joint",
    detail: Optional[float] = None,
    size: Optional[Size] = None,
    fill: bool = False,
    threads: Optional[int] = None,
    max_pixels: Optional[int] = None,
    out: Optional[npt.NDArray[np.float32]] = None,
) -> npt.NDArray[np.float32]:
    """Any depth map with the edges of its photo, in the same unit.

    Args:
        photo: As in :meth:`Estimator.estimate`.
        depth: A map of the photo's proportions, or as the network gives it; (height, width) of numbers.
        unit: ``metre``, ``disparity`` (1 / metres), ``near-white`` (1 nearest, 0 farthest), ``near-black`` or
            ``relative-disparity``.
        method: ``joint``, ``bilateral``, ``gaussian`` or ``none``.
        detail: How strongly ``joint`` follows the photo, 0 to 1.
        size: ``photo``, ``network`` for that of ``depth``, or (height, width).
        fill: Whether missing pixels are filled from their neighbors.
        threads: 1 to 256; by default as many as there are processors.
        max_pixels: The largest photo or map.
        out: An array for the result, of its size and ``float32``.

    Raises:
        DepthError: The photo cannot be read, or the map is not of its proportions.
    """
    options = _options(method, detail, size, fill, threads=threads)
    picture, owner = _arrays.picture(photo, _pixels(max_pixels))
    source, values = _arrays.depth_map(depth, unit)
    asked = Map()
    with _arrays.named(photo):
        call("depth_refine", byref(picture), byref(source), byref(options), byref(asked))
        target, result = _arrays.result((asked.height, asked.width), out)
        call("depth_refine", byref(picture), byref(source), byref(options), byref(target))
    del owner, values
    return result


def align(
    photo: Photo,
    depth: npt.NDArray[Any],
    sparse: npt.NDArray[Any],
    *,
    unit: Unit = "metre",
    noise: float = 0.01,
    max_pixels: Optional[int] = None,
) -> npt.NDArray[np.float32]:
    """A depth map moved to known distances at some of its pixels, as by ``depth refine --sparse``.

    Args:
        photo: As in :meth:`Estimator.estimate`.
        depth: A map of the photo's proportions; (height, width) of numbers.
        sparse: Metres, 0 or NaN where no distance is known; covers the photo, and may have any size.
        unit: That of ``depth``, as in :func:`refine`.
        noise: The standard deviation of the known distances, as a share of each.
        max_pixels: The largest photo or map.

    Returns:
        Metres, of the size of ``depth``.

    Raises:
        DepthError: The photo cannot be read, a map is not of its proportions, or the points contradict the map.
    """
    picture, owner = _arrays.picture(photo, _pixels(max_pixels))
    source, values = _arrays.depth_map(depth, unit)
    points, distances = _arrays.depth_map(sparse, "metre")
    target, result = _arrays.result((source.height, source.width), None)
    with _arrays.named(photo):
        call("depth_align", byref(picture), byref(source), byref(points), noise, byref(target))
    del owner, values, distances
    return result


def normals(depth: npt.NDArray[Any], focal_length: float, *, unit: Unit = "metre") -> npt.NDArray[np.float32]:
    """The surface normal of each pixel, by planes through its neighbors on the same surface.

    Args:
        depth: A map in metres or disparity, (height, width) of numbers.
        focal_length: Pixels of the map; :attr:`Estimate.focal_length` for a map of the photo's size.
        unit: Of the map, ``metre`` or ``disparity``.

    Returns:
        (height, width, 3) of ``float32``: x right, y down, z forward, so that what faces the camera has z < 0; NaN where
        there is no depth.

    Raises:
        DepthError: The map has no value, or is neither in metres nor in disparity.
    """
    source, values = _arrays.depth_map(depth, unit)
    asked = Map()
    call("depth_normals", byref(source), focal_length, byref(asked))
    target, result = _arrays.result((asked.height, asked.width), None)
    call("depth_normals", byref(source), focal_length, byref(target))
    del values
    return result.reshape(asked.height, asked.width // 3, 3)


def write(
    path: Union[str, "os.PathLike[str]"], depth: npt.NDArray[Any], *, unit: Unit = "metre", overwrite: bool = True
) -> None:
    """Writes a depth file, as ``depth predict`` does.

    Args:
        path: Its extension selects the format: ``.png`` (16 bits, millimetres for metres), ``.pfm``, ``.npy``, ``.npz``
            (arrays ``depth`` and ``unit``) or ``.exr``. PNG, NPZ and EXR say the unit of their values, PFM and NPY mark relative disparity.
        depth: A map, (height, width) of numbers.
        unit: Of the map, as in :func:`refine`.
        overwrite: Whether a file of this name may be replaced.

    Raises:
        DepthError: The format does not hold the unit, or the file cannot be written.
    """
    source, values = _arrays.depth_map(depth, unit)
    call("depth_write", byref(source), _path(path, "path"), 1 if overwrite else 0)
    del values


def stereo(
    photo: Photo,
    depth: Union[npt.NDArray[Any], DepthSource] = "auto",
    *,
    estimator: Optional[Estimator] = None,
    unit: Unit = "metre",
    maximum_shift: float = 0.01,
    convergence: Optional[float] = 0.5,
    balance: float = 0.5,
    threads: Optional[int] = None,
    max_pixels: Optional[int] = None,
) -> Tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """The photo as the left and the right eye would see it.

    Args:
        photo: As in :meth:`Estimator.estimate`.
        depth: A map of the photo, (height, width) of numbers; or ``auto``, which takes the depth inside the photo (a
            portrait photo's) if there is some and otherwise the network's; ``network``; or ``embedded``.
        estimator: Estimates depth where it is the network's; by default the default weights are loaded for the call.
        unit: Of a map, as in :func:`refine`.
        maximum_shift: The largest movement of a point in each view, as a fraction of the width.
        convergence: The depth in the plane of the screen, 0 the farthest to 1 the nearest; ``None`` for that of the photo's middle.
        balance: 0 keeps the photo as the left view, 1 as the right one, .5 moves both by half.
        threads: 1 to 256; by default as many as there are processors.
        max_pixels: The largest photo or map.

    Returns:
        Two arrays of ``uint8``, (height, width, 3), RGB.

    Raises:
        DepthError: The photo cannot be read, the map is not of its proportions, or ``embedded`` finds no depth.
    """
    if isinstance(depth, str) and depth not in _DEPTH_SOURCES:
        raise InvalidArgumentError(f"depth is {depth!r}, expected a map, {', '.join(_DEPTH_SOURCES)}")
    if convergence is not None and not 0 <= convergence <= 1:
        raise InvalidArgumentError(f"convergence is {convergence}, expected 0 to 1, or None")
    options = StereoOptions(
        threads=_threads(threads),
        maximum_shift=maximum_shift,
        convergence=-1 if convergence is None else convergence,
        balance=balance,
    )
    picture, owner = _arrays.picture(photo, _pixels(max_pixels))
    source: Any = None
    values: Any = None
    if isinstance(depth, str):
        options.depth_source = _DEPTH_SOURCES.index(depth)
    else:
        given, values = _arrays.depth_map(depth, unit)
        source = byref(given)
    views = Views()
    with ExitStack() as stack:
        stack.enter_context(_arrays.named(photo))
        if source is None and estimator is not None:
            options.estimator = stack.enter_context(estimator._used())
        call("depth_stereo", byref(picture), source, byref(options), byref(views))
        left, right = (np.empty((views.height, views.width, 3), dtype=np.uint8) for _ in range(2))
        views.left, views.right, views.byte_count = left.ctypes.data, right.ctypes.data, left.nbytes
        call("depth_stereo", byref(picture), source, byref(options), byref(views))
    del owner, values
    return left, right
