"""Which models a person can choose, and the keys they need: what the window asks before a model is asked anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mnemoscope.domain.settings import Settings
from mnemoscope.llm import catalog
from mnemoscope.llm.catalog import ModelChoice
from mnemoscope.llm.local_servers import find_local
from mnemoscope.store.keychain import Keychain


@dataclass(frozen=True, slots=True)
class KeyState:
    """What is known of a model's key: `origin` is `keychain`, `this run`, `environment` or ""."""

    needed: bool
    origin: str
    can_keep: bool


class Models:
    """The catalogue and the keychain, together."""

    def __init__(self, keychain: Keychain, settings: Callable[[], Settings]) -> None:
        self._keychain, self._settings = keychain, settings
        self._found: list[ModelChoice] = []

    def choices(self) -> list[ModelChoice]:
        """The built-in model, what was found on this computer, and well-known names."""
        known = catalog.choices()
        return [*known[:1], *self._found, *known[1:]]

    async def find_local(self) -> list[ModelChoice]:
        """Look for model servers on this computer."""
        self._found = list(await find_local())
        return self._found

    def remember_key(self, model: str, key: str, *, persist: bool) -> None:
        """Keep a key for the provider of `model`: in the system's keychain, or for this run only."""
        self._keychain.remember(self._name(model), key, persist=persist)

    def key_state(self, model: str) -> KeyState:
        """Whether `model` needs a key, where one is known, and whether one can be kept."""
        base = self._settings().api_base
        name = self._name(model)
        origin = self._keychain.origin(name) if name else None
        return KeyState(catalog.needs_key(model, base), origin or "", self._keychain.persistent)

    def _name(self, model: str) -> str:
        return catalog.key_name(model, self._settings().api_base)
