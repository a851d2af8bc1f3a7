"""The window: the one layer that imports Qt."""

import builtins

import PySide6.QtCore  # noqa: F401

# PySide replaces `__import__` to find modules that switch on its naming features: it reads the source of each module
# imported after it and leaves the text in `linecache`, 11 MB here and a tenth of a second. Nothing here switches any.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
