"""Draws one message into the document: its caption, its bubble or plain text, its tool cards, its notes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from mnemoscope.domain.answer_receipt.memory_use import MemoryCounts, counts_of
from mnemoscope.domain.capture.capture_text import capture_text
from mnemoscope.domain.capture.record import KEPT, UNDONE, CaptureRecord
from mnemoscope.domain.conversation.answer_figures import AnswerFigures
from mnemoscope.domain.conversation.attachment import Attachment, attachments_of, names_of_images
from mnemoscope.domain.conversation.branch import BranchChoice
from mnemoscope.domain.conversation.command_action import CommandAction, actions_of
from mnemoscope.domain.conversation.deletion import may_come_back
from mnemoscope.domain.conversation.fold import SHOWN_LINES, folded_length
from mnemoscope.domain.conversation.message import DAMAGED_ROLE, SUMMARY_ROLE, Message, is_command, is_deleted, text_of
from mnemoscope.domain.conversation.origin import FILE, QuotedSpan, origins_beside_role, quotes_in
from mnemoscope.domain.conversation.text_file import file_spans_of
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.domain.text.one_line_text import with_closed_marks
from mnemoscope.store.sessions.file_format.stated_time import parse_time
from mnemoscope.ui.chat.cards.tool_call import ToolCall
from mnemoscope.ui.chat.cards.tool_card import ToolCard
from mnemoscope.ui.chat.message_actions import (
    AnswerAnew,
    AnswerByAnother,
    BranchFrom,
    CopyMessage,
    DeleteMessage,
    DeleteTurn,
    EditMessage,
    FoldMessage,
    ListCapture,
    LoadPicture,
    MessageAction,
    OpenAnswerReceipt,
    OpenImage,
    OpenPicture,
    RedoCaptures,
    RestoreDeleted,
    RunCommand,
    SaveMessage,
    ShowCapture,
    ShowWholeMessage,
    StopAnswer,
    SwitchBranch,
    TryAgain,
    UndoCaptures,
)
from mnemoscope.ui.chat.transcript_words import (
    caption_text,
    figure_details,
    figure_words,
    origin_name,
    tr,
    used_words,
)
from mnemoscope.ui.markdown.document.code_colouring import CodeCard
from mnemoscope.ui.markdown.document.document_writer import (
    DocumentWriter,
    Picture,
    Scope,
    next_number,
    shown_size,
    space_below,
)
from mnemoscope.ui.markdown.document.text_style import BUBBLE_PADDING, CardKind, Mark
from mnemoscope.ui.markdown.reading.picture_links import PictureLink, names_of, picture_link, pictures_in
from mnemoscope.ui.markdown.reading.reader import Piece, Run, read_text
from mnemoscope.ui.markdown.reading.untrusted_text import printable, tidied
from mnemoscope.ui.support.capture_reasons import known_words, reason_words
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.support.locale_words import in_words
from mnemoscope.ui.translation.core_words import core_answer, core_words
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.text.scripts import isolated

MESSAGE_SPACE: Final = 22
_HARD_SPACE: Final = "\u00a0"
_BEFORE: Final = "\u00a0‹\u00a0"
_NEXT: Final = "\u00a0›\u00a0"
Branches = Mapping[int, BranchChoice]
"""The branchings of a conversation, by the message at which they are shown."""


def image_name(attachment: Attachment) -> str:
    """Returns the name under which the document knows the picture of an image."""
    return f"attachment:{attachment.sha256}"


def _chip_of(message: Message) -> str:
    """Returns what a message holds beside the person's words: the files by their names, else `file`, and `pasted`."""
    named = [_short(each.name) for each in file_spans_of(message)]
    origins = [each for each in origins_beside_role(message) if each != FILE or not named]
    return ", ".join((*map(origin_name, origins), *named))


def _lines_of(text: str, quote: QuotedSpan) -> range:
    start, stop, _ = quote
    first = printable(text[:start]).count("\n")
    return range(first, first + printable(text[start:stop].rstrip()).count("\n") + 1)


@dataclass(frozen=True, slots=True)
class RowPlace:
    """Tells where a message stands: its index, the day to announce above it, whether it is the first of the document.

    `newest`: no words came after it, so that it can be answered again. `figures`: what the answer took that ends here.
    """

    index: int
    day: date | None = None
    first: bool = False
    newest: bool = False
    figures: AnswerFigures | None = None
    deleted: int = 0
    """The number of messages that were deleted at once from this one on."""


