"""Converts every published form of the FCRN weights to the HDF5 layout that `depth` reads."""
