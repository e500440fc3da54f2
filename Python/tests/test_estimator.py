"""Estimates: the same bits as the program's, from every kind of picture and into every kind of array."""

import ctypes.util
import io
import os
import pickle
import subprocess
import threading
import time

import numpy as np
import pytest
from pictures import png, room

import swift_depth


@pytest.mark.parametrize(
    "options, words",
    [
        ({}, []),
        ({"refine": "none"}, ["--refine", "none"]),
        ({"detail": 0.25, "fill": True}, ["--detail", "0.25", "--fill"]),
        ({"size": (30, 40), "focal_length": "26mm"}, ["--resolution", "40x30", "--focal-length", "26mm"]),
        ({"refine": "bilateral", "focal_length": "90°"}, ["--refine", "bilateral", "--fov", "90"]),
        ({"size": "network", "focal_length": "none"}, ["--resolution", "network", "--focal-length", "none"]),
    ],
)
def test_maps_are_those_of_the_program(estimator, predicted, options, words):
    picture = room()
    expected = predicted(picture, *words)
    estimate = estimator.estimate(png(picture), **options)
    assert estimate.depth.dtype == np.float32
    np.testing.assert_array_equal(estimate.depth, expected)
    np.testing.assert_array_equal(estimator.estimate(picture, **options).depth, expected)


def test_kinds_of_pictures(estimator, tmp_path):
    picture = room()
    file = png(picture)
    (tmp_path / "photo.png").write_bytes(file)
    expected = estimator.estimate(picture).depth
    rgba = np.dstack([picture, np.full(picture.shape[:2], 9, np.uint8)])
    wide = np.zeros((48, 80, 3), np.uint8)
    wide[:, 5:69] = picture
    kinds = [
        file, bytearray(file), memoryview(file), tmp_path / "photo.png", str(tmp_path / "photo.png"),
        rgba, wide[:, 5:69], np.asfortranarray(picture), picture[::-1][::-1], picture[..., ::-1][..., ::-1],
    ]
    for photo in kinds:
        np.testing.assert_array_equal(estimator.estimate(photo).depth, expected)
    gray = picture[:, :, 0]
    same = estimator.estimate(np.dstack([gray] * 3)).depth
    np.testing.assert_array_equal(estimator.estimate(gray).depth, same)
    np.testing.assert_array_equal(estimator.estimate(gray[:, :, None]).depth, same)
    # Rows in the opposite order are another picture.
    assert not np.array_equal(estimator.estimate(picture[::-1]).depth, expected)
    portrait = estimator.estimate(room(64, 48), refine="none")
    assert portrait.depth.shape == (240, 192) and portrait.spread is None


class Arrayed:
    """What only says its pixels by `__array__`."""

    def __init__(self, pixels):
        self.pixels = pixels

    def __array__(self, dtype=None, copy=None):
        return self.pixels if dtype is None else self.pixels.astype(dtype)


def test_pixels_of_other_kinds(estimator):
    picture = room()
    expected = estimator.estimate(picture).depth
    kinds = [
        io.BytesIO(png(picture)), Arrayed(picture), picture.tolist(), picture.astype(np.int64), picture.astype(np.uint16),
        picture / 255, (picture / 255).astype(np.float32),
    ]
    for photo in kinds:
        np.testing.assert_array_equal(estimator.estimate(photo).depth, expected)
    for photo in (picture.astype(float), picture / 255 - 1, picture.astype(np.int16) * 2, np.full((4, 4), np.nan)):
        with pytest.raises(swift_depth.InvalidArgumentError, match="expected floats of 0 to 1 or integers of 0 to 255"):
            estimator.estimate(photo)


def test_pictures_of_pillow(estimator):
    image = pytest.importorskip("PIL.Image")
    picture = room()
    pillow = image.fromarray(picture)
    np.testing.assert_array_equal(estimator.estimate(pillow).depth, estimator.estimate(picture).depth)
    palette = pillow.convert("P")
    np.testing.assert_array_equal(
        estimator.estimate(palette).depth, estimator.estimate(np.asarray(palette.convert("RGB"))).depth
    )


