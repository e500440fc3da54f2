#!/usr/bin/env python3
"""Tables and contact sheet of the refinement methods, and OpenCV's filters beside them.

    swift build -c release
    .build/release/measure render-scenes --seed 301 --count 12 --photographed -o rooms
    Tools/training/measure-refinement.py --rooms rooms --peers --sheet sheet.jpg

prints the table of quality on rendered rooms, and the times at the rooms' size and at 12 megapixels. Real photos, from predictions of the network alone:

    depth predict nyu/rgb/*.jpg --refine none --format npy --output-dir maps
    Tools/training/measure-refinement.py --photos nyu/rgb --truth nyu/depth --maps maps

Edges beside flatness, on rendered rooms with the network's own maps and on real photos:

    depth predict rooms/*[0-9].png --refine none --format npy --output-dir maps
    Tools/training/measure-refinement.py --rooms rooms --maps maps --flatness
    Tools/training/measure-refinement.py --photos nyu/rgb --truth nyu/depth --maps maps --flatness

Needs numpy, scipy, pillow and opencv-contrib-python-headless. With --rooms the input is what a network
might give: the exact depth averaged to 160 × 128, blurred by a Gaussian of --blur pixels, with --noise
metres of white noise. With --photos it is a network's own maps, NAME_depth.npy for each NAME.jpg; truth is
NAME.png, 16 bits in 1/5000 metre.

Columns: rel, rms (metres) and δ1 over the frame; mean error and share of errors above half a metre within
6 pixels of a depth edge (a step of more than 0.3 metres), that share over that of `bilateral`; SI-F1 of Depth
Pro. All are means over images.
"""
import argparse
import pathlib
import subprocess
import tempfile
import time

import cv2
import numpy as np
from PIL import Image
from scipy import ndimage

OWN = ("none", "gaussian", "bilateral", "joint")


def rooms(folder, blur, noise, maps):
    for k, path in enumerate(sorted(pathlib.Path(folder).glob("*_depth.png"))):
        name = path.stem.removesuffix("_depth")
        truth = np.asarray(Image.open(path)).astype(np.float32) / 1000
        photo = np.asarray(Image.open(path.with_name(name + ".png")))
        if maps:
            yield name, photo, truth, np.load(f"{maps}/{name}_depth.npy").astype(np.float32)
            continue
        low = cv2.resize(truth, (160, 128), interpolation=cv2.INTER_AREA)
        if blur > 0:
            low = cv2.GaussianBlur(low, (0, 0), blur)
        low = low + np.random.default_rng(k).normal(0, noise, low.shape)
        yield name, photo, truth, np.maximum(low, 0.1).astype(np.float32)


def frames(args):
    for path in sorted(pathlib.Path(args.maps).glob("*_depth.npy"))[::args.every]:
        name = path.stem.removesuffix("_depth")
        photo = np.asarray(Image.open(f"{args.photos}/{name}.jpg").convert("RGB"))
        truth = np.asarray(Image.open(f"{args.truth}/{name}.png")).astype(np.float32) / 5000
        yield name, photo, truth, np.load(path).astype(np.float32)


def edge_band(truth):
    edge = np.zeros(truth.shape, bool)
    for axis in (0, 1):
        step = np.abs(np.diff(truth, axis=axis)) > 0.3
        low, high = [slice(None)] * 2, [slice(None)] * 2
        low[axis], high[axis] = slice(None, -1), slice(1, None)
        edge[tuple(low)] |= step
        edge[tuple(high)] |= step
    return ndimage.distance_transform_edt(~edge) <= 6 if edge.any() else edge


def boundary_f1(found, truth):
    def ratios(depth):
        pairs = ((depth[:, 1:], depth[:, :-1]), (depth[:, :-1], depth[:, 1:]),
                 (depth[1:], depth[:-1]), (depth[:-1], depth[1:]))
        # Beside an unknown depth there is no edge.
        return [np.divide(a, b, out=np.zeros(a.shape), where=(a > 0) & (b > 0)) for a, b in pairs]

    mine, theirs = ratios(found), ratios(truth)
    thresholds = np.linspace(1.05, 1.25, 10)
    total = 0
    for t in thresholds:
        precision = recall = 0
        for a, b in zip(mine, theirs):
            both = np.count_nonzero((a > t) & (b > t))
            recall += both / max(np.count_nonzero(b > t), 1) / 4
            precision += both / max(np.count_nonzero(a > t), 1) / 4
        total += t * 2 * precision * recall / (precision + recall) if both or precision + recall else 0
    return total / thresholds.sum()


