"""Mnemoscope: talk with any language model and see what it remembers."""

__version__ = "0.1.0"
