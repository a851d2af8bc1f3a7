"""The receipts of forgettings: .mnemoscope/forgotten/, one JSON object each, without any of the forgotten words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.forgetting_receipt import ForgettingReceipt, forgetting_receipt_of
from mnemoscope.store.files.atomic import encode_text, make_directory, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls


class ForgettingReceipts:
    """Keeps the receipts of one workspace. Blocks on the disk."""

    def __init__(self, folder: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self._folder = folder
        self._calls = calls

    def keep(self, receipt: ForgettingReceipt) -> None:
        """Keeps a receipt durably; the same id again replaces it. Raises DiskFull or StorageError."""
        if not receipt.id.isalnum():
            raise StorageError("There is no such receipt.", next_step="", id=receipt.id)
        make_directory(self._folder, calls=self._calls)
        data = encode_text(json.dumps(receipt.as_document(), ensure_ascii=False, indent=1) + "\n")
        replace_bytes(self.path_of(receipt.id), data, calls=self._calls)

    def path_of(self, receipt_id: str) -> Path:
        """Returns the file of a receipt."""
        return self._folder / f"{receipt_id}.json"

    def newest_first(self) -> list[ForgettingReceipt]:
        """Returns the receipts that can be read, the newest first."""
        return sorted(self._read(), key=lambda each: (each.when, each.id), reverse=True)

    def mark_taking_back(self, receipt_id: str, when: str) -> None:
        """Notes that a forgetting begins to be taken back. Raises StorageError."""
        self._mark(receipt_id, taking_back=when)

    def mark_undone(self, receipt_id: str, when: str) -> None:
        """Notes that a forgetting was taken back. Raises StorageError."""
        self._mark(receipt_id, undone=when)

    def _mark(self, receipt_id: str, *, taking_back: str = "", undone: str = "") -> None:
        for receipt in self._read():
            if receipt.id == receipt_id:
                self.keep(replace(receipt, taking_back=taking_back, undone=undone))

    def _read(self) -> Iterator[ForgettingReceipt]:
        for path in sorted(self._folder.glob("*.json")):
            with suppress(OSError, ValueError, RecursionError):
                document = json.loads(path.read_bytes())
                found = forgetting_receipt_of(document) if isinstance(document, dict) else None
                if found is not None and found.id == path.stem:
                    yield found
