"""Decides what a folder may not decide by itself: where words go, what runs, and what spends.

A folder can come from anywhere: copied, unpacked, shared, synchronised. Whatever in it says where words go holds only
after the person said so on this computer:

* the server address, the model that answers, those of the background and of Dream, and the model that searches by
  meaning;
* whether commands may be run;
* what spends by itself: Dream by the clock with its rhythm and limits, the archiving of idle conversations, and what a
  day may cost;
* what a model is told: AGENTS.md, SOUL.md, IDENTITY.md, TOOLS.md, everything in `prompts/` and in each skill's folder.

These are the folder's `Terms`. They are empty while only the built-in model and models of this computer are set: these
send nothing anywhere, so nothing needs to be asked. What waits is what would send: where the built-in model answers and
another searches by meaning, only that search waits. MEMORY.md, USER.md, the logs and the conversations are no terms:
they are what is known and was said, other programs write them all the time, and they are sent only where the terms
say. That one of them lies outside the folder, behind a link, is one: any file could be sent along so. To have a folder
with such links written to is agreed to by itself (`store/workspace/links_out`), whatever model is set. A model that a
conversation's own file names is no term either: the gate refuses every model that the terms in force do not name and
that the person did not choose on this computer, at the address in force.

What the person agreed to is a `Trusted`. It is kept outside the folder and bound to the folder's resolved path, device
and inode, and to a fingerprint of exactly what was shown. A setting that is changed in this window, or through the
Python API, is agreed to by the act, alone; everything else that differs from what was agreed to is asked about again
and shown as what changed. A `TrustGate` stands before every request to a model or an embedder, every tool call and
every run by the clock.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from mnemoscope.domain.memory.file_registry import INSTRUCTION_FILES
from mnemoscope.domain.settings import DREAM, Settings, embedding_model_in_force, is_built_in, is_on_this_computer

TermValue = str | int | float | bool


class Use(StrEnum):
    """Names what words are sent for, each by the setting that says to which model."""

    ANSWERS = "model"
    """Chat and tools, and consolidation where no other model does it."""
    BACKGROUND = "background_model"
    """Consolidation, and Dream where it has no model of its own."""
    DREAM = "dream_model"
    SEARCH = "embedding_model"


INSTRUCTION_FOLDERS: Final = ("prompts", "skills")
_DREAM_BY_ITSELF: Final = "dream_by_itself"
"""The term that stands for the three settings that together let Dream run by the clock."""
_SWITCHES: Final = frozenset({"profile", "dream_enabled", "dream_paused"})
_RHYTHM: Final = (
    "dream_interval_hours",
    "dream_cron",
    "dream_batch",
    "dream_rounds",
    "dream_max_tokens",
    "dream_day_tokens",
)
_DEFAULTS: Final[Mapping[str, TermValue]] = {
    "api_base": "",
    "spending_limit": 0.0,
    **{name: getattr(Settings(), name) for name in _RHYTHM},
}
"""Terms that decide nothing while they have these values: they are the program's own."""


@dataclass(frozen=True, slots=True)
class FolderIdentity:
    """Tells a folder from a copy of it, and from another one that was put in its place."""

    path: str
    """With every link resolved."""
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Terms:
    """Holds what a folder decides: each setting that counts by its name in `Settings`, and the SHA-256 of each file of
    instructions by its path."""

    settings: Mapping[str, TermValue] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.settings or self.files)

    def fingerprint(self, folder: FolderIdentity) -> str:
        """Returns a hash of all of it and of the folder it is said of."""
        said = [folder.path, folder.device, folder.inode, dict(self.settings), dict(self.files)]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class ChangedTerm:
    """Names one term that was not agreed to. `before` is what was, None where nothing was said of it before."""

    name: str
    now: TermValue
    before: TermValue | None = None
    is_file: bool = False


