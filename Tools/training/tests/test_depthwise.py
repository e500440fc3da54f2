"""The compiled depthwise convolution against PyTorch's, forwards and backwards."""

import unittest

import torch
import torch.nn.functional as F
from fcrntrain import depthwise

#: (batch, channels, height, width), kernel, stride: borders that overlap, rows wider than a block of columns, odd channels.
SHAPES = (((2, 32, 9, 13), 3, 1), ((3, 20, 8, 10), 5, 2), ((2, 16, 7, 9), 5, 1), ((2, 48, 11, 6), 3, 2), ((1, 33, 4, 4), 5, 1),
          ((2, 16, 1, 2), 5, 2), ((1, 17, 12, 30), 3, 1), ((2, 5, 2, 1), 3, 2))


@unittest.skipIf(depthwise.library(torch.float32) is None, "no C compiler with OpenMP")
class DepthwiseTests(unittest.TestCase):
    def setUp(self) -> None:
        self.random = torch.Generator().manual_seed(3)

    def normal(self, *shape: int, scale: float = 1) -> torch.Tensor:
        return (torch.randn(shape, generator=self.random) * scale).to(torch.bfloat16).float()

    def test_values_and_gradients_are_those_of_pytorch(self) -> None:
        for shape, size, stride in SHAPES:
            for precision, of_values, of_gradients in ((torch.bfloat16, 1 / 128, 0.004), (torch.float32, 1e-5, 1e-5)):
                with self.subTest(shape=shape, size=size, stride=stride, precision=precision):
                    self.compare(shape, size, stride, precision, of_values, of_gradients)

    def compare(self, shape: tuple[int, ...], size: int, stride: int, precision: torch.dtype, of_values: float, of_gradients: float) -> None:
        """Relative differences are at most those given, of gradients by their largest value."""
        channels = shape[1]
        given = [self.normal(*shape, scale=4), self.normal(channels, 1, size, size, scale=0.3), self.normal(channels)]
        first, second = ([tensor.clone().requires_grad_() for tensor in given] for _ in range(2))
        expected = F.relu6(F.conv2d(F.relu6(first[0]), first[1], first[2], stride, size // 2, groups=channels))
        with torch.autocast("cpu", torch.bfloat16, enabled=precision == torch.bfloat16):
            found = depthwise.Depthwise.apply(*second, stride)
        self.assertEqual(found.dtype, precision)
        torch.testing.assert_close(found.float(), expected, rtol=of_values, atol=1e-6)
        # Where rounding could carry a value over an end of ReLU6, no gradient comes in.
        away = ((expected - 6).abs() > 0.05) & (expected != 6) | (expected == 6) & (found == 6)
        gradient = self.normal(*expected.shape) * away
        expected.backward(gradient)
        found.backward(gradient.to(precision))
        for one, other in zip(first, second):
            size_of_gradient = one.grad.abs().max().item()
            self.assertLess((other.grad - one.grad).abs().max().item(), of_gradients * size_of_gradient + 1e-6)

    def test_sums_do_not_depend_on_the_number_of_threads(self) -> None:
        x, kernel, bias = self.normal(3, 24, 10, 12, scale=4), self.normal(24, 1, 3, 3), self.normal(24)
        threads = torch.get_num_threads()
        for precision in (torch.bfloat16, torch.float32):
            results = []
            for count in (1, 2):
                torch.set_num_threads(count)
                given = [tensor.clone().requires_grad_() for tensor in (x, kernel, bias)]
                with torch.autocast("cpu", torch.bfloat16, enabled=precision == torch.bfloat16):
                    y = depthwise.Depthwise.apply(*given, 1)
                y.float().square().sum().backward()
                results.append([tensor.grad for tensor in given])
            torch.set_num_threads(threads)
            for one, other in zip(*results):
                self.assertTrue(torch.equal(one, other))