@pytest.mark.skipif(ctypes.util.find_library("webp") is None, reason="libwebp is not installed")
def test_files_of_a_library_that_is_loaded(estimator):
    image = pytest.importorskip("PIL.Image")
    picture, file = room(), io.BytesIO()
    image.fromarray(picture).save(file, "WEBP", lossless=True)
    np.testing.assert_array_equal(estimator.estimate(file.getvalue()).depth, estimator.estimate(picture).depth)
    with pytest.raises(swift_depth.DepthError, match="damaged WebP"):
        estimator.estimate(file.getvalue()[:-40])


def test_lists_of_photos_keep_their_order(estimator, tmp_path):
    pictures = [room(seed=seed) for seed in range(5)]
    (tmp_path / "first.png").write_bytes(png(pictures[0]))
    photos = [tmp_path / "first.png", *pictures[1:]]
    estimates = estimator.estimate(photos, refine="none")
    assert len(estimates) == 5
    for picture, estimate in zip(pictures, estimates):
        np.testing.assert_array_equal(estimate.depth, estimator.estimate(picture, refine="none").depth)
    assert estimator.estimate([]) == []
    with pytest.raises(swift_depth.DepthError, match="missing.jpg"):
        estimator.estimate([pictures[0], tmp_path / "missing.jpg", pictures[1]])
    with pytest.raises(swift_depth.InvalidArgumentError, match="single photo"):
        estimator.estimate(pictures, out=np.empty((48, 64), np.float32))


def test_files_that_cannot_be_read_are_os_errors(estimator, tmp_path):
    for path, kind in ((tmp_path / "missing.jpg", FileNotFoundError), (tmp_path, IsADirectoryError)):
        with pytest.raises(kind) as caught:
            estimator.estimate(path)
        assert isinstance(caught.value, swift_depth.DepthError) and caught.value.code == "unreadable"
        assert caught.value.filename == str(path) and str(path) in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [{"size": 5}, {"size": (4,)}, {"size": (4.5, 6)}, {"focal_length": 525.0}, {"detail": "much"}, {"max_pixels": "many"}],
)
def test_options_of_wrong_kinds(estimator, options):
    with pytest.raises(swift_depth.InvalidArgumentError, match=next(iter(options))):
        estimator.estimate(room(), **options)


def test_results_go_into_the_callers_array(estimator):
    picture = room()
    expected = estimator.estimate(picture).depth
    frame = np.full((50, 70), -1, np.float32)
    part = frame[1:49, 2:66]
    assert estimator.estimate(picture, out=part).depth is part
    np.testing.assert_array_equal(frame[1:49, 2:66], expected)
    frame[1:49, 2:66] = -1
    assert (frame == -1).all()
    for wrong in [np.empty((48, 65), np.float32), np.empty((48, 64)), part.T, np.empty((48, 128), np.float32)[:, ::2], 3]:
        with pytest.raises(swift_depth.InvalidArgumentError, match="out is"):
            estimator.estimate(picture, out=wrong)


def test_facts():
    with swift_depth.Estimator(threads=1) as opened:
        estimate = opened.estimate(room(), focal_length="500px")
        assert estimate.focal_length == 500 and estimate.focal_length_source == "given"
        assert 0 < estimate.uncertainty < 1 and estimate.spread is None
        # A Kinect's focal length in a picture of this size is 51.916 pixels.
        assert estimate.depth_factor == pytest.approx((500 / 51.916) ** estimate.focal_exponent, rel=1e-4)
        assert opened.weights_id.endswith("+int8") and len(opened.weights_id) == 64 + len("+int8")
    with swift_depth.Estimator(threads=1, mirrored=True) as mirrored:
        assert mirrored.weights_id.endswith("+mirrored+int8")
        assert mirrored.estimate(room()).spread > 0
    with pytest.raises(ValueError, match="closed"):
        opened.estimate(room())


