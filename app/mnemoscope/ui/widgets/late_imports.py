"""A block of imports of modules that are executed when something of them is first used."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import LazyLoader
from types import ModuleType


@contextmanager
def late_imports() -> Iterator[None]:
    """Has modules of ours that are imported in the block executed when a name of them is first used.

    A window loads what it shows: a dialog or a page that is seldom opened costs the program that starts neither time
    nor memory. Used for whole modules (`from mnemoscope.ui.manual import manual_window`), and on the window's thread
    alone: until Python 3.12 the lazy modules of importlib are not made for several.

    PySide reads the source of each module that is imported after it, to look for its own name, and never uses the text
    again: what was read until the end of the block is dropped.
    """
    sys.meta_path.insert(0, _LateFinder)
    try:
        yield
    finally:
        sys.meta_path.remove(_LateFinder)
        linecache.clearcache()


class _LateFinder:
    """Finds modules as Python does, and leaves those of this program for later."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or not isinstance(spec.loader, SourceFileLoader) or spec.submodule_search_locations is not None:
            return spec
        spec.loader = LazyLoader(_SourceDroppingLoader(name, spec.loader.path))
        return spec


class _SourceDroppingLoader(SourceFileLoader):
    """Loads a module, and drops the source texts that PySide reads of all that is imported meanwhile."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        linecache.clearcache()
