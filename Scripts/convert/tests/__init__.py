"""Tests of the converters."""