@pytest.mark.parametrize(
    "photo, options, code",
    [
        (b"", {}, "invalid_argument"),
        (b"hello, world", {}, "unsupported_format"),
        (png(room())[:-40], {}, "damaged"),
        (room().astype(np.float32), {}, "invalid_argument"),
        (room()[:, :, :2], {}, "invalid_argument"),
        (np.zeros((0, 4, 3), np.uint8), {}, "invalid_argument"),
        (7, {}, "invalid_argument"),
        ("a\0b", {}, "invalid_argument"),
        (room(), {"refine": "sharp"}, "invalid_argument"),
        (room(), {"detail": 2}, "invalid_argument"),
        (room(), {"detail": float("nan")}, "invalid_argument"),
        (room(), {"size": "huge"}, "invalid_argument"),
        (room(), {"size": (0, 1 << 70)}, "invalid_argument"),
        (room(), {"focal_length": "wide"}, "invalid_argument"),
        (room(), {"focal_length": "-3mm"}, "invalid_argument"),
        (room(), {"max_pixels": 100}, "too_large"),
        (room(), {"max_pixels": 0}, "invalid_argument"),
    ],
)
def test_what_is_refused(estimator, photo, options, code):
    with pytest.raises(swift_depth.DepthError) as caught:
        estimator.estimate(photo, **options)
    assert caught.value.code == code and str(caught.value)
    assert isinstance(caught.value, ValueError) == (code == "invalid_argument")
    assert pickle.loads(pickle.dumps(caught.value)).code == code


def test_too_many_pixels_are_refused_before_anything_is_copied(estimator):
    class Huge:
        shape = (1 << 20, 1 << 20, 3)

        def __array__(self, *_):
            raise AssertionError("copied")

    with pytest.raises(swift_depth.DepthError) as caught:
        estimator.estimate(Huge())
    assert caught.value.code == "too_large"
    assert str(caught.value) == "the picture: is 1048576×1048576 pixels, expected at most 268435456 in all"


def test_errors_name_the_file(estimator, tmp_path):
    for name, content in [("text.jpg", b"no photo"), ("cut.png", png(room())[:-40]), ("empty.png", b"")]:
        path = tmp_path / name
        path.write_bytes(content)
        for photo in (path, str(path)):
            for call in (estimator.estimate, lambda p: swift_depth.refine(p, np.ones((3, 4)))):
                with pytest.raises(swift_depth.DepthError) as caught:
                    call(photo)
                assert str(caught.value).startswith(f"{path}"), caught.value
        with pytest.raises(swift_depth.DepthError, match="^the picture"):
            estimator.estimate(content)


def test_estimates_are_compared_by_identity(estimator):
    first, second = estimator.estimate(room()), estimator.estimate(room())
    assert first == first and first != second and len({first, second}) == 2


def test_weights_that_are_not_there():
    with pytest.raises(swift_depth.DepthError, match="no such file") as caught:
        swift_depth.Estimator("/nowhere/w.h5")
    assert caught.value.code == "unreadable"
    for wrong in [[], "a\0b"]:
        with pytest.raises(swift_depth.InvalidArgumentError):
            swift_depth.Estimator(wrong)
    with pytest.raises(swift_depth.InvalidArgumentError, match="threads is 0"):
        swift_depth.Estimator(threads=0)
    with pytest.raises(FileNotFoundError), swift_depth.Estimator("compact") as estimator:
        estimator.estimate("/nowhere/photo.jpg")


