"""Reads which models a server says it serves, and how much they can read.

The forms that are understood: OpenAI's `/models` (`data[].id`), with the sizes that vLLM (`max_model_len`), llama.cpp
(`meta.n_ctx`), OpenRouter (`context_length`) and LM Studio (`loaded_context_length`, `max_context_length`, under
`/api/v0/models`) put beside it; llama.cpp's `/props` (`default_generation_settings.n_ctx`); Ollama's `/api/tags`,
`/api/ps` and `/api/show`; the litellm proxy's `/model/info` (`model_info.max_input_tokens`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mnemoscope.llm.model_catalog import is_for_chat

_MOST_NAMES: Final = 500
_LONGEST_NAME: Final = 200
_MOST_TOKENS: Final = 100_000_000
_MOST_PARAMETERS: Final = 2_000_000
"""Characters of the settings that Ollama lists."""


def models_in(document: Any) -> list[dict[str, Any]]:
    """Returns `{"name", "context"}` of each model for conversations in a list of OpenAI's or Ollama's form, each name
    once, at most 500. `context` is 0 where the list does not say."""
    found: dict[str, int] = {}
    for entry in _entries(document):
        name = _name_of(entry)
        if name and name not in found and is_for_chat(name):
            in_force, most = _sizes(entry)
            found[name] = in_force or most
            if len(found) == _MOST_NAMES:
                break
    return [{"name": name, "context": context} for name, context in found.items()]


def context_in(document: Any, model: str) -> tuple[int, int]:
    """Returns the tokens that a server's answer says are in force for a model, and those that the model could hold;
    0 where it does not say."""
    if not isinstance(document, Mapping):
        return 0, 0
    props = document.get("default_generation_settings")
    if isinstance(props, Mapping):
        return _tokens(props.get("n_ctx")), 0
    for entry in _entries(document):
        if _is_named(_name_of(entry), model):
            return _sizes(entry)
    return _shown(document)


def _shown(document: Mapping[str, Any]) -> tuple[int, int]:
    """Returns the sizes in what Ollama's `/api/show` answers."""
    in_force = 0
    parameters = document.get("parameters")
    if isinstance(parameters, str):
        for line in parameters[:_MOST_PARAMETERS].splitlines():
            name, _, value = line.strip().partition(" ")
            if name == "num_ctx" and value.strip().isdecimal() and len(value.strip()) < 10:
                in_force = _tokens(int(value))
    details = document.get("model_info")
    sizes = (
        [_tokens(value) for name, value in details.items() if str(name).endswith(".context_length")]
        if isinstance(details, Mapping)
        else []
    )
    return in_force, max(sizes, default=0)


def _sizes(entry: Mapping[str, Any]) -> tuple[int, int]:
    """Returns the sizes in one entry of a list: in force, and possible."""
    places = [entry, *(entry[name] for name in ("meta", "model_info") if isinstance(entry.get(name), Mapping))]
    # Ollama's `/api/ps` lists what runs, so its `context_length` is in force; OpenRouter's is what one may send.
    in_force = ("loaded_context_length", "max_model_len", "n_ctx", "context_length", "max_input_tokens")
    most = ("max_context_length", "n_ctx_train")
    return _first(places, in_force), _first(places, most)


def _first(places: list[Mapping[str, Any]], names: tuple[str, ...]) -> int:
    return next((tokens for name in names for place in places if (tokens := _tokens(place.get(name)))), 0)


def _tokens(value: Any) -> int:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 < value <= _MOST_TOKENS else 0


def _entries(document: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(document, Mapping):
        lists = (document.get(name) for name in ("data", "models"))
        for entry in next((each for each in lists if isinstance(each, list)), ()):
            if isinstance(entry, Mapping):
                yield entry


def _name_of(entry: Mapping[str, Any]) -> str:
    """Returns a model's name; "" for one that cannot be shown in one line, as with marks that turn the writing."""
    for field in ("id", "name", "model", "model_name"):
        name = entry.get(field)
        if isinstance(name, str) and name.strip():
            name = name.strip()
            return name if name.isprintable() and len(name) <= _LONGEST_NAME else ""
    return ""


def _is_named(name: str, model: str) -> bool:
    """Returns whether a server's name is that of a model; Ollama's `:latest` may be left out."""
    return bool(name) and name.removesuffix(":latest") == model.removesuffix(":latest")