class MessageDrawer:
    """Draws messages one after the other through a `DocumentWriter`; collects the code cards to be coloured."""

    def __init__(
        self,
        writer: DocumentWriter,
        codes: dict[int, str],
        kept: KeptRecords | None = None,
        gone: Collection[str] = (),
        branches: Branches | None = None,
        *,
        offers: bool = True,
        unfolded: Collection[int] = (),
        on_image: Callable[[Attachment], object] = lambda _attachment: None,
        linked: Mapping[str, tuple[int, int]] | None = None,
        on_linked: Callable[[PictureLink], object] = lambda _picture: None,
    ) -> None:
        """`kept`: what of the person's messages was kept in memory; `gone`: the ids of those whose line memory does not
        have any more. `branches`: where the conversation goes on in several ways. `offers`: whether anything but
        copying can be done here. `unfolded`: which of the person's long messages are shown whole. `linked`: the pixels
        of the pictures that texts link to, as far as they are here, by their names; `on_linked` is told of one of this
        workspace that is not."""
        self._unfolded = unfolded
        self._linked = linked or {}
        self._on_linked = on_linked
        self._on_image = on_image
        self._kept = kept or {}
        self._gone = gone
        self._branches = branches or {}
        self.writer, self._offers = writer, offers
        self.style = writer.style
        self.card = ToolCard(writer)
        self.uncoloured: list[CodeCard] = []
        self._codes = codes

    def write(self, message: Message, calls: list[ToolCall], place: RowPlace) -> None:
        """Writes all of one message."""
        if place.day is not None:
            self._day(place.day, first=place.first)
            place = replace(place, day=None, first=False)
        if message.get("role") == DAMAGED_ROLE:
            self._note_card(text_of(message), tr("Damaged record"), place)
        elif is_deleted(message):
            self._deleted(message, place)
        elif message.get("role") == "tool":
            self.card.write(calls[0], place.index, first=place.first)
        else:
            self._spoken(message, calls, place)

    def _spoken(self, message: Message, calls: list[ToolCall], place: RowPlace) -> None:
        text, role, muted = _text_of(message), str(message.get("role")), is_command(message)
        reasoning = [call for call in calls if call.call_id == "reasoning"]
        if text.strip() or message.get("interrupted") or not calls or place.index in self._branches:
            chip = _chip_of(message)
            words = self._speaker(role, message)
            links = self.links_of(message, place.index)
            self.caption(words, place.index, first=place.first, copies=bool(text.strip()), chip=chip, links=links)
        for call in reasoning:
            self.card.write(call, place.index)
        bubble = next_number() if role in ("user", SUMMARY_ROLE) and not muted else 0
        put_in = tuple(_lines_of(text, quote) for quote in quotes_in(message)) if bubble and text else ()
        self._body(message, text, Scope(bubble, muted or role == "system", put_in, role == SUMMARY_ROLE), place.index)
        if message.get("interrupted"):
            self.interrupted(again=place.newest and self._offers)
        if place.figures is not None:
            self.figures(place.figures, place.index, counts_of(message))
        if bubble and place.index in self._kept:
            _write_kept(self.writer, self._kept[place.index], place.index, gone=self._gone, offers=self._offers)
        for call in calls:
            if call not in reasoning:
                self.card.write(call, place.index)
        if muted and self._offers and (offered := actions_of(message)):
            _write_actions(self.writer, offered, place.index)

    def _body(self, message: Message, text: str, scope: Scope, index: int) -> None:
        """Writes what a message says, folded where it is long, and its pictures below."""
        folded = folded_length(text) if scope.bubble else None
        shown = text if folded is None or index in self._unfolded else text[:folded]
        images, linked = attachments_of(message), pictures_in(text)
        self.writer.pictured = self._pictured(linked, index)
        if shown or not images:
            self.words(shown or self._nothing(str(message.get("role"))), scope, index)
        if folded is not None:
            self._fold(text, index, scope.bubble)
        self.images(images, index, scope.bubble)
        self._offer_pictures(linked, index, scope.bubble)

    @staticmethod
    def _nothing(role: str) -> str:
        """Returns what stands in the place of words where there are none."""
        unread = tr("The summary cannot be read here: the agent keeps it encrypted, or it is missing.")
        return unread if role == SUMMARY_ROLE else ""

    # Captions and notes

    def _speaker(self, role: str, message: Message) -> str:
        names = {"user": tr("You"), "assistant": tr("Assistant"), "system": tr("System")}
        names[SUMMARY_ROLE] = tr("Summary of what stands above")
        name = tr("Command") if is_command(message) and role == "user" else names.get(role, role)
        return caption_text(name, parse_time(message.get("timestamp")))

    def links_of(self, message: Message, index: int) -> tuple[tuple[str, MessageAction], ...]:
        """Returns what can be done with a message beside copying it."""
        role = message.get("role")
        if not self._offers or is_command(message) or role not in ("user", "assistant"):
            return ()
        branch = (tr("Branch from here"), BranchFrom(index))
        if role == "user":
            return (tr("Edit"), EditMessage(index)), branch, (tr("Delete"), DeleteMessage(index))
        return (tr("Regenerate"), AnswerAnew(index)), (tr("Other model…"), AnswerByAnother(index)), branch

    def deletions_of(self, message: Message, index: int) -> tuple[tuple[str, MessageAction], ...]:
        """Returns the ways in which a message can be deleted, or the way back of one that was."""
        if not self._offers or message.get("role") == DAMAGED_ROLE:
            return ()
        if is_deleted(message):
            return ((tr("Bring back"), RestoreDeleted(index)),) if may_come_back(message) else ()
        return (tr("Delete message"), DeleteMessage(index)), (tr("Delete turn"), DeleteTurn(index))

    def _deleted(self, message: Message, place: RowPlace) -> None:
        """Says in the place of messages that were deleted or forgotten at once that they were, with the way back where
        there is one."""
        made = self.style.block(0 if place.first else MESSAGE_SPACE, line=120)
        made.setProperty(Mark.CHROME, True)
        made.setProperty(Mark.CAPTION, place.index + 1)
        self.writer.begin_block(made, self.style.caption)
        words = _deleted_words(place.deleted, is_forgotten=not may_come_back(message))
        self.writer.words(words, self.style.chars("caption", "text_faint"))
        if place.index in self._branches:
            self._switch(self._branches[place.index], place.index)
        if self._offers and may_come_back(message):
            self.writer.words("  ", self.style.caption)
            link = self.style.action(RestoreDeleted(place.index))
            self.writer.words(tr("Bring back").replace(" ", _HARD_SPACE), link)

    def caption(
        self,
        words: str,
        index: int,
        *,
        first: bool = False,
        copies: bool = True,
        more: str = "",
        chip: str = "",
        links: Sequence[tuple[str, MessageAction]] = (),
    ) -> None:
        """Writes the line above a message; `more` is what it does, beside a link to stop it; `chip` is set apart;
        `links` stand behind the one to copy it."""
        made = self.style.block(0 if first else MESSAGE_SPACE, line=120)
        made.setProperty(Mark.CHROME, True)
        made.setProperty(Mark.CAPTION, index + 1)
        self.writer.begin_block(made, self.style.caption)
        self.writer.words(words, self.style.caption)
        if chip:
            self.writer.words("  ", self.style.caption)
            self.writer.words(f"\u00a0{chip}\u00a0", self.style.chip)
        if more:
            self.writer.words(f" · {more}  ", self.style.caption)
            self.writer.words(tr("Stop Esc"), self.style.action(StopAnswer()))
            return
        if index in self._branches:
            self._switch(self._branches[index], index)
        copy = ((tr("Copy"), CopyMessage(index)),) if copies else ()
        for label, action in (*copy, *links):
            self.writer.words("  ", self.style.caption)
            # In the canvas's colour until the pointer is over the message.
            link = self.style.action(action, role="canvas")
            link.setToolTip(plain_tooltip(label))
            shown = tr("Branch") if isinstance(action, BranchFrom) else label.replace(" ", _HARD_SPACE)
            self.writer.words(shown, link)

    def _switch(self, choice: BranchChoice, index: int) -> None:
        """Writes which of several branches is on show, between links to the ones beside it."""
        count = len(choice.places)
        words = tr("Branch {number} of {count}").format(number=choice.here + 1, count=count)
        self.writer.words("  ", self.style.caption)
        before, after = choice.here - 1, choice.here + 1 if choice.here + 1 < count else -1
        self._step(_BEFORE, tr("The branch before"), before if self._offers else -1, index)
        self.writer.words(words.replace(" ", _HARD_SPACE), self.style.caption)
        self._step(_NEXT, tr("The next branch"), after if self._offers else -1, index)

    def _step(self, sign: str, words: str, place: int, index: int) -> None:
        if place < 0:
            self.writer.words(sign, self.style.chars("caption", "text_faint"))
            return
        link = self.style.action(SwitchBranch(index, place))
        link.setToolTip(plain_tooltip(words))
        self.writer.words(sign, link)

    def _day(self, day: date, *, first: bool) -> None:
        made = self.style.block(0 if first else MESSAGE_SPACE, line=120)
        made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        made.setProperty(Mark.CHROME, True)
        self.writer.begin_block(made, self.style.caption)
        words = in_words(day, tr("dddd d MMMM yyyy"))
        self.writer.words(words, self.style.chars("caption", "text_faint"))

    def interrupted(self, *, again: bool = True) -> None:
        """Says that an answer was broken off, and offers to write it `again`: only the newest can be."""
        links = ((tr("Try again"), TryAgain()),) if again else ()
        self._note(tr("Interrupted"), "warning", links)

    def figures(self, figures: AnswerFigures, index: int, used: MemoryCounts | None) -> None:
        """Writes which model an answer is of and what it took, with more of it on hover, and what of memory it was
        given, which leads to its receipt."""
        self._begin_line(6)
        chars = self.style.chars("caption", "text_faint")
        chars.setToolTip(plain_tooltip(figure_details(figures)))
        self.writer.words(figure_words(figures), chars)
        if used is None:
            return
        self.writer.words(" · ", self.style.chars("caption", "text_faint"))
        link = self.style.action(OpenAnswerReceipt(index), role="text_muted")
        link.setFontUnderline(True)
        link.setToolTip(plain_tooltip(tr("Show the receipt: this memory, and what the answer likely rests on")))
        self.writer.words(used_words(used), link)

    def images(self, attachments: Sequence[Attachment], index: int, bubble: int) -> None:
        """Writes the images of a message in a line: each as a picture that opens it, drawn once it was read."""
        if not attachments:
            return
        self._begin_line(8, bubble)
        for place, attachment in enumerate(attachments):
            link = self.style.action(OpenImage(index, place))
            tip = plain_tooltip(attachment.name or tr("Image"))
            size = shown_size(attachment.width, attachment.height)
            self.writer.picture(Picture(image_name(attachment), size, link, tip))
            self.writer.words("  ", self.style.caption)
            self._on_image(attachment)

    def _pictured(self, linked: Sequence[PictureLink], index: int) -> Callable[[Run], Picture | None]:
        """Returns what gives the pictures that the text of a message links to, as far as they are here; of this
        workspace's others it is told that they are wanted."""
        places = {each.name: place for place, each in enumerate(linked)}

        def pictured(run: Run) -> Picture | None:
            link = picture_link(run.picture, run.text)
            if link is None or link.name not in places:
                return None
            size = self._linked.get(link.name)
            if size is None:
                if not link.host:
                    self._on_linked(link)
                return None
            look = self.style.action(OpenPicture(index, places[link.name]))
            return Picture(link.name, shown_size(*size), look, plain_tooltip(link.words), link.source)

        return pictured

    def _offer_pictures(self, linked: Sequence[PictureLink], index: int, bubble: int) -> None:
        """Writes below a message a link for each picture of the web that is not here, which loads it."""
        of_the_web = [(place, each) for place, each in enumerate(linked) if each.host]
        if all(each.name in self._linked for _, each in of_the_web):
            return
        self._begin_line(8, bubble)
        # A link keeps its name when another picture is here.
        names = names_of([each for _, each in of_the_web])
        for (place, each), name in zip(of_the_web, names, strict=True):
            if each.name in self._linked:
                continue
            link = self.style.action(LoadPicture(index, place))
            link.setToolTip(plain_tooltip(each.address))
            words = tr("Load the image from {host}").format(host=each.host).replace(" ", _HARD_SPACE)
            if len(names) > 1:
                words = tr("Load the image “{name}” from {host}").format(name=isolated(name), host=each.host)
            self.writer.words(words, link)
            self.writer.words("   ", self.style.caption)

    def _fold(self, text: str, index: int, bubble: int) -> None:
        """Writes the link that shows all of a long message, or only its beginning again."""
        self._begin_line(8, bubble)
        self.writer.words(fold_words(text, folded=index not in self._unfolded), self.style.action(FoldMessage(index)))

    def _note(self, words: str, role: str, offers: Sequence[tuple[str, MessageAction]]) -> None:
        self._begin_line(8)
        self.writer.words(f"{words}  ", self.style.chars("caption", role))
        for text, action in offers:
            self.writer.words(text, self.style.action(action))
            self.writer.words("   ", self.style.caption)

    def _begin_line(self, above: int, bubble: int = 0) -> None:
        """Begins a line of the window's own, `above` pixels below what a message says, within its bubble if it has
        one."""
        inset = BUBBLE_PADDING if bubble else 0
        made = self.style.block(above, inset, inset, line=120)
        made.setProperty(Mark.CHROME, True)
        if bubble:
            made.setProperty(Mark.BUBBLE, bubble)
        self.writer.begin_block(made, self.style.caption)

    # Words

    def words(self, text: str, scope: Scope, index: int) -> None:
        """Writes a message's Markdown."""
        pieces, left_out = read_text(text, breaks=True)
        self.pieces(pieces, scope)
        if left_out:
            words = tr("{count} more characters are not shown here.").format(count=f"{left_out:,}")
            whole = (tr("Show all as text"), ShowWholeMessage(index))
            self._note(words, "text_muted", (whole, (tr("Save…"), SaveMessage(index))))

    def pieces(self, pieces: Iterable[Piece], scope: Scope, *, first: bool = True) -> None:
        """Writes pieces of Markdown; the first of a message keeps close to its caption."""
        for piece in pieces:
            number = self.writer.write(piece, scope, first=first)
            if first:
                self._open_message(scope)
                first = False
            if number:
                self._codes[number] = piece.code
                start = QTextCursor(self.writer.cursor.document())
                start.setPosition(self.writer.code_start)
                self.uncoloured.append(CodeCard(start, piece.code, piece.info))

    def _open_message(self, scope: Scope) -> None:
        """Sets the first block's distance from the caption; inside a bubble also the bubble's padding."""
        cursor = self.writer.cursor
        made = cursor.blockFormat()
        if made.intProperty(Mark.CARD) or made.boolProperty(Mark.SPARE):
            return
        made.setTopMargin(14 if scope.bubble else 3)
        # What the model thought stands in a card between the caption and the words.
        made.setTopMargin(space_below(cursor.block().previous().blockFormat(), made))
        cursor.setBlockFormat(made)

    def _note_card(self, text: str, title: str, place: RowPlace) -> None:
        base = self.style.block(0 if place.first else 14, line=120)
        made = self.writer.begin_card(base, CardKind.MUTED, tab=False)
        self.writer.begin_block(made, self.style.caption)
        self.writer.words(f"{title}  ", self.style.chars("caption", "warning", bold=True))
        self.writer.words(tidied(text)[:600].replace("\n", " "), self.style.caption)


