"""Encoders that begin with published weights."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from fcrnweights.architecture import fcrn18, fcrn50
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

    def test_resnet50_counts_the_projection_behind_its_branch(self) -> None:
        net = FCRN(fcrn50())
        shapes = {0: (64, 64, 1, 1), 1: (64, 64, 3, 3), 2: (256, 64, 1, 1), 3: (256, 64, 1, 1), 4: (64, 256, 1, 1)}
        kernels = {f"resnetv24_stage1_conv{n}_weight": torch.randn(shape) for n, shape in shapes.items()}
        norm = {f"resnetv24_stage1_batchnorm4_{part}": torch.rand(64)
                for part in ("gamma", "beta", "running_mean", "running_var")}
        missing = load_encoder(net, self.file(**kernels, **norm))
        for number, layer in enumerate(("res2a_branch2a", "res2a_branch2b", "res2a_branch2c", "res2a_branch1",
                                        "res2b_branch2a")):
            self.assertTrue(torch.equal(net.convolutions[layer].weight, kernels[f"resnetv24_stage1_conv{number}_weight"]))
        self.assertTrue(torch.equal(net.norms["bn2b_branch2a"].running_var, norm["resnetv24_stage1_batchnorm4_running_var"]))
        self.assertIn("res2b_branch2b", missing)


if __name__ == "__main__":
    unittest.main()