def test_precision(estimator, predicted):
    assert estimator.precision == "int8"
    picture = room()
    expected = predicted(picture, "--precision", "float32", "--refine", "none")
    with swift_depth.Estimator("compact", threads=1, precision="float32") as floats:
        assert floats.precision == "float32" and estimator.weights_id == floats.weights_id + "+int8"
        np.testing.assert_array_equal(floats.estimate(picture, refine="none").depth, expected)
        assert not np.array_equal(estimator.estimate(picture, refine="none").depth, expected)
        with pickle.loads(pickle.dumps(floats)) as other:
            assert other.precision == "float32"
    with swift_depth.Estimator("compact", precision="auto") as chosen:
        assert chosen.precision == "int8" and chosen.weights_id == estimator.weights_id
    with pytest.raises(ValueError, match="precision is 'float16', expected float32, int8, auto"):
        swift_depth.Estimator("compact", precision="float16")


def test_estimators_are_opened_anew_where_they_are_pickled(estimator):
    with pickle.loads(pickle.dumps(estimator)) as other:
        assert other.weights_id == estimator.weights_id
        np.testing.assert_array_equal(other.estimate(room()).depth, estimator.estimate(room()).depth)


def test_refine_and_stereo(estimator):
    picture = room()
    small = estimator.estimate(picture, refine="none").depth
    expected = estimator.estimate(picture).depth
    np.testing.assert_array_equal(swift_depth.refine(picture, small), expected)
    np.testing.assert_array_equal(swift_depth.refine(png(picture), small.astype(np.float64), threads=1), expected)
    near_white = swift_depth.refine(picture, np.linspace(0, 1, 12).reshape(3, 4), unit="near-white", size=(6, 8))
    assert near_white.shape == (6, 8) and 0 <= near_white.min() < near_white.max() <= 1
    left, right = swift_depth.stereo(picture, expected, maximum_shift=0.05)
    assert left.shape == right.shape == picture.shape and not np.array_equal(left, right)
    for view in swift_depth.stereo(picture, expected, maximum_shift=0):
        np.testing.assert_array_equal(view, picture)
    kept, _ = swift_depth.stereo(picture, expected, balance=0, convergence=None)
    np.testing.assert_array_equal(kept, picture)
    with pytest.raises(swift_depth.DepthError) as caught:
        swift_depth.refine(picture, np.ones((48, 20)))
    assert caught.value.code == "size_mismatch"
    for wrong in [{"unit": "feet"}, {"method": "x"}, {"threads": 1000}]:
        with pytest.raises(ValueError):
            swift_depth.refine(picture, small, **wrong)
    with pytest.raises(ValueError, match="of complex"):
        swift_depth.refine(picture, np.ones((3, 4), complex))
    with pytest.raises(ValueError):
        swift_depth.stereo(picture, expected, maximum_shift=0.9)


def test_normals():
    # A floor 1.5 m below the camera: y is down.
    rows, focal = (np.arange(96) + 0.5 - 48) / 120, 120
    depth = np.tile(np.where(rows > 0, 1.5 / np.maximum(rows, 0.001), 0)[:, None], (1, 128))
    found = swift_depth.normals(depth, focal)
    assert found.shape == (96, 128, 3) and found.dtype == np.float32
    assert np.isnan(found[:48]).all()
    np.testing.assert_allclose(found[50:], np.broadcast_to([0, -1, 0], (46, 128, 3)), atol=1e-3)
    np.testing.assert_array_equal(swift_depth.normals(1 / depth[48:], focal, unit="disparity").shape, (48, 128, 3))
    with pytest.raises(ValueError):
        swift_depth.normals(depth, 0)
    with pytest.raises(swift_depth.DepthError) as caught:
        swift_depth.normals(depth, focal, unit="relative-disparity")
    assert caught.value.code == "unknown_unit"


