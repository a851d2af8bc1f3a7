"""One provider serves every model: the built-in one here, all others through litellm, each with its address and key."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Protocol

from mnemoscope.domain.errors import KeyMissing, ModelError, ModelUnknown, StorageError
from mnemoscope.domain.llm import ChatRequest, LLMProvider, LLMResponse, ModelTraits, StreamPart, Vector
from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.domain.settings import Settings, is_built_in, is_on_this_computer
from mnemoscope.domain.trust import TrustGate
from mnemoscope.llm import model_catalog
from mnemoscope.llm.destination import destination_of
from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.llm.model_catalog import ModelChoice
from mnemoscope.llm.model_check import TrialFinding, check_model
from mnemoscope.llm.offline.provider import OfflineProvider
from mnemoscope.llm.remote import Connection, LiteLLMProvider, RequestLimits, ServerContext


class KeySource(Protocol):
    """Hands out the keys of models; `store.workspace.keychain.Keychain` is one."""

    def get(self, provider: str) -> str | None: ...

    def at_hand(self, provider: str) -> str | None: ...

    def prepare(self) -> None: ...


@dataclass(frozen=True, slots=True)
class TypedModel:
    """Describes a model as it stands in a dialog, before it is set. `key` is one that was typed, None for the one that
    is kept."""

    model: str
    api_base: str = ""
    key: str | None = None


class ModelRouter(LLMProvider):
    """Picks the provider by the model's name, and checks the key before a request is made.

    `settings()` gives the settings in force: the model where a call names none, the address, the context window.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        keys: KeySource,
        *,
        trust: TrustGate,
        offline: LLMProvider | None = None,
        remote: LiteLLMProvider | None = None,
        local: LocalEmbedder | None = None,
        limits: RequestLimits | None = None,
        known: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        """`trust` is asked before every request that leaves this program; `known` gives the keys there are, which no
        text that is embedded may say."""
        self._settings = settings
        self._keys = keys
        self._trust = trust
        self._known_keys = known
        self._offline = offline or OfflineProvider()
        self._known: dict[str, Connection] = {}
        self._remote = remote or LiteLLMProvider(self._connection, limits=limits)
        self._local = local or LocalEmbedder()

    async def warm(self, model: str | None = None) -> None:
        """Starts the process of a model, unless it is built in, and finds the keychain, without asking it for a key."""
        name = self._name(model)
        if not (is_built_in(name) or is_on_this_computer(name) or self._trust.is_waiting):
            await self._remote.warm()
            await asyncio.to_thread(self._keys.prepare)

    async def complete(self, request: ChatRequest) -> LLMResponse:
        """Asks the model's provider. Raises KeyMissing if it needs a key and none is known."""
        request = replace(request, model=self._name(request.model))
        provider = await self._provider(request.model or "")
        return await provider.complete(request)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamPart, None]:
        """Streams from the model's provider. Raises KeyMissing if it needs a key and none is known."""
        request = replace(request, model=self._name(request.model))
        provider = await self._provider(request.model or "")
        async with aclosing(provider.stream(request)) as parts:  # type: ignore[type-var] # both stream from generators
            async for part in parts:
                yield part

    async def embed(self, texts: Sequence[str], model: str, *, is_question: bool = False) -> list[Vector]:
        """Returns the meaning of each text as a vector; keys and passwords in it are masked before it goes out.

        Raises KeyMissing, ModelUnknown for the built-in model, and ModelMissing if that of this computer is not
        installed.
        """
        if is_built_in(model):
            raise ModelUnknown("The built-in model has no embeddings.", model=model)
        if is_on_this_computer(model):
            return await self._local.embed(texts, model, is_question=is_question)
        await self._prepare(model)
        await self._local.release()
        # Many texts at once: that takes longer than a window may stand still.
        masked = await asyncio.to_thread(self._without_keys, texts)
        return await self._remote.embed(masked, model, is_question=is_question)

    def _without_keys(self, texts: Sequence[str]) -> list[str]:
        known = self._known_keys()
        return [mask_secrets(text, known) for text in texts]

    def context_window(self, model: str | None = None) -> int:
        """Returns the tokens that the settings state for the model, or else the provider's own figure."""
        name = self._name(model)
        if is_built_in(name):
            return self._offline.context_window(name)
        return self._settings().context_size(name) or model_catalog.context_window(name, self._address())

    async def traits(self, model: str | None = None) -> ModelTraits:
        """Returns what is known of the model; no server is asked."""
        name = self._name(model)
        if is_built_in(name):
            return await self._offline.traits(name)
        address = self._address()
        if self._connection(name).api_base != address:
            self._known[name] = Connection(address)
        return await self._remote.traits(name)

    async def typed_traits(self, typed: TypedModel) -> ModelTraits:
        """Returns what litellm's table says of a model that was typed. Nothing leaves this computer, and nothing is
        started while the folder waits."""
        if is_built_in(typed.model) or self._trust.is_waiting:
            return ModelTraits()
        return await self._speaker(Connection(typed.api_base.strip())).traits(typed.model)

    async def models_at(self, typed: TypedModel) -> list[ModelChoice]:
        """Returns the models that the server at a typed address says it serves. Raises ModelError."""
        return await self._remote.models_at(await self._typed_connection(typed), typed.model)

    async def context_at(self, typed: TypedModel) -> ServerContext:
        """Returns the context that a server gives a model; without an address, what litellm's table says. Raises
        ModelError."""
        if not typed.api_base.strip():
            traits = await self.typed_traits(typed)
            return ServerContext(traits.context, traits.context)
        return await self._remote.context_at(await self._typed_connection(typed), typed.model)

    async def check(self, typed: TypedModel) -> AsyncGenerator[TrialFinding, None]:
        """Yields what a model can do, from a few short requests to it. Raises ModelError."""
        if is_built_in(typed.model):
            raise ModelUnknown("The built-in model needs no test: it is no language model.", model=typed.model)
        _require_answers(typed.model)
        provider = self._speaker(await self._typed_connection(typed, needs_model=True))
        async with aclosing(check_model(provider, typed.model)) as findings:
            async for finding in findings:
                yield finding

    async def _typed_connection(self, typed: TypedModel, *, needs_model: bool = False) -> Connection:
        """Returns where a typed model is asked, once that may be. Raises ModelError where it may not."""
        model, address = typed.model.strip(), typed.api_base.strip()
        await self._trust.require_typed(model, address)
        named = model if needs_model or not is_built_in(model) else "any"
        if not address and not needs_model:
            raise ModelError("No server address is typed, so there is nothing to ask.", model=model)
        if destination_of(named, address).kind == "unclear":
            raise _unclear(model)
        return Connection(address, typed.key or await self._key(named, address))

    def _speaker(self, connection: Connection) -> LiteLLMProvider:
        return self._remote.at(connection)

    async def aclose(self) -> None:
        """Releases all providers."""
        await self._offline.aclose()
        await self._remote.aclose()
        await self._local.aclose()

    def _name(self, model: str | None) -> str:
        return (model or self._settings().model).strip()

    async def _provider(self, model: str) -> LLMProvider:
        if is_built_in(model):
            return self._offline
        await self._prepare(model)
        return self._remote

    async def _prepare(self, model: str) -> None:
        """Finds the address and key that a model is asked with, once both are agreed to, and starts the process.

        Raises FolderNotTrusted, KeyMissing, and ModelError for a model that only searches and for an address that
        cannot be told.
        """
        _require_answers(model)
        address = self._address()
        await self._trust.require_model(model, address)
        if destination_of(model, address).kind == "unclear":
            raise _unclear(model)
        await self._remote.warm()
        self._known[model] = Connection(address, await self._key(model, address))

    def _address(self) -> str:
        return self._settings().api_base.strip()

    def _connection(self, model: str) -> Connection:
        return self._known.get(model) or Connection(self._address())

    async def _key(self, model: str, address: str) -> str | None:
        name = model_catalog.key_name(model, address)
        key = self._keys.at_hand(name) if name else ""
        try:
            if key is None:
                # A locked keychain asks the person first, which takes as long as it takes.
                key = await asyncio.to_thread(self._keys.get, name)
        except StorageError as error:
            if model_catalog.needs_key(model, address):
                raise KeyMissing(error.sentence, next_step=error.next_step, model=model) from error
            key = None
        if not key and model_catalog.needs_key(model, address):
            raise KeyMissing(f"{model_catalog.provider_title(model)} needs a key and none is known.", model=model)
        return key or None


def _require_answers(model: str) -> None:
    if is_on_this_computer(model):
        raise ModelError(
            f"“{model}” only searches by meaning and answers nothing, so nothing was sent.",
            next_step="Choose a model that answers under “Choose model…”.",
            model=model,
        )


def _unclear(model: str) -> ModelError:
    return ModelError(
        "Where this would go cannot be told from the server address and the model's name, so nothing was sent.",
        next_step="Write the address plainly, such as http://192.168.1.5:8080, under “Choose model…”.",
        model=model,
    )
