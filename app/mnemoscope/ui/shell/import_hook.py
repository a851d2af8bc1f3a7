"""Takes PySide's hook off Python's imports, before the modules of the window are imported.

PySide puts it there for `from __feature__ import snake_case` and its like, which nothing here uses, and has no switch
for it. It reads the source of each module that is imported from then on, to look for the word `PySide6`, and Python
keeps what was read.
"""

from __future__ import annotations

import builtins
from importlib import import_module


def take_off_import_hook() -> None:
    """Loads PySide and leaves imports to what carried them out before its hook; one without a hook stays as it is."""
    import_module("PySide6.QtCore")
    # PySide's own name for what it called before.
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
