"""Orders the output modes to try with a model, and remembers the one that worked."""

from __future__ import annotations

import logging
from typing import Any, Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.llm import ModelTraits, OutputMode
from mnemoscope.domain.settings import is_built_in
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.workspace.output_modes_file import OutputModesFile

log = logging.getLogger(__name__)
_BY_TOOL: Final = (OutputMode.TOOL, OutputMode.SCHEMA, OutputMode.TEXT)
_BY_SCHEMA: Final = (OutputMode.SCHEMA, OutputMode.TOOL, OutputMode.TEXT)


JOURNAL_TASK: Final = "journal"
"""The lines of a summary: they are plain text, so a model that calls tools is asked for them in its text first."""


def usual_order(traits: ModelTraits) -> tuple[OutputMode, ...]:
    """Returns the ways in the order in which they are tried with a model that nothing is remembered of.

    A model known to call tools is asked so. One on a server of the person's own, of which nothing is known, is held to
    a schema first: most such servers do that, and a model that calls no tools answers at length before it is noticed.
    """
    if traits.tools:
        return _BY_TOOL
    if traits.tools is None:
        return _BY_SCHEMA if traits.server else _BY_TOOL
    return (OutputMode.SCHEMA, OutputMode.TEXT) if traits.schema else (OutputMode.TEXT, OutputMode.SCHEMA)


class OutputModes:
    """Knows the output modes of the models that one workspace has used."""

    def __init__(self, file: OutputModesFile, disk: Disk) -> None:
        self._file = file
        self._disk = disk
        self._known: dict[str, str] | None = None

    async def order(self, provider: Any, model: str | None, task: str = "") -> tuple[OutputMode, ...]:
        """Returns the ways in the order in which to try them: the one that worked last, then the others.

        `task` names what is asked for where a model may do it in another way than the rest; what worked there goes
        first, else what worked for the rest."""
        traits = await traits_of(provider, model)
        usual = usual_order(traits)
        if self._known is None:
            self._known = await self._disk.run(self._file.load)
        kept = self._known.get(_key(model, traits, task), self._known.get(_key(model, traits)))
        first = next((mode for mode in OutputMode if mode.value == kept), usual[0])
        if task == JOURNAL_TASK and first is OutputMode.TOOL and _key(model, traits, task) not in self._known:
            first = OutputMode.TEXT
        return (first, *(mode for mode in usual if mode is not first))

    async def remember(self, provider: Any, model: str | None, mode: OutputMode, task: str = "") -> None:
        """Notes that a way worked. What is tried first anyway needs no note. Only a note: a disk that refuses it
        changes nothing."""
        if (await self.order(provider, model, task))[0] is mode:
            return
        key, known = _key(model, await traits_of(provider, model), task), self._known or {}
        self._known = {**{name: kept for name, kept in known.items() if name != key}, key: mode.value}
        try:
            await self._disk.run(self._file.save, self._known)
        except StorageError as error:
            log.warning("the way that %s takes could not be kept: %s", model, error)


async def traits_of(provider: Any, model: str | None) -> ModelTraits:
    """Returns what is known of a model; a provider that tells nothing of its models is asked for nothing."""
    if is_built_in(model or ""):
        return ModelTraits(tools=True, images=False)
    ask = getattr(provider, "traits", None)
    try:
        traits = await ask(model) if callable(ask) else None
    except Exception as error:  # noqa: BLE001 - not known is an answer too
        log.info("nothing is known of %s: %s", model, error)
        traits = None
    return traits if isinstance(traits, ModelTraits) else ModelTraits()


def _key(model: str | None, traits: ModelTraits, task: str = "") -> str:
    name = f"{model or ''}@{traits.server}" if traits.server else str(model or "")
    return f"{name} ({task})" if task else name
