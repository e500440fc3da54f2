"""ReLU6, depthwise convolution and ReLU6, compiled for this processor: PyTorch takes two to six times as long for the gradients."""

import ctypes
import functools
import subprocess
import tempfile
from pathlib import Path

import torch
from torch import Tensor


@functools.cache
def library(precision: torch.dtype) -> ctypes.CDLL | None:
    """`depthwise.c` for maps in bfloat16 or float32, or nothing where there is no C compiler with OpenMP."""
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "depthwise.so"
        source = Path(__file__).with_suffix(".c")
        try:
            subprocess.run(["cc", "-O3", "-march=native", "-fopenmp", "-fPIC", "-shared", "-ffp-contract=fast",
                            *(["-DBFLOAT16"] if precision == torch.bfloat16 else []), "-o", built, source],
                           check=True, capture_output=True)
            return ctypes.CDLL(str(built))
        except (OSError, subprocess.CalledProcessError):
            return None


def precision_of_map(x: Tensor) -> torch.dtype:
    return torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else x.dtype


def is_used(x: Tensor, kernel: Tensor) -> bool:
    """Whether a layer is trained here: on a CPU, in bfloat16 or float32."""
    precision = precision_of_map(x)
    return (x.device.type == "cpu" and precision in (torch.bfloat16, torch.float32)
            and torch.is_grad_enabled() and kernel.requires_grad and library(precision) is not None)


class Depthwise(torch.autograd.Function):
    """relu6(convolution(relu6(x)) + bias) of x (N, C, H, W), with a kernel (C, 1, k, k), k = 3 or 5, centred."""

    @staticmethod
    def forward(ctx, x: Tensor, kernel: Tensor, bias: Tensor, stride: int) -> Tensor:  # type: ignore[no-untyped-def,override]
        x = x.to(precision_of_map(x)).clamp(0, 6).contiguous(memory_format=torch.channels_last)
        taps, bias = kernel.float()[:, 0].permute(1, 2, 0).contiguous(), bias.float().contiguous()
        batch, channels, height, width = x.shape
        rows, columns = -(-height // stride), -(-width // stride)
        y = torch.empty((batch, channels, rows, columns), dtype=x.dtype, memory_format=torch.channels_last)
        ctx.sizes = (batch, height, width, channels, rows, columns, len(taps), stride)
        _call("depthwise_forward", (x, taps, bias, y), ctx.sizes)
        ctx.save_for_backward(x, taps, y)
        return y

    @staticmethod
    def backward(ctx, of_y: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:  # type: ignore[no-untyped-def,override]
        x, taps, y = ctx.saved_tensors
        of_y = of_y.to(y.dtype).contiguous(memory_format=torch.channels_last)
        passed, of_x = torch.empty_like(y), torch.empty_like(x)
        of_taps = torch.zeros((len(x), *taps.shape))
        of_bias = torch.zeros((len(x), taps.shape[2]))
        _call("depthwise_backward", (x, taps, y, of_y, passed, of_x, of_taps, of_bias), ctx.sizes)
        return of_x, of_taps.sum(0).permute(2, 0, 1)[:, None], of_bias.sum(0), None


def _call(name: str, tensors: tuple[Tensor, ...], sizes: tuple[int, ...]) -> None:
    pointers = [ctypes.c_void_p(tensor.data_ptr()) for tensor in tensors]
    built = library(tensors[0].dtype)
    assert built is not None
    getattr(built, name)(*pointers, *map(ctypes.c_int, sizes))
