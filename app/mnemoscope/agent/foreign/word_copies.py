"""Finds words in the files of other agents, to name them where the person has them forgotten: none is changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.agent.foreign.foreign_reading import SeenStore
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import FoundPlace, PlaceKind
from mnemoscope.store.forgetting.byte_search import count_in_file

ANOTHERS: Final = "It belongs to another program. Change it there."


def word_copies(stores: Iterable[SeenStore], text: ForgottenText, own: Path) -> list[FoundPlace]:
    """Returns the memory files and conversations of these stores that have the words, but for those below `own`, the
    workspace. A file that is compressed or cannot be read is passed over. Blocks on the disk."""
    found: dict[Path, FoundPlace] = {}
    for store in stores:
        for path, count, excerpts in _counted(store, text):
            if count and path not in found and not path.is_relative_to(own):
                found[path] = FoundPlace(PlaceKind.OTHER_AGENTS, str(path), count, excerpts, ANOTHERS)
    return list(found.values())


def _counted(store: SeenStore, text: ForgottenText) -> Iterator[tuple[Path, int, tuple[str, ...]]]:
    """Yields the files of a store, memory first, with how often they have the words and a few excerpts."""
    for file in store.memory_files:
        yield store.root / file.path, text.count(file.text), text.excerpts(file.text)
    for name in dict.fromkeys(each.path for each in store.conversations):
        with suppress(OSError):
            yield store.root / name, count_in_file(store.root / name, text), ()
