"""Other photographs the same camera could have taken, a batch at a time, on the batch's device."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from .frames import MILLIMETRES

LUMINANCE = (0.299, 0.587, 0.114)
#: Share of a landscape frame's width that a portrait view of its full height shows, and of an upright frame's height that a
#: landscape view of its full width shows: 3/4 over 4/3.
PORTRAIT_WIDTH = (3 / 4) ** 2


@dataclass(frozen=True)
class Augmentation:
    """How far views may differ from their photographs."""

    smallest_crop: float = 0.6  # of the frame's sides
    whole_frames: float = 0.2  # share of views that are not cropped
    aspect: float = 0.06  # natural logarithm of the largest change
    degrees: float = 4.0
    gamma: float = 0.3  # natural logarithms of the largest changes of colour
    gain: float = 0.25
    tint: float = 0.1
    grey: float = 0.06  # share of views without colour
    zoomed: float = 0.0  # share of views cropped further, down to `smallest_zoom`
    smallest_zoom: float = 0.35
    tilted: float = 0.0  # share of views turned by up to `most_tilted` degrees
    most_tilted: float = 15.0
    noisy: float = 0.0  # share of views with a sensor's noise
    noise: float = 10.0  # its largest standard deviation, of 255
    blurred: float = 0.0  # share of views that a poorer lens took


#: Of frames of other cameras, many of which look down at a table: few frames, so their views differ more.
OTHER_CAMERAS = Augmentation(smallest_crop=0.5, whole_frames=0.3, degrees=6, zoomed=0.2, tilted=0.5, most_tilted=30, noisy=0.3,
                             blurred=0.3)


@dataclass(frozen=True)
class Views:
    """What a network is shown and should say."""

    pixels: Tensor  # (N, 3, H, W), 0…255, with another exposure and white balance
    depth: Tensor  # (N, h, w), metres as the cropped view suggests; 0 where nothing is known, below on glass
    error: Tensor | None = None  # (N, h, w), |ln prediction − ln truth| of a network that has not seen the frame; NaN elsewhere


def joined(parts: list[Views]) -> Views:
    """Views of one size, without errors of others' networks, one after another."""
    return Views(torch.cat([part.pixels for part in parts]), torch.cat([part.depth for part in parts]))