def _deleted_words(count: int, *, is_forgotten: bool = False) -> str:
    """Returns what stands in the place of so many messages that were deleted, or forgotten, at once."""
    if is_forgotten:
        return tr("Message forgotten") if count <= 1 else tr("{count} messages forgotten").format(count=f"{count:,}")
    return tr("Message deleted") if count <= 1 else tr("{count} messages deleted").format(count=f"{count:,}")


def fold_words(text: str, *, folded: bool) -> str:
    """Returns the words of the link that unfolds a long message, or folds it."""
    if not folded:
        return tr("Show less")
    count = text.count("\n") + 1
    if count <= SHOWN_LINES:
        # Its lines are long: there are more of them on the screen.
        return tr("Show the whole message")
    return tr("Show all of {count} lines").format(count=f"{count:,}")


def _text_of(message: Message) -> str:
    """Returns a message's Markdown as it is drawn: marks of what broke off are closed, the answer of a command is in
    the window's language, and images that went without a word need no name: they stand below."""
    text, images = text_of(message), attachments_of(message)
    if images and text == names_of_images(images):
        return ""
    if is_command(message) and message.get("role") == "assistant":
        return core_answer(text)
    return with_closed_marks(text) if message.get("interrupted") else text


_LABEL_LIMIT: Final = 60


