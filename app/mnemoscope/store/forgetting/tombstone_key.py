"""The key of the tombstones: in the system's keychain where there is one, else in a file of the person's own folder.

It never lies in a workspace: whoever has the folder alone can read nothing out of the hashes in it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.atomic import make_directory, storage_errors
from mnemoscope.store.workspace.approvals import sealing_key
from mnemoscope.store.workspace.keychain import Keychain

log = logging.getLogger(__name__)
KEY_NAME: Final = "tombstones@mnemoscope"
"""Under which the keychain has it."""
FILE_NAME: Final = "tombstones.key"
_KEY_BYTES: Final = 32


class TombstoneKey:
    """Finds or makes the key. Without a keychain that is safe and without a `folder` it lasts until the program ends.

    It may ask the person to unlock the keychain, so call from a thread.
    """

    def __init__(self, keychain: Keychain | None = None, folder: Path | None = None) -> None:
        self._keychain = keychain
        self._folder = folder
        self._this_run = b""

    def known(self) -> Iterator[bytes]:
        """Yields the keys that are there, the keychain's first. A keychain that stays locked has none."""
        if self._this_run:
            yield self._this_run
        if self._keychain is not None:
            with suppress(StorageError, ValueError):
                if kept := self._keychain.get(KEY_NAME):
                    yield bytes.fromhex(kept)
        if self._folder is not None and (self._folder / FILE_NAME).exists():
            with suppress(OSError):
                yield sealing_key(self._folder / FILE_NAME)

    def make(self) -> bytes:
        """Returns the key, which is made where there is none yet. Raises StorageError where it can be kept nowhere."""
        if (found := next(self.known(), None)) is not None:
            return found
        key = secrets.token_bytes(_KEY_BYTES)
        if self._keychain is not None and self._keychain.persistent:
            try:
                self._keychain.remember(KEY_NAME, key.hex(), persist=True)
            except StorageError as error:
                log.warning("the key of what was forgotten is kept in a file: %s", error)
            else:
                return key
        if self._folder is None:
            self._this_run = key
            return key
        make_directory(self._folder, mode=0o700)
        with storage_errors(self._folder / FILE_NAME, "write"):
            return sealing_key(self._folder / FILE_NAME)