def output_size(height: int, width: int) -> tuple[int, int]:
    """Of the depth map that FCRN makes of a picture: sixteen times the 32nd part, rounded up."""
    return 16 * -(-height // 32), 16 * -(-width // 32)


def views(pictures: Tensor, depth: Tensor, height: int, width: int, how: Augmentation,
          random: torch.Generator, error: Tensor | None = None, focal_exponent: float = 1) -> Views:
    """Random views of `pictures` (N, 3, …) bytes and `depth` (N, …) millimetres; portrait ones if `height` exceeds `width`.

    A crop to a share c of the frame looks like the whole frame of a camera with 1/c the focal length, in
    which everything is as large as from c times as near: so depth is multiplied by c (Eigen et al. 2014,
    section 3.4), to the power of `focal_exponent`, with which the estimator multiplies it again.
    """
    count = len(pictures)
    uniform = _Uniform(count, pictures.device, random)
    crop = uniform(how.smallest_crop, 1)
    crop = torch.where(uniform(0, 1) < how.whole_frames, torch.ones_like(crop), crop)
    if how.zoomed > 0:
        crop = torch.where(uniform(0, 1) < how.zoomed, uniform(how.smallest_zoom, how.smallest_crop), crop)
    grid, crop = _placement(crop, uniform, how, width / height, upright=pictures.shape[2] > pictures.shape[3])
    # Twice as many samples of a large picture, averaged, so that a whole frame is not aliased.
    finer = 2 if min(pictures.shape[2:]) > 1.4 * min(height, width) else 1
    sampling = F.affine_grid(grid, [count, 3, finer * height, finer * width], align_corners=False)
    pixels = F.grid_sample(pictures.float(), sampling, "bilinear", "reflection", align_corners=False)
    pixels = F.avg_pool2d(pixels, finer)
    rows, columns = output_size(height, width)
    sampling = F.affine_grid(grid, [count, 1, rows, columns], align_corners=False)
    cropped = F.grid_sample(depth[:, None].float(), sampling, "nearest", "zeros", align_corners=False)[:, 0]
    metres = cropped * (crop ** focal_exponent / MILLIMETRES).view(-1, 1, 1)
    if error is not None:
        error = F.grid_sample(error[:, None].float(), sampling, "nearest", "zeros", align_corners=False)[:, 0]
    return Views(_degraded(_recoloured(pixels, uniform, how), uniform, how, random), metres, error)


class Rectangles:
    """One rectangle of each of `share` of the frames, a tenth to half of its area, of any place.

    Pasted into a frame from another at its place there, with its depth: both are seen by one camera, so either part's depth stays
    what it was. Source: S. Yun et al., "CutMix", ICCV 2019, equations 1 and 2.
    """

    def __init__(self, count: int, share: float, random: torch.Generator, device: torch.device) -> None:
        chance, area, across, down = torch.rand((4, count), generator=random, device=random.device).to(device)
        self.side = (0.1 + 0.4 * area).sqrt() * (chance < share)
        self.top, self.left = (1 - self.side) * down, (1 - self.side) * across

    def pasted(self, frames: Tensor, others: Tensor) -> Tensor:
        """`frames` (N, …, H, W) with the rectangles of `others`, at their place there."""
        height, width = frames.shape[-2:]
        inside = self._within(self.top, height)[:, :, None] & self._within(self.left, width)[:, None, :]
        return torch.where(inside.view(-1, *[1] * (frames.ndim - 3), height, width), others, frames)

    def _within(self, start: Tensor, pixels: int) -> Tensor:
        at = (torch.arange(pixels, device=start.device) + 0.5) / pixels
        return (at >= start[:, None]) & (at < (start + self.side)[:, None])


def blended(pictures: Tensor, others: Tensor, share: float, random: torch.Generator) -> Tensor:
    """A `share` of the pictures (N, 3, H, W) shines through another picture, by any weights.

    Source: H. Zhang et al., "mixup", ICLR 2018, equation 1, with weights between 0 and 1 at even chance.
    """
    chance, weight = torch.rand((2, len(pictures), 1, 1, 1), generator=random, device=random.device).to(pictures.device)
    weight = torch.where(chance < share, weight, torch.zeros_like(weight))
    return torch.lerp(pictures.float(), others.float(), weight)


class _Uniform:
    """One random number a sample and channel."""

    def __init__(self, count: int, device: torch.device, random: torch.Generator) -> None:
        self.count, self.device, self.random = count, device, random

    def __call__(self, low: float, high: float, channels: int = 0) -> Tensor:
        shape = (self.count, channels) if channels else (self.count,)
        drawn = torch.rand(shape, generator=self.random, device=self.random.device)
        return low + (high - low) * drawn.to(self.device)


def _placement(crop: Tensor, uniform: _Uniform, how: Augmentation, aspect: float, upright: bool) -> tuple[Tensor, Tensor]:
    """(N, 2, 3): where in the photograph, −1…1, a view's pixels lie; (N,): the share of its sides that is seen.

    A stretched view is cut where the frame ends, and shows less than `crop`. The share is the geometric
    mean of both sides: taking `crop` for it taught that whole frames are 1.5 % deeper than they are.
    """
    stretch = uniform(-how.aspect, how.aspect).exp()
    angle = uniform(-1, 1) * math.radians(how.degrees)
    if how.tilted > 0:
        far = uniform(-1, 1) * math.radians(how.most_tilted)
        angle = torch.where(uniform(0, 1) < how.tilted, far, angle)
    widest = PORTRAIT_WIDTH if aspect < 1 and not upright else 1.0
    tallest = PORTRAIT_WIDTH if aspect >= 1 and upright else 1.0
    across, down = (crop * stretch * widest).clamp(max=1), (crop / stretch * tallest).clamp(max=1)
    mirrored = torch.where(uniform(0, 1) < 0.5, -1.0, 1.0)
    first = (across * angle.cos() * mirrored, -across * angle.sin() / aspect, uniform(-1, 1) * (1 - across))
    second = (down * angle.sin() * aspect * mirrored, down * angle.cos(), uniform(-1, 1) * (1 - down))
    return torch.stack((torch.stack(first, 1), torch.stack(second, 1)), 1), (across * down).sqrt()


def _recoloured(pixels: Tensor, uniform: _Uniform, how: Augmentation) -> Tensor:
    def each(values: Tensor) -> Tensor:
        return values.view(len(pixels), -1, 1, 1)

    x = (pixels / 255).clamp(0, 1) ** each(uniform(-how.gamma, how.gamma).exp())
    luminance = (x * torch.tensor(LUMINANCE, device=x.device).view(1, 3, 1, 1)).sum(1, keepdim=True)
    saturation = uniform(0.5, 1.4) * (uniform(0, 1) >= how.grey)
    x = luminance + (x - luminance) * each(saturation)
    mean = luminance.mean((2, 3), keepdim=True)
    x = mean + (x - mean) * each(uniform(0.75, 1.3))
    x = x * each(uniform(-how.gain, how.gain).exp()) * each(uniform(-how.tint, how.tint, 3).exp())
    return (x * 255).clamp(0, 255)


def _degraded(pixels: Tensor, uniform: _Uniform, how: Augmentation, random: torch.Generator) -> Tensor:
    """Blur of two pixels, then noise, on their shares of the views."""
    if how.blurred > 0:
        amount = ((uniform(0, 1) < how.blurred) * uniform(0.3, 1)).view(-1, 1, 1, 1)
        pixels = torch.lerp(pixels, F.avg_pool2d(pixels, 3, 1, 1, count_include_pad=False), amount)
    if how.noisy > 0:
        deviation = ((uniform(0, 1) < how.noisy) * uniform(0, how.noise)).view(-1, 1, 1, 1)
        noise = torch.randn(pixels.shape, generator=random, device=random.device).to(pixels.device)
        pixels = (pixels + noise * deviation).clamp(0, 255)
    return pixels
