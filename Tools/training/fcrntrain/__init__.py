"""Trains FCRN on images with depth and writes the HDF5 files that `depth` reads."""