def _write_actions(writer: DocumentWriter, offered: Sequence[CommandAction], index: int) -> None:
    """Writes the offers of message `index`, in as many lines as they need; a label is never broken."""
    style = writer.style
    made = style.block(14, line=170)
    made.setProperty(Mark.CHROME, True)
    made.setProperty(Mark.PAINTED, True)
    made.setProperty(Mark.BUTTONS, True)
    writer.begin_block(made, style.caption)
    for place, action in enumerate(offered):
        words = " ".join(tidied(core_words(action.label)).split())[:_LABEL_LIMIT].replace(" ", _HARD_SPACE)
        form = style.action(RunCommand(index, place), style.chars())
        form.setToolTip(plain_tooltip(tidied(action.command)))
        if place:
            writer.words("   ", style.caption)
        writer.words(f"{_HARD_SPACE * 2}{words}{_HARD_SPACE * 2}", form)


KeptRecords = Mapping[int, Sequence[CaptureRecord]]
"""The notes on a conversation's messages, by index."""
_LONGEST: Final = 48
_MOST: Final = 4


def _shown_under_message(records: Sequence[CaptureRecord]) -> list[CaptureRecord]:
    """Returns the records that are told under the message: what was added, what memory knew already, what the person
    took back, and a wish to remember that was refused. Of what was forgotten nothing is told."""
    return [
        each
        for each in records
        if not each.is_forgotten
        and (
            each.is_refused_wish
            or each.is_known
            or (each.outcome in (KEPT, UNDONE) and (each.memory_line or each.state_line))
        )
    ]


