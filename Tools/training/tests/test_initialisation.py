"""Encoders that begin with published weights."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from fcrnweights.architecture import fcrn18
from fcrntrain.initialisation import load_encoder
from fcrntrain.network import FCRN, decoder_norms


class InitialisationTests(unittest.TestCase):
    def file(self, **tensors: torch.Tensor) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "encoder.npz"
        np.savez(path, **{name.replace("__", "."): values.numpy() for name, values in tensors.items()})
        return path

    def test_resnet18_finds_its_layers_by_name(self) -> None:
        architecture = fcrn18((16, 8, 8, 8, 8))
        net = FCRN(architecture, decoder_norms(architecture))
        stem, projection = torch.randn(64, 3, 7, 7), torch.randn(256, 128, 1, 1)
        second = torch.randn(128, 128, 3, 3)
        missing = load_encoder(net, self.file(
            conv1__weight=stem, conv1__bias=torch.full((64,), 0.5), layer3__0__downsample__0__weight=projection,
            layer2__1__conv2__weight=second))
        self.assertTrue(torch.equal(net.convolutions["conv1"].weight, stem))
        self.assertTrue((net.convolutions["conv1"].bias == 0.5).all())
        self.assertTrue(torch.equal(net.convolutions["res4a_branch1"].weight, projection))
        self.assertTrue(torch.equal(net.convolutions["res3b_branch2b"].weight, second))
        self.assertIn("res5b_branch2b", missing)
        self.assertNotIn("res3b_branch2b", missing)