def scores(found, truth):
    if found.shape != truth.shape:
        # Halved truth holds the second pixel of each pair.
        found = found[1::2, 1::2]
    found = np.maximum(found, 0.1)
    error = np.abs(found - truth)
    ratio = np.maximum(found / truth, truth / found)
    band = edge_band(truth)
    return [np.mean(error / truth), np.sqrt(np.mean(error ** 2)), np.mean(ratio < 1.25),
            error[band].mean() if band.any() else np.nan,
            100 * np.mean(error[band] > 0.5) if band.any() else np.nan, boundary_f1(found, truth)]


def own(tool, method, items):
    """Maps by `depth refine`; joint:0.3 is joint at that detail."""
    name, _, detail = method.partition(":")
    with tempfile.TemporaryDirectory() as folder:
        photos, maps = pathlib.Path(folder, "photos"), pathlib.Path(folder, "maps")
        photos.mkdir()
        maps.mkdir()
        for item, photo, _, depth in items:
            Image.fromarray(photo).save(photos / f"{item}.png")
            np.save(maps / f"{item}_depth.npy", depth)
        subprocess.run([tool, "refine", photos, maps, "--refine", name, *(["--detail", detail] if detail else []),
                        "--resolution", "photo", "--format", "npy", "--output-dir", folder, "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        return [np.load(pathlib.Path(folder, f"{item}_depth.npy")) for item, *_ in items]


def fast_bilateral_solver(photo, depth, spatial=8, luma=8, chroma=8, smoothness=128):
    """Barron and Poole 2016 on a simplified bilateral grid; the confidence is 1 where the map is level.

    Minimises λ/2 Σ W (z_i − z_j)² + Σ c (z − t)² over the vertices of the grid by conjugate gradients.
    """
    from scipy.sparse import coo_matrix, diags
    from scipy.sparse.linalg import cg

    height, width = photo.shape[:2]
    target = cv2.resize(depth, (width, height), interpolation=cv2.INTER_LINEAR)
    gy, gx = np.gradient(1 / target)
    confidence = 1 / (1 + (gy ** 2 + gx ** 2) * (target / 0.01) ** 2)
    yuv = cv2.cvtColor(photo, cv2.COLOR_RGB2YCrCb).astype(int)
    y, x = np.mgrid[:height, :width]
    keys = np.stack([y // spatial, x // spatial, yuv[..., 0] // luma, yuv[..., 1] // chroma,
                     yuv[..., 2] // chroma], -1).reshape(-1, 5)
    base = np.array([1, 1 << 10, 1 << 20, 1 << 30, 1 << 40])
    codes, vertex = np.unique(keys @ base, return_inverse=True)
    count = len(codes)
    splat = coo_matrix((np.ones(vertex.size), (vertex, np.arange(vertex.size))), (count, vertex.size)).tocsr()
    blur = 10 * diags(np.ones(count))
    for step in base:
        at = np.searchsorted(codes, codes + step)
        fits = (at < count) & (codes[np.minimum(at, count - 1)] == codes + step)
        i, j = np.nonzero(fits)[0], at[fits]
        link = coo_matrix((np.ones(len(i)), (i, j)), (count, count))
        blur = blur + link + link.T
    mass, n = splat @ np.ones(vertex.size), np.ones(count)
    for _ in range(10):
        n = np.sqrt(n * mass / (blur @ n))
    c = confidence.ravel()
    system = smoothness * (diags(mass) - diags(n) @ blur @ diags(n)) + diags(splat @ c)
    right = splat @ (c / target.ravel())
    start = right / np.maximum(splat @ c, 1e-9)
    solution, _ = cg(system, right, start, rtol=1e-5, maxiter=25)
    return (1 / np.maximum(splat.T @ solution, 0.05)).reshape(height, width).astype(np.float32)


def peers():
    def stretched(photo, depth):
        size = photo.shape[1], photo.shape[0]
        return cv2.resize(depth, size, interpolation=cv2.INTER_LINEAR), photo.astype(np.float32) / 255

    def bilateral(photo, depth):
        depth, guide = stretched(photo, depth)
        return cv2.ximgproc.jointBilateralFilter(guide, depth, 25, 0.05, 20.0)

    def guided(photo, depth):
        depth, guide = stretched(photo, depth)
        return cv2.ximgproc.guidedFilter(guide, depth, 16, 1e-4)

    def domain(photo, depth):
        depth, guide = stretched(photo, depth)
        return cv2.ximgproc.dtFilter(photo, depth, 20, 20, mode=cv2.ximgproc.DTF_RF)

    return {"OpenCV joint bilateral 25×25": bilateral, "OpenCV guided r 16": guided,
            "OpenCV domain transform": domain, "bilateral solver (SciPy)": fast_bilateral_solver}


def best_time(function, runs=5):
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best * 1e3


def picture(depth, low, high):
    shade = np.clip((1 / np.maximum(depth, 0.1) - 1 / high) / (1 / low - 1 / high), 0, 1)
    return np.repeat(np.uint8(shade ** 0.6 * 255)[..., None], 3, 2)


def sheet(path, items, results, rows, width=480):
    lines = []
    for k in rows:
        _, photo, truth, depth = items[k]
        low, high = np.percentile(truth, (2, 98))
        maps = [depth, results["bilateral"][k], results["joint"][k], truth]
        height = width * photo.shape[0] // photo.shape[1]
        cells = [Image.fromarray(photo)] + [Image.fromarray(picture(each, low, high)) for each in maps]
        # The network's pixels stay visible.
        lines.append(np.hstack([np.asarray(cell.resize(
            (width, height), Image.NEAREST if cell.width < width else Image.LANCZOS)) for cell in cells]))
    Image.fromarray(np.vstack(lines)).save(path, quality=85)


def quality(args, items):
    results, bad = {}, {}
    print("%d images\n%-30s    rel    rms     δ1  edge m  bad %%  ÷ bilat.   F1" % (len(items), ""))

    def line(name, maps):
        results[name] = maps
        means = np.nanmean([scores(m, item[2]) for m, item in zip(maps, items)], 0)
        bad[name] = means[4]
        ratio = means[4] / bad["bilateral"] if bad.get("bilateral") else np.nan
        print("%-30s %.4f %.4f %.4f  %.4f %6.2f   %6.3f  %.4f"
              % (name, *means[:5], ratio, means[5]), flush=True)

    for method in args.methods:
        line(method, own(args.tool, method, items))
    if args.peers:
        for name, function in peers().items():
            line(name, [function(photo, depth) for _, photo, _, depth in items])
    return results


def plane_fit(values, radius=15):
    """What a least-squares plane leaves in each window, root mean square, and the window's mean."""
    count = 2 * radius + 1
    ramp, flat = np.arange(-radius, radius + 1) / count, np.full(count, 1 / count)

    def windows(array, across, down):
        return ndimage.correlate1d(ndimage.correlate1d(array, across, 1), down, 0)

    mean, square = windows(values, flat, flat), windows(values ** 2, flat, flat)
    slope = (windows(values, ramp, flat) ** 2 + windows(values, flat, ramp) ** 2) / (ramp @ ramp * count)
    return np.sqrt(np.maximum(square - mean ** 2 - slope, 0)), mean


def patches(truth, luminance):
    """Pixels whose 31 × 31 pixels are known, planar in truth within 1 cm and textured in the photo."""
    bend, mean = plane_fit(np.where(truth > 0, 1 / np.maximum(truth, 1e-3), 0))
    known = plane_fit((truth > 0).astype(float))[1] > 1 - 1e-6
    patch = known & (bend / np.maximum(mean, 1e-3) ** 2 < 0.01) & (plane_fit(luminance)[0] > 0.04)
    inside = np.zeros_like(patch)
    inside[15:-15, 15:-15] = True
    return patch & inside


def near_edges(truth):
    """Known pixels within 6 pixels of a step of more than a quarter of a metre over two pixels."""
    edge = np.zeros(truth.shape, bool)
    for first, second, middle in ((np.s_[:, :-2], np.s_[:, 2:], np.s_[:, 1:-1]), (np.s_[:-2], np.s_[2:], np.s_[1:-1])):
        a, b = truth[first], truth[second]
        edge[middle] |= (a > 0) & (b > 0) & (np.abs(a - b) > 0.25)
    near = ndimage.distance_transform_edt(~edge) <= 6 if edge.any() else edge
    return near & (truth > 0)


def edges_and_flatness(found, truth, luminance):
    """One frame's numbers; the squares of the last four, and NaN without flat textured patches."""
    found, known, edge = np.maximum(found, 1e-3), truth > 0, near_edges(truth)
    error = np.abs(found - truth)
    ratio = found[known] / truth[known]
    row = [np.mean(error[known] / truth[known]), np.sqrt(np.mean(error[known] ** 2)),
           np.mean(np.maximum(ratio, 1 / ratio) < 1.25), error[edge].mean() if edge.any() else np.nan,
           boundary_f1(found, truth)]
    patch = patches(truth, luminance)
    if patch.sum() <= 2000:
        return row + [np.nan] * 4
    disparity = 1 / found
    residual, level = plane_fit(disparity)
    detail = disparity - ndimage.gaussian_filter(disparity, 4)
    a, b = detail / disparity, luminance - ndimage.gaussian_filter(luminance, 4)

    def covariance(a, b):
        mean_a, mean_b, mean = (ndimage.uniform_filter(each, 31) for each in (a, b, a * b))
        return mean - mean_a * mean_b

    deviations = np.sqrt(np.maximum(covariance(a, a) * covariance(b, b), 1e-18))
    # Two views, each from -1 % to 1 % of the width over the range of disparities.
    pixels = 0.04 * found.shape[1] / max(np.ptp(disparity), 1e-9)
    return row + [np.mean(a[patch] ** 2), np.mean((np.abs(covariance(a, b)) / deviations)[patch]),
                  np.mean((residual / level)[patch] ** 2), np.mean((detail * pixels)[patch] ** 2)]


def flatness(args, items):
    """Edges beside flatness; truth of half the photo's size is doubled first."""
    print("%d frames\nmethod           rel     rms      δ1  edge m      F1  fine %%    corr plane %% wobble px" % len(items))
    for method in ["none", "gaussian", "bilateral", "joint", "joint:0.25", "joint:0.75", "joint:1"]:
        rows = []
        for found, (_, photo, truth, _) in zip(own(args.tool, method, items), items):
            scale = photo.shape[0] // truth.shape[0]
            rows.append(edges_and_flatness(found.astype(float), truth.repeat(scale, 0).repeat(scale, 1).astype(float),
                                           photo @ [0.299, 0.587, 0.114] / 255))
        *means, fine, correlation, plane, wobble = np.nanmean(rows, 0)
        means += [100 * fine ** 0.5, correlation, 100 * plane ** 0.5, wobble ** 0.5]
        print("%-12s" % method + "".join("  %.4f" % mean for mean in means), flush=True)


def times(args, items):
    _, photo, _, depth = items[0]
    height, width = photo.shape[:2]
    print("\nbest of 5, milliseconds, 2 threads")
    for size in ([width, height], [4032, 3024]):
        for method in args.methods:
            for soft in ([], ["--soft"]) if method == "joint" else ([],):
                subprocess.run([args.measure, "refinement", "--method", method, *soft, "--width", str(size[0]),
                                "--height", str(size[1])], check=True)
    for name, function in peers().items():
        print("%-30s %.1f" % (name, best_time(lambda: function(photo, depth))), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rooms")
    parser.add_argument("--blur", type=float, default=0.8)
    parser.add_argument("--noise", type=float, default=0.06)
    for name in ("--photos", "--truth", "--maps", "--sheet"):
        parser.add_argument(name)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rows", type=int, nargs="*", default=[0, 3, 5])
    parser.add_argument("--methods", nargs="*", choices=OWN, default=list(OWN))
    parser.add_argument("--peers", action="store_true", help="also OpenCV's filters, and all times")
    parser.add_argument("--flatness", action="store_true", help="flatness beside edges instead")
    parser.add_argument("--tool", default=".build/release/depth")
    parser.add_argument("--measure", default=".build/release/measure")
    args = parser.parse_args()

    cv2.setNumThreads(2)
    items = list(rooms(args.rooms, args.blur, args.noise, args.maps) if args.rooms else frames(args))
    if args.flatness:
        flatness(args, items)
        return
    results = quality(args, items)
    if args.peers:
        times(args, items)
    if args.sheet:
        sheet(args.sheet, items, results, args.rows)


if __name__ == "__main__":
    main()