@dataclass(frozen=True, slots=True)
class TrustState:
    """Tells what the folder says now, and what of it was not agreed to.

    `fingerprint` names exactly this; a yes to it counts for nothing else.
    """

    terms: Terms = field(default_factory=Terms)
    changes: tuple[ChangedTerm, ...] = ()
    fingerprint: str = ""
    is_new: bool = True
    """Nothing of this folder was ever agreed to on this computer."""
    models: frozenset[str] = frozenset()
    """The names of models that may be asked, as they are set."""
    address: str = ""
    uses: frozenset[Use] = frozenset()
    """The uses for which words leave this computer with these settings."""
    chosen: frozenset[tuple[str, str]] = frozenset()
    """Models that the person chose for one conversation or one answer, each with the address it was chosen at."""

    @property
    def is_waiting(self) -> bool:
        """Returns whether nothing may go out before the person says so."""
        return bool(self.changes)

    def waits(self, use: Use) -> bool:
        """Returns whether this waits for the person: what sends nothing does not."""
        return self.is_waiting and use in self.uses


class TrustGate(Protocol):
    """Stands before whatever sends words, runs something or spends."""

    @property
    def is_waiting(self) -> bool:
        """Returns whether the last look found something that waits for the person."""
        ...

    def waits(self, use: Use) -> bool:
        """Returns whether this waits, as of the last look."""
        ...

    async def require(self, use: Use = Use.ANSWERS) -> None:
        """Looks at the folder as it is now. Raises FolderNotTrusted while this use waits for the person."""
        ...

    async def require_model(self, model: str, address: str) -> None:
        """Looks at the folder as it is now, before a request to `model` at `address`. Raises FolderNotTrusted while it
        waits for the person, and for others than are set or were chosen by the person for one conversation."""
        ...

    async def require_typed(self, model: str, address: str) -> None:
        """Looks at the folder before a model or an address is asked that the person typed and did not set yet: their
        own word, unless it is what the folder says and what waits. Raises FolderNotTrusted."""
        ...


class TrustedByCaller:
    """Is the gate of whoever hands in a provider, or opens a folder as trusted: it is their own word."""

    is_waiting = False

    def waits(self, use: Use) -> bool:
        """Returns that nothing waits."""
        return False

    async def require(self, use: Use = Use.ANSWERS) -> None:
        """Lets everything pass."""

    async def require_model(self, model: str, address: str) -> None:
        """Lets every model pass."""

    async def require_typed(self, model: str, address: str) -> None:
        """Lets every model pass."""


def models_of(settings: Settings) -> dict[str, str]:
    """Returns the models that are set and are not of this computer: the name of the setting, then the model's."""
    found = {
        "model": settings.model,
        "background_model": settings.background_model,
        "dream_model": settings.dream_model,
        "embedding_model": embedding_model_in_force(settings),
    }
    return {name: model for name, model in found.items() if not (is_built_in(model) or is_on_this_computer(model))}


def uses_of(settings: Settings) -> frozenset[Use]:
    """Returns what words leave for with these settings."""
    found = {Use(name) for name in models_of(settings)}
    if not is_built_in(settings.model_of_dream):
        found.add(Use.DREAM)
    return frozenset(found)


def is_instructing(path: str) -> bool:
    """Returns whether a model is told what stands in the file of this path, relative to the workspace."""
    return path in INSTRUCTION_FILES or path.partition("/")[0] in INSTRUCTION_FOLDERS


def terms_of(settings: Settings, files: Mapping[str, str]) -> Terms:
    """Returns what a folder decides with these settings and files of instructions; nothing where no words leave.

    Where they leave for the search by meaning alone, nobody follows instructions, runs anything or spends by itself.
    """
    uses = uses_of(settings)
    if uses == {Use.SEARCH}:
        said = {Use.SEARCH.value: embedding_model_in_force(settings), "api_base": settings.api_base}
        return Terms(said, {path: digest for path, digest in files.items() if not is_instructing(path)})
    return Terms(_said(settings), dict(files)) if uses else Terms()