def test_alignment():
    rows, columns = np.mgrid[:48, :64]
    truth = 2 + columns / 40 + 0.3 * np.sin(rows / 12)
    estimate = 0.8 * (2 + columns / 40)
    sparse = np.where((7 * rows + columns) % 23 == 0, truth, 0)
    photo = np.full((48, 64, 3), 120, np.uint8)
    found = swift_depth.align(photo, estimate, sparse)
    assert found.shape == (48, 64) and found.dtype == np.float32
    assert np.abs(found / truth - 1).mean() < 0.01 < np.abs(1.25 * estimate / truth - 1).mean() / 4
    inverse = swift_depth.align(photo, 1 / estimate, sparse, unit="disparity")
    np.testing.assert_allclose(inverse, found, rtol=1e-3)
    loose = swift_depth.align(photo, estimate, sparse, noise=1.0)
    assert np.abs(loose - found).max() > 0.05
    with pytest.raises(ValueError):
        swift_depth.align(photo, estimate, sparse, noise=0)
    with pytest.raises(swift_depth.DepthError) as caught:
        swift_depth.align(photo, estimate, np.zeros_like(sparse))
    assert caught.value.code == "no_depth"


def test_stereo_in_one_call(estimator, predicted, tmp_path):
    picture = room(240, 320)
    plain, own = tmp_path / "photo.png", tmp_path / "own.jpg"
    predicted(picture, "--depth-photo", str(own))
    for view in swift_depth.stereo(own):  # no network is needed
        assert view.shape == picture.shape
    expected = swift_depth.stereo(own, "embedded", maximum_shift=0.05)
    for view, other in zip(swift_depth.stereo(own, maximum_shift=0.05, estimator=estimator), expected):
        np.testing.assert_array_equal(view, other)
    for depth in ["auto", "network"]:
        left, right = swift_depth.stereo(plain, depth, maximum_shift=0.05, estimator=estimator)
        assert not np.array_equal(left, right)
    with pytest.raises(swift_depth.DepthError, match="photo.png: has no depth map") as caught:
        swift_depth.stereo(plain, "embedded")
    assert caught.value.code == "no_depth"
    with pytest.raises(ValueError, match="depth is 'near'"):
        swift_depth.stereo(plain, "near")


def test_each_pixel_has_its_expected_error(estimator):
    picture = room()
    plain, known = estimator.estimate(picture), estimator.estimate(picture, expected_error=True)
    np.testing.assert_array_equal(plain.depth, known.depth)
    assert plain.expected_error is None and known.expected_error.shape == known.depth.shape
    small = estimator.estimate(picture, refine="none", expected_error=True)
    assert np.isclose(small.expected_error.mean(), small.uncertainty, rtol=1e-3)


def test_calibrations_are_those_of_the_program(estimator, predicted, tmp_path):
    picture = room()
    file = tmp_path / "calibration.json"
    program = os.environ.get("DEPTH", "")
    expected = predicted(picture)
    point = f"20,20={float(expected[20, 20]) * 1.5}m"
    subprocess.run(
        [program, "calibrate", str(tmp_path / "photo.png"), "--at", point, "-o", str(file), "--weights", "compact"], check=True
    )
    expected = predicted(picture, "--calibration", str(file))
    estimate = estimator.estimate(picture, calibration=file)
    np.testing.assert_array_equal(estimate.depth, expected)
    assert estimate.uncertainty is None
    with pytest.raises(ValueError, match="refined by joint, and these are refined by none"):
        estimator.estimate(picture, calibration=file, refine="none")
    with pytest.raises(swift_depth.DepthError, match="missing.json: "):
        estimator.estimate(picture, calibration=tmp_path / "missing.json")


