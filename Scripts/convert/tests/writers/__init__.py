"""Authors of model files, each a program of its own."""