def _write_kept(
    writer: DocumentWriter,
    records: Sequence[CaptureRecord],
    index: int,
    *,
    gone: Collection[str] = (),
    offers: bool,
) -> None:
    """Writes the line of message `index`; nothing where nothing is to be told. `gone`: the ids of those whose line
    memory does not have any more. `offers`: with the way back."""
    shown = _shown_under_message(records)
    if not shown:
        return
    style = writer.style
    made = style.block(7, line=150)
    made.setProperty(Mark.CHROME, True)
    writer.begin_block(made, style.caption)
    others = [each for each in shown if each.is_refused_wish or each.is_known]
    added = [each for each in shown if each not in others]
    if added:
        _write_added(writer, records, added, index, gone=gone, offers=offers)
    for each in others[:_MOST]:
        if each.is_known:
            words = tr("{words}:").format(words=known_words(each))
        else:
            words = tr("Not remembered, {reason}:").format(reason=reason_words(each.reason))
        writer.words(f"{'    ' if added else ''}{words}  ", style.caption)
        chip = style.action(ShowCapture(index, records.index(each)), style.chip, role="text_muted")
        chip.setToolTip(plain_tooltip(tidied(capture_text(each))))
        writer.words(f"{_HARD_SPACE}{_short(capture_text(each))}{_HARD_SPACE}", chip)
        writer.words("  ", style.caption)
    _write_rest(writer, records, others, index)


