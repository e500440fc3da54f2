"""Depth Anything V2: the authors' state dicts and the hub's safetensors, to the file that `depth` reads.

L. Yang et al., "Depth Anything V2", NeurIPS 2024, https://arxiv.org/abs/2406.09414
"""
