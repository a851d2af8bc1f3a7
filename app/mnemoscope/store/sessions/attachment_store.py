"""Keeps the images of messages beside the sessions, in `sessions/attachments/<sha256>`: bare bytes, by their hash."""

from __future__ import annotations

import hashlib
from pathlib import Path

from mnemoscope.domain.conversation.attachment import MOST_BYTES, Attachment, media_type_of
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.files.atomic import make_directory, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls


class AttachmentStore:
    """Holds each image once, whatever messages, drafts and branches name it. Nothing is ever overwritten."""

    def __init__(self, folder: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self.folder = folder
        self._calls = calls

    def keep(self, data: bytes, width: int, height: int, name: str = "") -> Attachment:
        """Writes an image of so many pixels durably, unless it is there, and returns what a record names it by.

        Raises MnemoscopeError for what is no PNG or JPEG or is too large, and StorageError where the disk refuses.
        """
        media_type = media_type_of(data)
        if not media_type:
            raise MnemoscopeError("This is no PNG or JPEG image.", next_step="Choose another picture.")
        if len(data) > MOST_BYTES:
            sentence = f"The image has more than {MOST_BYTES // 1_000_000} MB."
            raise MnemoscopeError(sentence, next_step="Make it smaller, then try again.")
        attachment = Attachment(hashlib.sha256(data).hexdigest(), media_type, width, height, len(data), name)
        if self.read(attachment) is None:
            make_directory(self.folder, calls=self._calls)
            replace_bytes(self.path_of(attachment), data, calls=self._calls)
        return attachment

    def read(self, attachment: Attachment) -> bytes | None:
        """Returns the image's bytes, or None where they are gone, cannot be read, or are not those of its hash."""
        data = self.read_hash(attachment.sha256)
        return data if data is not None and len(data) == attachment.size else None

    def read_hash(self, sha256: str) -> bytes | None:
        """Returns the bytes of the image with this hash (64 hex digits), or None as `read`."""
        path = self.folder / sha256
        try:
            if path.stat().st_size > MOST_BYTES:
                return None
            data = path.read_bytes()
        except OSError:
            return None
        return data if hashlib.sha256(data).hexdigest() == sha256 else None

    def path_of(self, attachment: Attachment) -> Path:
        """Returns where an image lies. Its hash is made of hex digits alone, so the path cannot lead elsewhere."""
        return self.folder / attachment.sha256
