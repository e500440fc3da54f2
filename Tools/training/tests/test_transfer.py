"""A decoder taken over from a network with another encoder."""

import unittest

import torch
from fcrntrain.evaluation import resized
from fcrntrain.lite import LiteFCRN
from fcrntrain.network import FCRN, decoder_norms
from fcrntrain.transfer import take_decoder
from fcrnweights.architecture import fcrn18, fcrn_lite2

from .test_network import random_network

WIDTHS = (32, 16, 16, 8, 8)


def networks() -> tuple[LiteFCRN, FCRN]:
    torch.manual_seed(3)
    donor = fcrn18(WIDTHS, outputs=2, output_activation="exp", global_context=True)
    return LiteFCRN(fcrn_lite2(WIDTHS, width_divisor=4)), random_network(FCRN(donor, decoder_norms(donor)))


class TransferTests(unittest.TestCase):
    def setUp(self) -> None:
        self.pictures = torch.randint(0, 256, (3, 3, 24, 32), generator=torch.Generator().manual_seed(5)).to(torch.uint8)

    def test_the_decoder_is_the_donors(self) -> None:
        """From what `layer1` makes on, both compute the same."""
        net, donor = networks()
        take_decoder(net, donor, self.pictures)
        with torch.no_grad():
            given = donor.bottleneck(resized(self.pictures.float(), (228, 304)))
            # A norm that hands over the donor's map, whatever it is given.
            replaced = net.norms["layer1_BN"].register_forward_hook(lambda *_: given)
            found = net(resized(self.pictures.float(), (256, 320)))
            replaced.remove()
            expected = donor(resized(self.pictures.float(), (228, 304)))
        self.assertLess((found - expected).abs().max().item(), 1e-4 * expected.abs().max().item())

    def test_layer1_is_fitted_as_well_as_a_linear_map_can_be(self) -> None:
        net, donor = networks()
        explained = take_decoder(net, donor, self.pictures)
        both = torch.cat((self.pictures.float(), self.pictures.float().flip(3)))
        with torch.no_grad():
            x = net.encoded(resized(both, (256, 320)))[net.deepest]
            y = donor.bottleneck(resized(both, (228, 304)))
            fitted = net._layer("layer1", x)
        x, y, fitted = (maps.permute(0, 2, 3, 1).flatten(0, 2).double() for maps in (x, y, fitted))
        best = torch.linalg.lstsq(torch.cat((x, torch.ones(len(x), 1).double()), 1), y).solution
        residual = y - torch.cat((x, torch.ones(len(x), 1).double()), 1) @ best
        variance = (y - y.mean(0)).square().sum()
        self.assertAlmostEqual(explained, 1 - ((y - fitted).square().sum() / variance).item(), places=3)
        self.assertLess(explained, 1 - (residual.square().sum() / variance).item() + 1e-6)
        self.assertGreater(explained, 0.05)
        torch.testing.assert_close(fitted.mean(0), y.mean(0), rtol=0, atol=1e-3 * y.abs().max().item())

    def test_other_widths_are_refused(self) -> None:
        _, donor = networks()
        wider = LiteFCRN(fcrn_lite2((32, 16, 16, 8, 16), width_divisor=4))
        with self.assertRaisesRegex(ValueError, "channels"):
            take_decoder(wider, donor, self.pictures)

    def test_frozen_stages_get_no_gradients(self) -> None:
        net, _ = networks()
        net.freeze(3)
        net.train()(resized(self.pictures.float(), (64, 96))).sum().backward()
        frozen = {name.split(".")[1] for name, parameter in net.named_parameters() if parameter.grad is None}
        self.assertEqual(frozen, {name for name in net.convolutions if name.startswith(("stem", "block1", "block2", "block3"))})
