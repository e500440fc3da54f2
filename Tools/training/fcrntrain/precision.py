"""Where bfloat16 is faster than float32."""

import torch


def bfloat16_is_fast(device: torch.device) -> bool:
    """Whether a device multiplies in bfloat16.

    On a processor without AVX-512, PyTorch computes each product of bfloat16 in float32 and loses its fast kernels: a
    step then takes many times as long.
    """
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return device.type == "cpu" and torch.ops.mkldnn._is_mkldnn_bf16_supported()
