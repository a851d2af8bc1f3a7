"""Offers the models a person can choose, and keeps the keys they need."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from mnemoscope.llm import model_catalog
from mnemoscope.llm.local_servers import find_local
from mnemoscope.llm.model_catalog import ModelChoice
from mnemoscope.llm.router import ModelRouter, TypedModel
from mnemoscope.store.workspace.keychain import Keychain


@dataclass(frozen=True, slots=True)
class KeyState:
    """Tells the state of a model's key: `origin` is `keychain`, `this run`, `environment` or ""."""

    needed: bool
    origin: str
    can_keep: bool


class ModelChoices:
    """Knows the catalogue, the keychain, and the servers that are asked before a model is set."""

    def __init__(self, keychain: Keychain, router: ModelRouter) -> None:
        self.keychain = keychain
        self.router = router
        """Asks a server that was typed, and tries its models."""
        self._found: list[ModelChoice] = []

    def choices(self) -> list[ModelChoice]:
        """Returns the built-in model, what servers listed, and well-known names."""
        known = model_catalog.choices()
        return [*known[:1], *self._found, *known[1:]]

    def offer_also(self, others: ModelChoices) -> None:
        """Offers what servers listed when the person asked in another workspace."""
        self._found = list(others._found)

    async def find_local(self) -> list[ModelChoice]:
        """Looks for model servers on this computer."""
        self._found = list(await find_local())
        return self._found

    async def models_at(self, typed: TypedModel) -> list[ModelChoice]:
        """Asks the server at a typed address for its models. Raises ModelError."""
        self._found = await self.router.models_at(typed)
        return self._found

    async def remember_key(self, model: str, api_base: str, key: str, *, persist: bool) -> None:
        """Keeps a key for `model` at an address: in the system's keychain, or for this run only.

        In a thread: a keychain may wait for the person to unlock it. Raises StorageError where it refuses.
        """
        name = model_catalog.key_name(model, api_base)
        await asyncio.to_thread(self.keychain.remember, name, key, persist=persist)

    async def key_state(self, model: str, api_base: str) -> KeyState:
        """Returns whether `model` at an address needs a key, where one is known, and whether one can be kept."""
        return await asyncio.to_thread(self._key_state, model, api_base)

    def _key_state(self, model: str, api_base: str) -> KeyState:
        name = model_catalog.key_name(model, api_base)
        origin = self.keychain.origin(name) if name else None
        return KeyState(model_catalog.needs_key(model, api_base), origin or "", self.keychain.persistent)