def changes_of(terms: Terms, agreed: Terms | None, known_files: Collection[str] = ()) -> tuple[ChangedTerm, ...]:
    """Returns what of the terms was not agreed to; `known_files` are the hashes of files that the program ships."""
    known = agreed or Terms()
    found = [
        ChangedTerm(name, value, known.settings.get(name))
        for name, value in terms.settings.items()
        if known.settings.get(name, _DEFAULTS.get(name)) != value
    ]
    found += [
        ChangedTerm(path, digest, known.files.get(path), is_file=True)
        for path, digest in sorted(terms.files.items())
        if known.files.get(path) != digest and digest not in known_files
    ]
    return tuple(found)


_CHOSEN: Final = "chosen:"
"""Begins the name under which a model is kept that was chosen for one conversation; the value is the address."""


def with_chosen(agreed: Terms | None, model: str, address: str) -> Terms:
    """Returns what is agreed to once a person chose a model for one conversation or one answer."""
    known = agreed or Terms()
    return Terms({**known.settings, f"{_CHOSEN}{model}": address}, known.files)


def chosen_in(agreed: Terms | None) -> frozenset[tuple[str, str]]:
    """Returns the models that were chosen so, each with its address."""
    settings = agreed.settings if agreed else {}
    return frozenset(
        (name.removeprefix(_CHOSEN), str(value)) for name, value in settings.items() if name.startswith(_CHOSEN)
    )


_LINK: Final = "link:"
"""Begins the name under which a link out of the folder is kept that may be written through; the value is where it
leads."""


def with_links(agreed: Terms | None, links: Mapping[str, str]) -> Terms:
    """Returns what is agreed to once a person agreed to these links out of the folder, and to no others."""
    known = agreed or Terms()
    others = {name: value for name, value in known.settings.items() if not name.startswith(_LINK)}
    return Terms({**others, **{f"{_LINK}{path}": place for path, place in links.items()}}, known.files)


def links_agreed_to(agreed: Terms | None) -> dict[str, str]:
    """Returns the links out of the folder that the person agreed to, by their path in it, with where they lead."""
    settings = agreed.settings if agreed else {}
    return {name.removeprefix(_LINK): str(value) for name, value in settings.items() if name.startswith(_LINK)}


def kept_beside(agreed: Terms | None) -> dict[str, TermValue]:
    """Returns what was agreed to by itself, which no yes to the whole folder says again or takes away."""
    settings = agreed.settings if agreed else {}
    return {name: value for name, value in settings.items() if name.startswith((_CHOSEN, _LINK))}


def agreed_by_setting(agreed: Terms | None, before: Settings, after: Settings, names: Iterable[str]) -> Terms:
    """Returns what is agreed to once a person changed the settings of these names, and nothing else by it."""
    changed = {name for name in names if getattr(before, name) != getattr(after, name)}
    known = dict(agreed.settings) if agreed else {}
    said = _said(after)
    if changed & _SWITCHES and _dreams_by_itself(after):
        changed.add(_DREAM_BY_ITSELF)
    for name in changed:
        if name in said:
            known[name] = said[name]
        else:
            known.pop(name, None)
    return Terms(known, agreed.files if agreed else {})


def _said(settings: Settings) -> dict[str, TermValue]:
    """Returns every setting that counts, whether words leave or not."""
    said: dict[str, TermValue] = {
        **models_of(settings),
        "api_base": settings.api_base,
        "spending_limit": settings.spending_limit,
    }
    if settings.exec_enabled:
        said["exec_enabled"] = True
    if settings.profile == DREAM and settings.idle_compact_minutes:
        said["idle_compact_minutes"] = settings.idle_compact_minutes
    if _dreams_by_itself(settings):
        said |= {_DREAM_BY_ITSELF: True, **{name: getattr(settings, name) for name in _RHYTHM}}
    return said


def _dreams_by_itself(settings: Settings) -> bool:
    return settings.profile == DREAM and settings.dream_enabled and not settings.dream_paused
