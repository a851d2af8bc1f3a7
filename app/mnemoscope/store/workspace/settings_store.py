"""config.json: read leniently, changed without losing what is not ours.

Unknown keys and their order stay. A file that is not a JSON object is never overwritten.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.errors import SettingsError, StorageError, WorkspaceReadOnly
from mnemoscope.domain.settings import DREAM, FIELDS, TWO_LAYER, Field, Settings, read_settings, setting_as_json
from mnemoscope.store.files.atomic import digest_of, fsync_directory, read_stable, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import MergeBytes, Unmergeable, replace_if_unchanged, separate_file
from mnemoscope.store.files.text_encoding import in_style
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)

SIZE_LIMIT: Final = 4_000_000
"""Bytes of the largest config.json that is read."""


class SettingsStore:
    """Keeps the settings of one workspace. `complaints`: a sentence for each thing in the file that cannot be
    followed."""

    def __init__(
        self,
        paths: WorkspacePaths,
        *,
        profile: str = TWO_LAYER,
        read_only: bool = False,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        """`profile`: as the workspace's files have it, for where config.json names none."""
        self.path = paths.config_file
        self._profile = profile
        self.read_only = read_only
        self._calls = calls
        self.settings = Settings()
        self.complaints: list[str] = []
        self.malformed = False

    def load(self) -> Settings:
        """Reads the file; where it is missing or cannot be followed the defaults are used. Never raises."""
        try:
            document = _parse(self._read_bytes() or b"")
        except SettingsError as error:
            log.warning("settings: %s", error)
            self.settings = self._read({})[0]
            self.complaints = [str(error)]
            self.malformed = True
        else:
            self.settings, self.complaints = self._read(document)
            self.malformed = False
        return self.settings

    def change(self, **values: Any) -> Settings:
        """Sets some settings by their names in `Settings` and writes them durably. Another model, or another address,
        brings the context size that is set for it; that of the one before is kept.

        The file is read again first, so that what another program changed stays. Raises SettingsError for a value that
        is not accepted or a file that is malformed, WorkspaceReadOnly, or StorageError; then nothing was written.
        """
        if self.read_only:
            raise WorkspaceReadOnly("The workspace is open for reading only; settings were not saved.")
        before = self._read_bytes()
        document = _changed(before, values)
        settings, complaints = read_settings(document)
        _refuse_wrong(values, settings)
        with storage_errors(self.path, "write"):
            written = replace_if_unchanged(
                self.path, _encoded(document, before), before, _merge(values), calls=self._calls
            )
        settings, complaints = self._read(_parse(written))
        self.settings = settings
        self.complaints = complaints
        self.malformed = False
        return settings

    def set_aside(self) -> Path:
        """Renames a malformed file, so that a new one can be written; returns the new name. Raises StorageError."""
        if self.read_only:
            raise WorkspaceReadOnly("The workspace is open for reading only; config.json stays as it is.")
        with storage_errors(self.path, "write"):
            kept = self.path.with_name(f"config.json.malformed-{digest_of(self.path.read_bytes())[:8]}")
            self._calls.replace(str(self.path), str(kept))
        fsync_directory(self.path.parent, calls=self._calls)
        self.load()
        return kept

    def separate(self) -> None:
        """Gives config.json a file of its own; its other names keep what it says now. Raises StorageError."""
        separate_file(self.path, calls=self._calls)

    def _read(self, document: Mapping[str, Any]) -> tuple[Settings, list[str]]:
        own = document.get("mnemoscope")
        if isinstance(own, Mapping) and own.get("profile") is not None:
            return read_settings(document)
        # Nothing runs by itself on files of another program before the person has said so.
        return read_settings(document, Settings(profile=self._profile, dream_paused=self._profile == DREAM))

    def _read_bytes(self) -> bytes | None:
        try:
            if self.path.stat().st_size > SIZE_LIMIT:
                limit = f"{SIZE_LIMIT // 1_000_000} MB"
                raise SettingsError(f"config.json is larger than {limit}, so it is not read.", path=self.path)
            return read_stable(self.path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SettingsError(f"config.json cannot be read: {error.strerror}.", path=self.path) from error
        except StorageError as error:
            raise SettingsError(error.sentence, path=self.path) from error


def _changed(data: bytes | None, values: Mapping[str, Any]) -> dict[str, Any]:
    document = _parse(data or b"")
    for name, value in {**_of_model(document, values), **values}.items():
        _set(document, _field(name), setting_as_json(value))
    return document


def _of_model(document: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the settings that follow from another model or another address: the context sizes."""
    before = read_settings(document)[0]
    after = before.with_model(str(values.get("model", before.model)), str(values.get("api_base", before.api_base)))
    names = ("context_window_tokens", "context_sizes")
    return {name: getattr(after, name) for name in names if getattr(after, name) != getattr(before, name)}


def _encoded(document: dict[str, Any], before: bytes | None) -> bytes:
    return in_style(json.dumps(document, ensure_ascii=False, indent=2) + "\n", before)


def _merge(values: Mapping[str, Any]) -> MergeBytes:
    """Returns what another program wrote in the moment of the change, with the same values set in it."""

    def merged(_expected: bytes | None, found: bytes, _mine: bytes) -> bytes:
        try:
            return _encoded(_changed(found, values), found)
        except SettingsError:
            raise Unmergeable from None

    return merged


def _parse(data: bytes) -> dict[str, Any]:
    if not data.strip():
        return {}
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise SettingsError(f"config.json is not well-formed JSON ({where}: {error.msg}).") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError("config.json is not well-formed JSON.", reason=str(error)[:200]) from error
    if not isinstance(document, dict):
        raise SettingsError("config.json does not hold a JSON object.")
    return document


def _field(name: str) -> Field:
    for field in FIELDS:
        if field.name == name:
            return field
    raise SettingsError(f"There is no setting “{name}”.")


def _set(document: dict[str, Any], field: Field, value: Any) -> None:
    place = document
    for depth, part in enumerate(field.path[:-1], 1):
        inner = place.get(part)
        if inner is None:
            inner = place[part] = {}
        if not isinstance(inner, dict):
            name = ".".join(field.path[:depth])
            raise SettingsError(f"{name} in config.json is not an object, so it was left alone.")
        place = inner
    place[field.path[-1]] = value


def _refuse_wrong(values: dict[str, Any], settings: Settings) -> None:
    """A value that was not taken over is one the rules refuse."""
    for name, value in values.items():
        if getattr(settings, name) != value or isinstance(value, bool) != isinstance(getattr(settings, name), bool):
            sentence = f"{'.'.join(_field(name).path)} cannot be {value!r}."
            raise SettingsError(sentence, next_step="Choose another value; nothing was saved.")
