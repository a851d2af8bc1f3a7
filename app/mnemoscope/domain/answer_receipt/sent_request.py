"""The request that a kept prompt was sent as, whole: as it went to the model's provider, and as a text to read.

A prompt is kept without the bytes of its images, which lie beside the conversation. With them, and with the options it
was sent with, it is the request to the letter, but for keys and passwords, which are masked before anything is kept.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.attachment import Attachment, filled_message

_ADDRESS: Final = re.compile(r"data:([^;,]*);base64,(.*)", re.DOTALL)
_ROW: Final = 500
"""Characters of base64 in a row."""
_TEXTS: Final = ("content", "reasoning_content")
"""The fields of a message that are read as text; short ones stand in its head."""


@dataclass(frozen=True, slots=True)
class SentRequest:
    """Holds a request as OpenAI's form has it: `model`, `messages`, and where they were asked for `tools` and
    `tool_choice`; `max_tokens` and `temperature` where they are kept.

    `gone`: how many of its images are not there any more; words stand in their place.
    """

    document: Mapping[str, Any]
    gone: int = 0
    doubt: str = ""
    """As PromptSnapshot has it."""

    @classmethod
    def of(cls, prompt: PromptSnapshot, read: Callable[[Attachment], bytes | None]) -> SentRequest:
        """Returns the request of a prompt; `read` returns the bytes of an image, or None where it is gone."""
        options, gone = prompt.options, list[Attachment]()

        def sent(image: Attachment) -> bytes | None:
            if options is not None and image.sha256 in options.missing_images:
                return None
            data = read(image)
            gone.extend([image] if data is None else [])
            return data

        messages = [filled_message(each, sent) for each in prompt.request]
        document: dict[str, Any] = {"model": prompt.model, "messages": messages}
        if prompt.tools:
            document["tools"] = [json.loads(part.text) for part in prompt.tools]
        if options is not None:
            document |= {"max_tokens": options.max_tokens, "temperature": options.temperature}
            if options.tool_choice is not None:
                document["tool_choice"] = options.tool_choice
        return cls(document, len(gone), prompt.doubt)

    @property
    def has_images(self) -> bool:
        """Returns whether any image is in it."""
        contents = [each.get("content") for each in self.document["messages"]]
        return any(_image_in(part) for content in contents if isinstance(content, list) for part in content)

    @property
    def has_options(self) -> bool:
        """Returns whether it is known with what it was asked for."""
        return "max_tokens" in self.document

    def as_json(self) -> str:
        """Returns the request in the form in which JSON goes over the line: no blanks, and no escape that is not
        needed."""
        text = json.dumps(self.document, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "backslashreplace").decode("utf-8")

    def as_text(self, *, with_data: bool) -> str:
        """Returns all of it to read: each message under its role, its text as it is and any other field as JSON.
        `with_data`: the images too, in base64; else their type, size and hash alone."""
        fields = {name: value for name, value in self.document.items() if name not in ("messages", "tools")}
        parts = ["\n".join(_field(*each) for each in fields.items())]
        parts += ["\n".join(_rows_of(each, with_data=with_data)) for each in self.document["messages"]]
        parts += [_field("tools", self.document["tools"])] if "tools" in self.document else []
        return "\n\n".join(parts)


def _rows_of(message: Mapping[str, Any], *, with_data: bool) -> Iterator[str]:
    short = {name: value for name, value in message.items() if isinstance(value, str) and name not in _TEXTS}
    yield "[" + " · ".join([short.pop("role", "?"), *(f"{name}: {value}" for name, value in short.items())]) + "]"
    for name, value in message.items():
        if name == "content" and isinstance(value, str):
            yield value
        elif name == "content" and isinstance(value, list):
            for part in value:
                yield from _rows_of_part(part, with_data=with_data)
        elif name != "role" and name not in short:
            yield _field(name, value)


def _rows_of_part(part: Mapping[str, Any], *, with_data: bool) -> Iterator[str]:
    """Yields one part of a message of several: a text or an image."""
    image = _image_in(part)
    if image is None:
        yield str(part["text"]) if set(part) == {"type", "text"} else _indented(part)
        return
    kind, data, bare = image
    yield f"[image · {kind} · {len(bare):,} bytes · SHA-256 {hashlib.sha256(bare).hexdigest()}]"
    if with_data:
        yield from (data[start : start + _ROW] for start in range(0, len(data), _ROW))


def _image_in(part: Mapping[str, Any]) -> tuple[str, str, bytes] | None:
    """Returns the media type, the base64 and the bytes of a part that is an image."""
    image = part.get("image_url")
    found = _ADDRESS.fullmatch(str(image.get("url"))) if isinstance(image, Mapping) else None
    with suppress(ValueError):  # another program's message may say anything there
        return None if found is None else (found[1], found[2], base64.b64decode(found[2]))
    return None


def _field(name: str, value: object) -> str:
    return f"{name}: {value if isinstance(value, str) else _indented(value)}"


def _indented(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
