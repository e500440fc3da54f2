"""Tests of the trainer. Data is made here; nothing is downloaded."""
