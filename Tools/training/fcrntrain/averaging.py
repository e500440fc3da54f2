"""The mean of a network over its last steps: steadier, and better, than the last one."""

import torch
from torch import Tensor, nn


class Average:
    """Exponential moving average of parameters and statistics; young ones forget faster.

    Without a `decay` every step counts the same (P. Izmailov et al., "Averaging Weights Leads to Wider
    Optima and Better Generalization", UAI 2018).
    """

    def __init__(self, net: nn.Module, decay: float | None) -> None:
        self.decay, self.steps = decay, 0
        self.state = {name: tensor.detach().clone() for name, tensor in net.state_dict().items()}

    @torch.no_grad()
    def update(self, net: nn.Module) -> None:
        self.steps += 1
        decay = 1 - 1 / self.steps
        if self.decay is not None:
            decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        state = net.state_dict()
        floats = [name for name, tensor in state.items() if tensor.is_floating_point()]
        torch._foreach_lerp_([self.state[name] for name in floats], [state[name] for name in floats], 1 - decay)
        for name in state.keys() - set(floats):
            self.state[name].copy_(state[name])

    def snapshot(self) -> dict[str, object]:
        return {"steps": self.steps, "state": self.state}

    def restore(self, snapshot: dict[str, object]) -> None:
        self.steps = int(snapshot["steps"])  # type: ignore[arg-type]
        state: dict[str, Tensor] = snapshot["state"]  # type: ignore[assignment]
        for name, tensor in state.items():
            self.state[name].copy_(tensor)