def test_maps_are_written_with_their_unit(estimator, tmp_path):
    estimate = estimator.estimate(room())
    estimate.write(tmp_path / "map.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "map.npy"), estimate.depth)
    swift_depth.write(tmp_path / "map.png", 1 / estimate.depth, unit="disparity")
    assert b"depth:unit\0disparity" in (tmp_path / "map.png").read_bytes()
    with pytest.raises(swift_depth.DepthError, match="map.png: exists already"):
        swift_depth.write(tmp_path / "map.png", estimate.depth, overwrite=False)
    with pytest.raises(swift_depth.DepthError, match="map.tiff"):
        estimate.write(tmp_path / "map.tiff")


def test_several_threads_and_estimators(estimator):
    pictures = [room(seed=seed) for seed in range(6)]
    expected = [estimator.estimate(picture).depth for picture in pictures]
    with swift_depth.Estimator("compact", threads=1) as other:
        found = [None] * 12

        def work(index):
            which = (estimator, other)[index % 2]
            found[index] = which.estimate(pictures[index // 2]).depth

        threads = [threading.Thread(target=work, args=(index,)) for index in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for index, depth in enumerate(found):
        np.testing.assert_array_equal(depth, expected[index // 2])


def test_closing_waits_for_calls():
    other = swift_depth.Estimator("compact", threads=1)
    picture = room(480, 640)
    found = []
    thread = threading.Thread(target=lambda: found.append(other.estimate(picture).depth))
    thread.start()
    while other._users == 0 and thread.is_alive():
        pass
    other.close()
    thread.join()
    assert not other._handle and found[0].shape == (480, 640)
    with pytest.raises(ValueError, match="closed"):
        other.estimate(picture)


def test_the_interpreter_lock_is_released(estimator):
    """Another thread goes on while a call is under way: it never pauses for as long as a call takes."""
    pause, stop = [0.0], threading.Event()

    def tick():
        last = time.perf_counter()
        while not stop.is_set():
            now = time.perf_counter()
            pause[0], last = max(pause[0], now - last), now

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        picture = room(480, 640)
        shares = []
        for _ in range(20):
            start, pause[0] = time.perf_counter(), 0
            estimator.estimate(picture)
            shares.append(pause[0] / (time.perf_counter() - start))
    finally:
        stop.set()
        thread.join()
    # A call with the lock held is one pause. A busy machine makes pauses too, but not in every call.
    assert min(shares) < 0.5, shares


def test_arrays_are_saved_as_they_are(estimator):
    file = io.BytesIO()
    np.save(file, estimator.estimate(room()).depth)
    assert file.tell() == 128 + 4 * 48 * 64


@pytest.mark.parametrize("size", [300, 238, 1050, 0, -14, 308.0, "308"])
def test_input_sizes_that_no_network_takes(size):
    with pytest.raises(swift_depth.InvalidArgumentError, match="expected a multiple of 14 from 252 to 1036"):
        swift_depth.Estimator(input_size=size)


@pytest.mark.parametrize("tokens", [0, 399, 3601, 1200.0, "1200"])
def test_numbers_of_tokens_that_no_network_takes(tokens):
    with pytest.raises(swift_depth.InvalidArgumentError, match="expected 400 to 3600"):
        swift_depth.Estimator(tokens=tokens)


def test_networks_of_one_input_size_take_no_other():
    with pytest.raises(swift_depth.DepthError, match="has one input size"):
        swift_depth.Estimator("compact", input_size=308)
    with pytest.raises(swift_depth.DepthError, match="does not take a number of tokens"):
        swift_depth.Estimator("compact", tokens=1200)


def test_estimates_say_their_unit(estimator):
    assert estimator.estimate(room(), refine="none").unit == "metre"


def test_relative_disparity_is_refined_in_its_unit():
    relative = np.tile(np.linspace(0, 5, 16, dtype=np.float32), (12, 1))
    picture = room()
    refined = swift_depth.refine(picture, relative, unit="relative-disparity")
    assert refined.shape == picture.shape[:2] and refined.min() < 0.5 and refined.max() > 4.5
    # A scale and a shift pass through.
    other = swift_depth.refine(picture, relative * 100 - 7, unit="relative-disparity")
    np.testing.assert_allclose(other, refined * 100 - 7, atol=0.1)
    left, right = swift_depth.stereo(picture, relative, unit="relative-disparity")
    assert left.shape == right.shape == picture.shape and not np.array_equal(left, right)
