"""Keys for models: in the system's keychain, for this run only, or from the environment. Never in a file of ours."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from typing import Final, Literal, Protocol

from mnemoscope.domain.errors import StorageError

SERVICE: Final = "mnemoscope"
Origin = Literal["keychain", "this run", "environment"]

_OTHER_VARIABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "huggingface": ("HF_TOKEN", "HUGGINGFACE_API_KEY"),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY"),
    "perplexity": ("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"),
}
_KEY_NAMES: Final = ("_API_KEY", "_TOKEN", "_SECRET", "_SECRET_KEY", "_SECRET_ACCESS_KEY", "_PASSWORD", "_PAT")
_LEAST: Final = 12
"""Characters of a value in the environment that may be a key."""
_NOT_SAFE: Final = ("fail", "null", "plaintext", "file")
"""Words in a backend's name that say it keeps nothing, or keeps it in the open."""


class KeychainBackend(Protocol):
    """Is the part of `keyring`'s backends that is used."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


class Keychain:
    """Keys by provider. Where several places know one, this run's wins, then the keychain's, then the environment's.

    The system's keychain is first looked at when a key is first asked for; it may then ask the person to unlock it, so
    call from a thread. Safe from any thread.
    """

    def __init__(self, backend: KeychainBackend | None = None, *, environment: Mapping[str, str] | None = None) -> None:
        self._given = backend
        self._looked_up: KeychainBackend | None = None
        self._has_looked = False
        self._environment = os.environ if environment is None else environment
        self._around = frozenset(_secrets_among(self._environment))
        self._this_run: dict[str, str] = {}
        self._read: dict[str, str] = {}
        self._from_outside: set[str] = set()
        self._lock = threading.RLock()

    @property
    def persistent(self) -> bool:
        """Tells whether this system has a keychain that keeps secrets safe; otherwise keys last for this run."""
        return self._backend() is not None

    def prepare(self) -> None:
        """Finds the system's keychain, which takes some tenths of a second the first time. It is not asked for
        anything, so it asks the person for nothing."""
        self._backend()

    def get(self, provider: str) -> str | None:
        """Returns the provider's key. Raises StorageError where the keychain refuses to be read."""
        with self._lock:
            return self._this_run.get(provider) or self._from_keychain(provider) or self._from_environment(provider)

    def at_hand(self, provider: str) -> str | None:
        """Returns the provider's key where nobody has to be asked for it, "" where it is known so that there is none,
        and None where the keychain has to be asked. It never waits, so it may be called on any thread."""
        known = self._this_run.get(provider) or self._read.get(provider)
        if known is None and self._has_looked and self._looked_up is None:
            return self._from_environment(provider) or ""
        return known

    def origin(self, provider: str) -> Origin | None:
        """Returns where `get` finds the key."""
        with self._lock:
            if provider in self._this_run:
                return "this run"
            if self._from_keychain(provider):
                return "keychain"
            return "environment" if self._from_environment(provider) else None

    def remember(self, provider: str, key: str, *, persist: bool) -> None:
        """Keeps a key, in the system's keychain or for this run only. Raises StorageError where the keychain refuses,
        or where there is none that is safe."""
        with self._lock:
            if not persist:
                self._this_run[provider] = key.strip()
                return
            self._write(provider, key.strip())
            self._this_run.pop(provider, None)
            self._read[provider] = key.strip()

    def forget(self, provider: str) -> None:
        """Removes the key from this run and from the keychain; what the environment says stays."""
        with self._lock:
            self._this_run.pop(provider, None)
            known = self._from_keychain(provider)
            self._read.pop(provider, None)
            backend = self._backend()
            if known and backend is not None:
                try:
                    backend.delete_password(SERVICE, provider)
                except Exception as error:
                    raise _refusal("The key could not be removed from the system's keychain.", error) from error

    def secrets(self) -> frozenset[str]:
        """Returns every key this run has seen and every one that stood in the environment when it began, so that
        whatever is kept can mask them."""
        with self._lock:
            return self._around.union(self._this_run.values(), self._read.values(), self._from_outside)

    def _from_keychain(self, provider: str) -> str | None:
        if provider in self._read:
            return self._read[provider]
        backend = self._backend()
        if backend is None:
            return None
        try:
            key = backend.get_password(SERVICE, provider)
        except Exception as error:
            raise _refusal("The system's keychain could not be read.", error) from error
        if key:
            self._read[provider] = key
        return key or None

    def _from_environment(self, provider: str) -> str | None:
        if "@" in provider:
            return None  # The key of a server at an address of the person's own.
        names = _OTHER_VARIABLES.get(provider, (f"{provider.upper()}_API_KEY",))
        key = next((value for name in names if (value := self._environment.get(name, "").strip())), None)
        if key:
            self._from_outside.add(key)
        return key

    def _write(self, provider: str, key: str) -> None:
        backend = self._backend()
        if backend is None:
            raise StorageError(
                "This system has no keychain that keeps a key safe.", next_step="Keep the key for this run only."
            )
        try:
            backend.set_password(SERVICE, provider, key)
        except Exception as error:
            raise _refusal("The key could not be kept in the system's keychain.", error) from error

    def _backend(self) -> KeychainBackend | None:
        with self._lock:
            if not self._has_looked:
                self._looked_up = _safe(self._given if self._given is not None else _system_keychain())
                self._has_looked = True
            return self._looked_up


def _secrets_among(environment: Mapping[str, str]) -> Iterator[str]:
    for name, value in environment.items():
        if name.upper().endswith(_KEY_NAMES) and len(value.strip()) >= _LEAST:
            yield value.strip()


def _system_keychain() -> KeychainBackend:
    import keyring

    return keyring.get_keyring()


def _safe(backend: object) -> KeychainBackend | None:
    """Returns the backend, or None where it keeps nothing or in the open; of several behind one, all must be safe."""
    kind = type(backend)
    parts = getattr(backend, "backends", None)
    if isinstance(parts, list | tuple):
        return backend if parts and all(_safe(part) for part in parts) else None  # type: ignore[return-value]
    name = f"{kind.__module__.rpartition('.')[2]}.{kind.__qualname__}".lower()
    return None if any(word in name for word in _NOT_SAFE) else backend  # type: ignore[return-value]


def _refusal(sentence: str, error: Exception) -> StorageError:
    return StorageError(
        sentence, next_step="Unlock the keychain, or keep the key for this run only.", reason=type(error).__name__
    )
