"""Holds the composer's text with its images and files, and notes what of it was put in rather than written. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mnemoscope.domain.conversation.attachment import Attachment, attachment_field, names_of_images, read_attachments
from mnemoscope.domain.conversation.origin import FILE, QuotedSpan, recorded_quotes
from mnemoscope.domain.conversation.text_file import FileSpan, TextFile, file_in, files_field, read_file_spans
from mnemoscope.domain.forgetting.forgotten_text import MARK, ForgottenText

_APART: Final = "\n\n"
"""The gap between the words of a message and a file, and between two files."""


@dataclass(frozen=True, slots=True)
class ComposerText:
    """Describes a text with its quotes: what was pasted or came from a file, in characters, in order and apart.
    `images` go with it, and `files` says where in the text the text of files stands that go with it; quotes cover them
    too."""

    text: str = ""
    quotes: tuple[QuotedSpan, ...] = ()
    images: tuple[Attachment, ...] = ()
    files: tuple[FileSpan, ...] = ()

    @classmethod
    def of_draft(cls, draft: Mapping[str, Any] | None) -> ComposerText:
        """Makes the text from what `as_draft` made; quotes that do not fit the text are dropped."""
        if not draft:
            return cls()
        text = str(draft.get("text", ""))
        quotes = tuple(recorded_quotes(draft.get("quotes"), len(text)))
        files = read_file_spans(draft.get("files"), len(text))
        return cls(text, quotes, read_attachments(draft.get("attachments")), files)

    def as_draft(self) -> dict[str, Any]:
        """Returns the text as JSON holds it."""
        draft: dict[str, Any] = {"text": self.text, **attachment_field(self.images), **files_field(self.files)}
        return draft | ({"quotes": [list(quote) for quote in self.quotes]} if self.quotes else {})

    def stripped(self) -> ComposerText:
        """Returns the text without white space around it, as it is sent."""
        start = len(self.text) - len(self.text.lstrip())
        text = self.text.strip()
        files = tuple(each.moved(-start) for each in self.files)
        return replace(self, text=text, quotes=cut_quotes(self.quotes, start, start + len(text)), files=files)

    def sent(self) -> ComposerText:
        """Returns the text as it is sent. Images that go without a word have their names in its place, as a file's
        words: a message has to say something to every program that reads it."""
        content = self.stripped()
        if content.text or not content.images:
            return content
        words = names_of_images(content.images)
        return replace(content, text=words, quotes=((0, len(words), FILE),))

    def with_files(self, files: Sequence[TextFile]) -> ComposerText:
        """Returns the text with that of these files behind it."""
        parts, size, apart = [self.text], len(self.text), _APART if self.text.strip() else ""
        spans: list[FileSpan] = []
        for each in files:
            quoted = each.quoted()
            start = size + len(apart)
            size = start + len(quoted)
            spans.append(FileSpan(start, size, each.name))
            parts += [apart, quoted]
            apart = _APART
        quotes = (*self.quotes, *((span.start, span.stop, FILE) for span in spans))
        return replace(self, text="".join(parts), quotes=quotes, files=(*self.files, *spans))

    def without_files(self) -> tuple[ComposerText, tuple[TextFile, ...]]:
        """Returns the text without that of the files, and the files; what no longer reads as a file stays text. Names
        that stand in the place of words go too."""
        if self.images and self.text == names_of_images(self.images):
            return ComposerText(images=self.images), ()
        words, files, place = ComposerText(images=self.images), [], 0
        for span in self.files:
            found = file_in(self.text, span)
            if found is not None:
                before = self.text[place : span.start].removesuffix(_APART)
                quotes = cut_quotes(self.quotes, place, place + len(before))
                words, place = joined(words, ComposerText(before, quotes)), span.stop
                files.append(found)
        rest = ComposerText(self.text[place:], cut_quotes(self.quotes, place, len(self.text)))
        return joined(words, rest), tuple(files)

    def without(self, forgotten: ForgottenText) -> ComposerText:
        """Returns the text with the mark where forgotten words stood, in what goes with it and its names too."""
        words, files = self.without_files()
        for start, stop in reversed(forgotten.spans(words.text)):
            after = ComposerText(words.text[stop:], cut_quotes(words.quotes, stop, len(words.text)))
            before = ComposerText(words.text[:start], cut_quotes(words.quotes, 0, start), words.images)
            words = joined(joined(before, ComposerText(MARK)), after)
        images = images_without(words.images, forgotten)
        content = replace(words, images=images).with_files(files_without(files, forgotten))
        return content.sent() if self.text and not content.text else content


def images_without(images: Sequence[Attachment], forgotten: ForgottenText) -> tuple[Attachment, ...]:
    """Returns images with the mark where forgotten words stood in their names."""
    return tuple(replace(each, name=forgotten.marked(each.name)) for each in images)


def files_without(files: Sequence[TextFile], forgotten: ForgottenText) -> tuple[TextFile, ...]:
    """Returns files with the mark where forgotten words stood in their names and texts."""
    return tuple(TextFile(forgotten.marked(each.name), forgotten.marked(each.text)) for each in files)


def cut_quotes(quotes: Sequence[QuotedSpan], start: int, stop: int) -> tuple[QuotedSpan, ...]:
    """Returns what of the quotes lies within [start, stop) of their text, counted from `start`."""
    kept = ((max(first, start) - start, min(last, stop) - start, origin) for first, last, origin in quotes)
    return tuple(quote for quote in kept if quote[0] < quote[1])


def joined(first: ComposerText, then: ComposerText) -> ComposerText:
    """Returns one text after the other, each with its quotes and files, and the images of both."""
    size = len(first.text)
    moved = tuple((start + size, stop + size, origin) for start, stop, origin in then.quotes)
    images = tuple(dict.fromkeys((*first.images, *then.images)))
    files = first.files + tuple(each.moved(size) for each in then.files)
    return ComposerText(first.text + then.text, first.quotes + moved, images, files)
