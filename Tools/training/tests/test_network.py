"""The network and its way to and from weights files."""

import math
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from fcrnweights import archive
from fcrnweights.architecture import fcrn18, fcrn50, fcrn_lite2
from fcrnweights.folding import folded
from fcrnweights.network import Network
from fcrnweights.precision import reduced
from fcrnweights.reading import Source
from fcrntrain import exchange
from fcrntrain.evaluation import resized
from fcrntrain.lite import LiteFCRN
from fcrntrain.matching import match_biases
from fcrntrain.network import FCRN, decoder_norms
from fcrntrain.training import with_two_outputs

NARROW = fcrn18((32, 16, 16, 8, 8))


def picture(count: int = 2, height: int = 65, width: int = 97) -> torch.Tensor:
    return torch.rand((count, 3, height, width), generator=torch.Generator().manual_seed(5)) * 255


def random_network(net: FCRN) -> FCRN:
    """Norms as after some training, instead of the identity they begin as."""
    random = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for norm in net.norms.values():
            for tensor, low in ((norm.weight, 0.5), (norm.bias, -0.2), (norm.running_mean, -0.5), (norm.running_var, 0.5)):
                tensor.copy_(low + torch.rand(tensor.shape, generator=random))
    return net.eval()


class NetworkTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file, self.checkpoint = self.folder / "weights.h5", self.folder / "best.pt"
        self.checkpoint.write_bytes(b"checkpoint")

    def write(self, network: Network) -> Path:
        archive.write(self.file, network, "float32", Source("test", "test", "0" * 64))
        return self.file

    def assert_same(self, first: torch.nn.Module, second: torch.nn.Module, pictures: torch.Tensor) -> tuple[int, ...]:
        """Both compute the same, of the shape that is given."""
        with torch.no_grad():
            expected, found = first(pictures), second(pictures)
        self.assertLess((found - expected).abs().max().item(), 1e-4 * expected.abs().max().item())
        return tuple(expected.shape)

    def test_output_is_that_of_the_folded_network(self) -> None:
        """Norms kept and folded are the same function, also at the border, for both encoders."""
        for architecture in (NARROW, fcrn50(16)):
            net = random_network(FCRN(architecture))
            again = exchange.load(self.write(exchange.network(net))).eval()
            self.assertEqual(self.assert_same(net, again, picture()), (2, 48, 64))

    def test_efficientnet_exports_what_it_computes(self) -> None:
        """Norms with an epsilon of their own, pixels less 127 and the division by 128 are folded."""
        net = random_network(LiteFCRN(fcrn_lite2((16, 8, 8, 8, 8), width_divisor=4)))
        again = exchange.load(self.write(exchange.network(net))).eval()
        self.assertEqual(self.assert_same(net, again, picture(2, 64, 96)), (2, 2, 32, 48))

    def test_efficientnet_is_trained_on_from_its_file(self) -> None:
        """Its norms are measured in the decoder, and scaled so that kernels have one size in the encoder; the function stays."""
        net = random_network(LiteFCRN(fcrn_lite2((16, 8, 8, 8, 8), width_divisor=4)))
        self.write(exchange.network(net))
        without, measured = exchange.load(self.file).eval(), exchange.load(self.file, picture(4, 64, 96)).eval()
        self.assert_same(without, measured, picture(2, 64, 96))
        kernel = measured.convolutions["block3b_expand"].weight.detach()
        size = kernel.square().mean((1, 2, 3)) * kernel[0].numel()
        torch.testing.assert_close(size, torch.full_like(size, 2))
        norm = measured.norms["layer2x_BN"]
        self.assertFalse(torch.equal(norm.running_var, torch.ones_like(norm.running_var)))

    def test_two_outputs_keep_encoder_and_decoder(self) -> None:
        """A head of two outputs begins at a typical depth and error everywhere; nothing else changes."""
        net = random_network(FCRN(NARROW))
        wider = with_two_outputs(net).eval()
        self.assertTrue(torch.equal(wider.convolutions["conv1"].weight, net.convolutions["conv1"].weight))
        torch.testing.assert_close(wider.convolutions["ConvPred"].bias.detach(), torch.tensor([math.log(2.5), -2.0]))
        again = exchange.load(self.write(exchange.network(wider))).eval()
        self.assertEqual(self.assert_same(wider, again, picture()), (2, 2, 48, 64))

    def test_norms_of_the_file_are_kept(self) -> None:
        """A file with norms apart, biases before them, and pixels scaled its own way."""
        net = random_network(FCRN(NARROW))
        tensors = {}
        for layer in NARROW.convolutions:
            kernel = net.convolutions[layer.name].weight.detach().numpy()
            bias = np.full(kernel.shape[0], 0.125, np.float32)
            if layer.name == "conv1":
                kernel, bias = kernel * 4, bias  # undone by pixel_scale below
            tensors[layer.name] = {"kernel": kernel} | ({"bias": bias} if layer.has_bias else {})
        for name, norm in net.norms.items():
            tensors[name] = {theirs: getattr(norm, ours).detach().numpy() for theirs, ours in exchange.NORM.items()}
        source = Network(NARROW, tensors, pixel_scale=0.25, pixel_mean=(1.0, 2.0, 3.0)).checked()
        apart = exchange.load(self.write(source)).eval()
        self.assertEqual(set(apart.norms), set(NARROW.norms))
        again = exchange.load(self.write(folded(source))).eval()
        self.assert_same(again, apart, picture())

    def test_measured_norms_leave_the_function_alone(self) -> None:
        whole = exchange.network(random_network(FCRN(NARROW)))
        self.write(whole)
        without = exchange.load(self.file).eval()
        measured = exchange.load(self.file, picture(4)).eval()
        self.assertEqual(set(measured.norms), decoder_norms(NARROW))
        self.assert_same(without, measured, picture())
        norm = measured.norms["layer2x_BN"]
        self.assertFalse(torch.equal(norm.running_var, torch.ones_like(norm.running_var)))

    def test_different_biases_before_one_norm_are_refused(self) -> None:
        whole = exchange.network(random_network(FCRN(NARROW)))
        tensors = dict(whole.tensors)
        name = "layer4x_br1_ConvC"
        tensors[name] = tensors[name] | {"bias": tensors[name]["bias"] + 1}
        self.write(replace(whole, tensors=tensors))
        with self.assertRaisesRegex(ValueError, "layer4x_br1_BN"):
            exchange.load(self.file, picture())

    def test_exported_precisions_stay_close(self) -> None:
        net = random_network(FCRN(NARROW))
        with torch.no_grad():
            expected = net(picture())
            for precision, limit in (("float32", 1e-4), ("float16", 1e-2), ("int8", 0.2)):
                exchange.export(net, self.file, precision, [self.checkpoint])
                found = exchange.load(self.file).eval()(picture())
                self.assertLess((found - expected).abs().max().item(), limit * expected.abs().max().item(), precision)

    def test_matched_biases_bring_depths_back(self) -> None:
        exact = random_network(FCRN(replace(NARROW, input_size=(65, 97))))
        exchange.export(exact, self.file, "int8", [self.checkpoint])
        rounded = exchange.load(self.file).eval()
        rounded.architecture = exact.architecture
        with torch.no_grad():
            for convolution in rounded.convolutions.values():  # coarser than 8 bits, so that the shift is large
                convolution.bias.add_(0.1 * convolution.bias.abs().mean())
        pictures = picture(6).to(torch.uint8)

        def distance() -> float:
            with torch.no_grad():
                logarithms = [net(pictures.float()).clamp(min=0.01).log() for net in (rounded, exact)]
            return (logarithms[0] - logarithms[1]).abs().mean().item()

        before = distance()
        match_biases(rounded, exact, pictures, steps=300)
        self.assertLess(distance(), 0.8 * before)
        shared = [rounded.convolutions[f"layer4x_br1_Conv{part}"].bias for part in "ABCD"]
        self.assertTrue(all(torch.equal(bias, shared[0]) for bias in shared))
        # The kernels are still the file's codes, and the file is one that can be trained on.
        exchange.export(rounded, self.file, "int8", [self.checkpoint], exchange.Adjustment(0.5))
        exchange.load(self.file, picture())

    def test_matched_biases_of_two_outputs(self) -> None:
        """Of EfficientNet-Lite2 too, whose biases are those of norms."""
        architecture = replace(fcrn_lite2((16, 8, 8, 8, 8), width_divisor=4), input_size=(64, 96))
        exact = random_network(LiteFCRN(architecture))
        exchange.export(exact, self.file, "int8", [self.checkpoint])
        rounded = exchange.load(self.file).eval()
        rounded.architecture = architecture
        with torch.no_grad():
            rounded.convolutions["ConvPred"].bias.add_(torch.tensor([0.05, -0.05]))
        pictures = picture(6).to(torch.uint8)

        def distance() -> torch.Tensor:
            with torch.no_grad():
                maps = [net(resized(pictures.float(), (64, 96))) for net in (rounded, exact)]
            return (maps[0] - maps[1]).abs().mean((0, 2, 3))

        before = distance()
        match_biases(rounded, exact, pictures, steps=300)
        self.assertTrue((distance() < 0.8 * before).all(), f"{before} → {distance()}")

    def test_adjustment_of_two_outputs(self) -> None:
        """Depths z become .9 · 2.5 · (z / 2.5)^1.2, expected errors e .3 · (e / .15)^1.5."""
        trained = exchange.network(random_network(LiteFCRN(fcrn_lite2((16, 8, 8, 8, 8), width_divisor=4))))
        last = trained.tensors["ConvPred"]
        adjusted = exchange.Adjustment(0.9, 1.2, 2, 1.5, 0.6).of(trained)
        features = np.random.default_rng(1).normal(size=(16, *last["kernel"].shape[1:]))

        def outputs(layer: dict[str, np.ndarray]) -> np.ndarray:
            return np.exp(np.einsum("nihw,oihw->on", features, layer["kernel"]) + layer["bias"][:, None])

        depth, error = outputs(last)
        expected = [0.9 * 2.5 * (depth / 2.5) ** 1.2, 0.3 * (error / 0.15) ** 1.5]
        np.testing.assert_allclose(outputs(adjusted.tensors["ConvPred"]), expected, rtol=1e-4)
        self.assertAlmostEqual(adjusted.depth_scale, 0.9)
        self.assertEqual(adjusted.focal_exponent, 0.6)
        unchanged = exchange.Adjustment().of(trained).tensors["ConvPred"]
        self.assertEqual([unchanged[name].tobytes() for name in last], [last[name].tobytes() for name in last])
        with self.assertRaisesRegex(ValueError, "one output"):
            exchange.Adjustment(spread=1.1).of(exchange.network(random_network(FCRN(NARROW))))

    def test_int8_is_what_the_converters_make(self) -> None:
        network = exchange.network(random_network(FCRN(NARROW)))
        codes = reduced(network, "int8").tensors["layer1"]["kernel"]
        self.assertEqual(codes.dtype, np.int8)
        self.assertEqual(np.abs(codes.astype(int)).max(), 127)