def _write_rest(
    writer: DocumentWriter, records: Sequence[CaptureRecord], shown: Sequence[CaptureRecord], index: int
) -> None:
    """Writes how many of these there was no room for, which leads to the list of captures."""
    if len(shown) > _MOST:
        words = tr("and {count} more").format(count=len(shown) - _MOST)
        writer.words(words, writer.style.action(ListCapture(index, records.index(shown[_MOST]))))
        writer.words("  ", writer.style.caption)


def _write_added(
    writer: DocumentWriter,
    records: Sequence[CaptureRecord],
    added: Sequence[CaptureRecord],
    index: int,
    *,
    gone: Collection[str],
    offers: bool,
) -> None:
    """Writes what was remembered of a message and what of it is not in memory any more, or where all of it was taken
    back, that."""
    style = writer.style
    kept = [each for each in added if each.outcome == KEPT]
    # Those that memory still has come first.
    shown = sorted(kept, key=lambda each: each.id in gone) or added
    before = ""
    for each in shown[:_MOST]:
        words = _kept_words(is_gone=each.id in gone) if kept else tr("Taken back:")
        if words != before:
            writer.words(f"{words}  ", style.caption)
            before = words
        place = records.index(each)
        chip = style.action(ShowCapture(index, place), style.chip, role="text_muted")
        stands = kept and each.id not in gone
        said = capture_text(each)
        tip = f"{tidied(said)}\n{meaning_of(Word.REMEMBERED)}" if stands else tidied(said)
        chip.setToolTip(plain_tooltip(tip))
        writer.words(f"{_HARD_SPACE}{_short(said)}{_HARD_SPACE}", chip)
        writer.words("  ", style.caption)
    _write_rest(writer, records, shown, index)
    if not offers:
        return
    if kept:
        writer.words(tr("Undo"), style.action(UndoCaptures(index)))
    else:
        writer.words(tr("Remember after all"), style.action(RedoCaptures(index)))


def _kept_words(*, is_gone: bool) -> str:
    return tr("Remembered; not in memory in these words any more:") if is_gone else tr("Remembered:")


def _short(text: str) -> str:
    return shortened(" ".join(tidied(text).split()), _LONGEST).replace(" ", _HARD_SPACE)
