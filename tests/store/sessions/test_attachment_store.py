"""Images lie beside the sessions by their hash: once, whole, and as they came."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.domain.conversation.attachment import MOST_BYTES
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.sessions.attachment_store import AttachmentStore
from mnemoscope.store.workspace.paths import WorkspacePaths

PNG = b"\x89PNG\r\n\x1a\nnot a picture, but it begins as one"
JPEG = b"\xff\xd8\xffnor is this"


@pytest.fixture
def store(tmp_path: Path) -> AttachmentStore:
    store = AttachmentStore(WorkspacePaths(tmp_path).attachments_dir)
    assert store.folder == tmp_path / "sessions" / "attachments"
    return store


def test_an_image_is_kept_by_its_hash_and_read_again(store: AttachmentStore) -> None:
    kept = store.keep(PNG, 30, 20, "garden.png")
    assert kept.sha256 == hashlib.sha256(PNG).hexdigest()
    assert (kept.media_type, kept.width, kept.height, kept.size, kept.name) == (
        "image/png",
        30,
        20,
        len(PNG),
        "garden.png",
    )
    assert store.read(kept) == PNG
    assert store.path_of(kept) == store.folder / kept.sha256


def test_the_same_image_is_kept_once(store: AttachmentStore) -> None:
    kept = store.keep(JPEG, 3, 2)
    before = store.path_of(kept).stat().st_mtime_ns
    assert store.keep(JPEG, 3, 2) == kept
    assert store.path_of(kept).stat().st_mtime_ns == before
    assert len(list(store.folder.iterdir())) == 1


def test_an_image_that_was_damaged_is_not_shown_and_is_mended_by_keeping_it_again(store: AttachmentStore) -> None:
    kept = store.keep(PNG, 3, 2)
    store.path_of(kept).write_bytes(PNG[:-1] + b"!")
    assert store.read(kept) is None
    assert store.keep(PNG, 3, 2) == kept
    assert store.read(kept) == PNG


def test_what_is_gone_or_of_another_size_is_nothing(store: AttachmentStore) -> None:
    kept = store.keep(PNG, 3, 2)
    assert store.read(replace(kept, size=kept.size + 1)) is None
    store.path_of(kept).unlink()
    assert store.read(kept) is None


def test_what_is_no_picture_or_too_large_is_refused_in_words(store: AttachmentStore) -> None:
    with pytest.raises(MnemoscopeError, match="no PNG or JPEG"):
        store.keep(b"<svg onload=alert(1)>", 3, 2)
    with pytest.raises(MnemoscopeError, match="more than 5 MB"):
        store.keep(PNG + bytes(MOST_BYTES), 3, 2)
    assert not store.folder.exists()


def test_a_file_that_is_too_large_for_an_image_is_not_read(store: AttachmentStore) -> None:
    kept = store.keep(PNG, 3, 2)
    store.path_of(kept).write_bytes(bytes(MOST_BYTES + 1))
    assert store.read_hash(kept.sha256) is None
    assert store.read_hash("f" * 64) is None
