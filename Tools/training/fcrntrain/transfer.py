"""A decoder that one network has learnt, taken over by a network with another encoder."""

import torch
from torch import Tensor

from .evaluation import resized
from .lite import LiteFCRN, in_encoder
from .network import FCRN

#: Added to the diagonal of the inputs' covariance, in units of its mean: maps of neighbouring pixels resemble each other.
RIDGE = 1e-3


def take_decoder(net: LiteFCRN, donor: FCRN, pictures: Tensor, batch: int = 16) -> float:
    """Gives `net` the decoder of `donor`, and fits its `layer1` to the donor's on `pictures` (N, 3, H, W), bytes.

    Skip connections begin at zero, so that `net` predicts at once what the donor's decoder makes of maps that resemble the
    donor's. Returns the share of the variance of the donor's maps that the fit explains.
    """
    if net.architecture.decoder_widths != donor.architecture.decoder_widths:
        raise ValueError(f"the decoder has {donor.architecture.decoder_widths} channels, "
                         f"not {net.architecture.decoder_widths}")
    net.eval()
    donor.eval()
    with torch.no_grad():
        for name, convolution in net.convolutions.items():
            if name.endswith("_skip"):
                for parameter in convolution.parameters():
                    parameter.zero_()
        for theirs, ours in ((donor.convolutions, net.convolutions), (donor.norms, net.norms)):
            for name, module in theirs.items():
                if name in ours and not in_encoder(name) and name not in ("layer1", "layer1_BN"):
                    ours[name].load_state_dict(module.state_dict())
        return _fit_layer1(net, donor, pictures, batch)


def _fit_layer1(net: LiteFCRN, donor: FCRN, pictures: Tensor, batch: int) -> float:
    """Ridge regression, pixel by pixel, from the deepest map of `net` to what the donor's `layer1` makes of the picture.

    Both maps cover the whole picture, and the decoders place their pixels alike, so nothing is interpolated.
    """
    outputs, inputs = net.convolutions["layer1"].weight.shape[:2]
    products = torch.zeros(inputs + 1, inputs + 1 + outputs, dtype=torch.float64)
    squares, samples = torch.zeros(outputs, dtype=torch.float64), 0
    for chosen in pictures.split(batch):
        for pixels in (chosen.float(), chosen.float().flip(3)):
            given = net.encoded(resized(pixels, net.architecture.input_size))[net.deepest]
            wanted = donor.bottleneck(resized(pixels, donor.architecture.input_size))
            x, y = (maps.permute(0, 2, 3, 1).flatten(0, 2).double() for maps in (given, wanted))
            x = torch.cat((x, torch.ones(len(x), 1, dtype=torch.float64)), 1)
            products += x.T @ torch.cat((x, y), 1)
            squares += y.square().sum(0)
            samples += len(x)
    products /= samples
    moments, mixed = products.tensor_split([inputs + 1], 1)
    mean = moments[:inputs, inputs]
    covariance = moments[:inputs, :inputs] - mean.outer(mean)
    wanted_mean = mixed[inputs]
    crossed = mixed[:inputs] - mean.outer(wanted_mean)
    regular = covariance + torch.eye(inputs, dtype=torch.float64) * (RIDGE * covariance.diagonal().mean())
    kernel = torch.linalg.solve(regular, crossed).T
    variance = ((kernel @ covariance) * kernel).sum(1)
    net.convolutions["layer1"].weight.copy_(kernel[:, :, None, None])
    norm = net.norms["layer1_BN"]
    norm.running_mean.copy_(kernel @ mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_((variance + norm.eps).sqrt())
    norm.bias.copy_(wanted_mean)
    unexplained = squares / samples - wanted_mean.square() - 2 * (kernel * crossed.T).sum(1) + variance
    return 1 - (unexplained.sum() / (squares / samples - wanted_mean.square()).sum()).item()
