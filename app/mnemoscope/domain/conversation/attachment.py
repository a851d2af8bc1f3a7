"""Images that a person sends with a message: they are named in its record and lie beside the session by their hash.

A record keeps its words in `content`, as ever, and names its images in `attachments`: a list of objects with `sha256`
(64 hex digits), `type` (a media type), `width` and `height` (pixels), `bytes`, and `name`. Other programs pass over the
field. No image's text is the person's own words: nothing of it is captured, and no gate counts it as said.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.conversation.message import Message, prompt_view, text_of

MOST_IMAGES: Final = 8
"""Images that one message takes."""
MOST_BYTES: Final = 5_000_000
"""Bytes of an image that is kept: what every provider takes."""
LONGEST_SIDE: Final = 2_048
"""Pixels of the longer side of an image that is kept."""
NO_IMAGES_TAKEN: Final = "The model takes no images."
"""Said where a message's images are not sent."""
_FIELD: Final = "attachments"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_BEGINNINGS: Final = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"))
_MEDIA_TYPES: Final = tuple(kind for _, kind in _BEGINNINGS)
_PIXELS_A_TOKEN: Final = 750
"""As Anthropic counts; others count fewer tokens for a large image."""
_LEAST_TOKENS: Final = 85


@dataclass(frozen=True, slots=True)
class Attachment:
    """Describes one image: its hash, its media type, its pixels, its bytes, and the name of the file it came from, or
    ""."""

    sha256: str
    media_type: str
    width: int
    height: int
    size: int
    name: str = ""

    @classmethod
    def of_record(cls, value: object) -> Attachment | None:
        """Returns what a record names, or None where it cannot be followed."""
        if not isinstance(value, Mapping) or not _DIGEST.fullmatch(str(value.get("sha256", ""))):
            return None
        width, height, size = (value.get(name) for name in ("width", "height", "bytes"))
        media_type = value.get("type")
        if media_type not in _MEDIA_TYPES:
            return None
        if not all(isinstance(each, int) and 0 < each < 1_000_000_000 for each in (width, height, size)):
            return None
        return cls(str(value["sha256"]), str(media_type), width, height, size, str(value.get("name") or ""))  # type: ignore[arg-type]

    def as_record(self) -> dict[str, Any]:
        """Returns the attachment as a record names it."""
        return {
            "sha256": self.sha256,
            "type": self.media_type,
            "width": self.width,
            "height": self.height,
            "bytes": self.size,
            "name": self.name,
        }

    @property
    def suffix(self) -> str:
        """Returns what the name of such a file ends with."""
        return ".png" if self.media_type == "image/png" else ".jpg"

    @property
    def tokens(self) -> int:
        """Returns the tokens that a model would probably count for the image."""
        return max(_LEAST_TOKENS, self.width * self.height // _PIXELS_A_TOKEN)


def media_type_of(data: bytes) -> str:
    """Returns the media type that the first bytes of an image tell, or "" where it is none that is kept."""
    return next((kind for beginning, kind in _BEGINNINGS if data.startswith(beginning)), "")


def attachments_of(message: Mapping[str, Any]) -> tuple[Attachment, ...]:
    """Returns the images that a message names, in order, without those that cannot be followed."""
    return read_attachments(message.get(_FIELD))


def read_attachments(value: object) -> tuple[Attachment, ...]:
    """Returns the images that a list names, in order, without those that cannot be followed."""
    if not isinstance(value, list):
        return ()
    return tuple(found for each in value[:MOST_IMAGES] if (found := Attachment.of_record(each)) is not None)


def attachment_field(attachments: Iterable[Attachment]) -> dict[str, Any]:
    """Returns the field that names these images in a record; nothing where there are none."""
    named = [each.as_record() for each in attachments]
    return {_FIELD: named} if named else {}


def sent_view(message: Mapping[str, Any]) -> Message:
    """Returns the message reduced to what a model is sent of it: a prompt's fields, and the images that it names."""
    return prompt_view(message) | attachment_field(attachments_of(message))


def has_images(messages: Iterable[Mapping[str, Any]]) -> bool:
    """Returns whether any of the messages names an image."""
    return any(attachments_of(message) for message in messages)


def image_words(attachment: Attachment) -> str:
    """Returns what stands for an image where it cannot be shown."""
    return f"[image: {attachment.name}]" if attachment.name else "[image]"


def names_of_images(images: Iterable[Attachment]) -> str:
    """Returns what is sent in the place of words with images that go without one."""
    return " ".join(map(image_words, images))


def filled_message(message: Message, read: Callable[[Attachment], bytes | None]) -> Message:
    """Returns a message as a model is sent it: with its images in OpenAI's form, or words that stand for them.

    `read` returns the bytes of an image, or None where it is not sent, is gone or is another one.
    """
    attachments = attachments_of(message)
    bare = {name: value for name, value in message.items() if name != _FIELD}
    if not attachments:
        return bare
    parts: list[dict[str, Any]] = []
    missing: list[str] = []
    for each in attachments:
        data = read(each)
        if data is None:
            missing.append(image_words(each))
            continue
        address = f"data:{each.media_type};base64,{base64.b64encode(data).decode('ascii')}"
        parts.append({"type": "image_url", "image_url": {"url": address}})
    text = "\n".join(filter(None, (text_of(message), *missing)))
    return {**bare, "content": [{"type": "text", "text": text}, *parts] if parts else text}
