"""A request that went wrong is told by the model process as a `Failure` and to the person as a `ModelError`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from mnemoscope.domain.errors import (
    AnswerCutOff,
    AnswerTimedOut,
    ContextTooLong,
    ImagesRefused,
    KeyMissing,
    KeyRefused,
    ModelError,
    ModelUnknown,
    RateLimited,
    ServerUnreachable,
)
from mnemoscope.domain.llm import own_name
from mnemoscope.domain.settings import is_on_this_computer
from mnemoscope.llm.model_catalog import provider_title

_TRANSIENT: Final = frozenset({"rate", "server", "timeout", "empty"})


@dataclass(frozen=True, slots=True)
class Failure:
    """Describes a failure. `kind` names one of the sentences below; `detail` is for the log, without the key;
    `retry_after` is in seconds."""

    kind: str
    status: int = 0
    detail: str = ""
    retry_after: float | None = None

    @property
    def is_transient(self) -> bool:
        """Returns whether asking again later can help."""
        return self.kind in _TRANSIENT

    def as_dict(self) -> dict[str, Any]:
        """Returns the failure for the pipe between the processes."""
        return asdict(self)


def error_of(failure: Failure, model: str, api_base: str = "") -> ModelError:
    """Returns the error for the person: one plain sentence, one next step."""
    place = _place(model, api_base)
    kind, sentence, step = _SENTENCES.get(failure.kind, _SENTENCES["other"])
    if step == _ADDRESS and not api_base:
        # The address is the provider's own: what answers in its place stands between here and there.
        step = ServerUnreachable.next_step
    wait = f" It asks to wait {failure.retry_after:.0f} s." if failure.kind == "rate" and failure.retry_after else ""
    return kind(
        sentence.format(place=place, model=own_name(model), status=_status_words(failure)) + wait,
        next_step=step.format(place=place) or None,
        model=model,
        status=failure.status,
        failure=failure.kind,
        detail=failure.detail,
    )


def _place(model: str, api_base: str) -> str:
    if api_base:
        return f"the server at {urlsplit(api_base).netloc.rpartition('@')[2] or api_base}"
    return "the embedding model of this computer" if is_on_this_computer(model) else provider_title(model)


def _status_words(failure: Failure) -> str:
    return f"An error (status {failure.status}) came" if failure.status >= 500 else "No answer could be had"


_AGAIN: Final = "It starts again with the next message: try again."
_ADDRESS: Final = "Check the address under “Choose model…”; most servers want it with /v1 at the end."
_SENTENCES: Final[Mapping[str, tuple[type[ModelError], str, str]]] = {
    "key": (KeyRefused, "The key was refused by {place}.", ""),
    "no_key": (KeyMissing, "A key is wanted by {place}, and none is known.", ""),
    "model": (ModelUnknown, "The model “{model}” is not known to {place}.", ""),
    "rate": (RateLimited, "Too many requests for now, says {place}.", ""),
    "credit": (
        RateLimited,
        "No credit is left on the account, says {place}.",
        "Add credit there, or choose another model.",
    ),
    "context": (ContextTooLong, "The conversation is longer than “{model}” can read at once.", ""),
    "policy": (
        ModelError,
        "The request was declined by the content rules of {place}.",
        "Say it in other words, or choose another model.",
    ),
    "timeout": (AnswerTimedOut, "No answer in time from {place}.", ""),
    "idle": (AnswerTimedOut, "Nothing more arrived from {place}.", ""),
    "server": (ServerUnreachable, "{status} from {place}.", ""),
    "redirect": (
        ModelError,
        "The request was to be sent on to another address, says {place}. It was not, and nothing went there.",
        "If you know that address, enter it as the server address under “Choose model…”.",
    ),
    "sign_in": (
        ModelError,
        "A page to sign in was named by {place}, not a model's answer. Nothing was sent there.",
        _ADDRESS,
    ),
    "web_page": (ModelError, "A web page came from {place}, not a model's answer.", _ADDRESS),
    "no_path": (ModelError, "The path of this address leads to nothing, says {place}.", _ADDRESS),
    "no_answer": (ModelError, "An answer came from {place}, but none of a model.", _ADDRESS),
    "empty": (ServerUnreachable, "An empty answer came from {place}.", _ADDRESS),
    "no_list": (
        ModelError,
        "An answer came from {place}, but none that says which models there are.",
        "Check the address; most servers want it with /v1 at the end. A model's name can be typed all the same.",
    ),
    "too_much": (
        ModelError,
        "Far more came from {place} than a list of models, so it was not read.",
        "Check the address. A model's name can be typed all the same.",
    ),
    "images": (
        ImagesRefused,
        "The model “{model}” takes no images, says {place}.",
        "The image stays here and goes with no later message. To have it seen, choose another model and answer again.",
    ),
    "request": (
        ModelError,
        "The request was not understood by {place}.",
        "Check the model and its settings under “Choose model…”, or take another one.",
    ),
    "cut": (AnswerCutOff, "The connection to {place} ended in the middle of the answer.", ""),
    "ended": (ServerUnreachable, "The model process ended unexpectedly.", _AGAIN),
    "silent": (ServerUnreachable, "The model process stopped responding and was ended.", _AGAIN),
    "other": (ModelError, "The request failed at {place}.", ""),
}
"""By a failure's kind: the error's class, its sentence, and the next step where it is not the class's own."""
