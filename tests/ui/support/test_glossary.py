"""Every word of the window that means one thing has a sentence on hover where it is shown, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QLocale, QPoint
from PySide6.QtGui import QHelpEvent, QTextDocument
from PySide6.QtWidgets import QApplication, QToolTip

from mnemoscope.domain.events import RecordsDamaged
from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.fact_outcomes import Outcome, SuggestionStates
from mnemoscope.domain.merge.three_way import Conflict
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.markdown.document.document_writer import fragments_of
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.timeline.row_sentences import row_tip
from mnemoscope.ui.timeline.timeline_words import outcome_sentence
from mnemoscope.ui.translation.translation import install_translation
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import KEY, Opened, Stage, TwoMinds, until

SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]
FACTS = "# Facts\n- Deadline is 12 May\n- Name is Sam\n"
ENTRY = "Sam asked about the deadline."
OUTCOMES = {
    Word.IN_MEMORY: Outcome.IN_MEMORY,
    Word.WAITING: Outcome.WAITING,
    Word.ACCEPTED: Outcome.ACCEPTED,
    Word.PARTLY: Outcome.PARTLY,
    Word.EDITED: Outcome.EDITED,
    Word.REJECTED: Outcome.REJECTED,
    Word.UNDONE: Outcome.UNDONE,
    Word.GONE: Outcome.GONE,
    Word.OUTDATED: Outcome.OUTDATED,
}
PROFILES = {Word.STANDARD: "two-layer", Word.DREAM: "dream", Word.THREE_TIERS: "three-tier"}


@pytest.fixture(params=["en", "zh_CN"])
def language(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[str]:
    before = QLocale()
    installed = install_translation(qapp, request.param)
    yield request.param
    for translator in installed:
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(before)


async def opened(stage: Stage) -> Opened:
    """Returns a window with a consolidation whose memory text waits, and a message of which something was
    remembered."""
    stage.make(*SAID, memory=FACTS, memoryWindow=6)
    held = save_memory(ENTRY, "# Facts\n- Name is Sam\n")
    person = await stage.open(offline=TwoMinds("Yes.", memory=ScriptedProvider(held)))
    person.current.actions["memory.consolidate"].trigger()
    await until(lambda: person.memory.bars.bar("suggestion"), "what waits")
    await person.say("I prefer tea")
    await until(lambda: person.transcript.transcript.kept, "what is kept of the message")
    return person


def tips_in(document: QTextDocument) -> str:
    """Returns the tool tips of all words in a document."""
    found, block = "", document.begin()
    while block.isValid():
        found += "".join(fragment.charFormat().toolTip() for fragment in fragments_of(block))
        block = block.next()
    return found


def card_tip(person: Opened, outcome: Outcome) -> str:
    """Returns what hovering over the card tells that says so."""
    model = person.timeline.model
    record = replace(model.groups.records[0], facts_added=("Likes tea",), memory_changed=True)
    name = record.transaction_id

    def change(one: str, kind: str, detail: str = "", removed: tuple[str, ...] = ()) -> MemoryChange:
        origin = MemoryOrigin(kind, detail=detail)
        return MemoryChange(
            one, "2026-03-15T10:00", origin, f"{one}-", one, removed=removed, count_removed=len(removed)
        )

    wrote, taken = change(name, "consolidation"), change("o", "outside", removed=("Likes tea",))
    kept, gone = "- Likes tea\n", ""
    states = {
        Outcome.IN_MEMORY: ([wrote], SuggestionStates(), kept),
        Outcome.WAITING: ([wrote], SuggestionStates(frozenset({name})), kept),
        Outcome.ACCEPTED: ([change("r", "review", name)], SuggestionStates(settled={name: "accept"}), kept),
        Outcome.PARTLY: ([change("r", "review", name)], SuggestionStates(settled={name: "part"}), kept),
        Outcome.EDITED: ([change("r", "review", name)], SuggestionStates(settled={name: "edit"}), kept),
        Outcome.REJECTED: ([], SuggestionStates(settled={name: "reject"}), kept),
        Outcome.UNDONE: ([wrote, change("u", "undo", name)], SuggestionStates(), gone),
        Outcome.GONE: ([wrote, taken], SuggestionStates(), gone),
        Outcome.OUTDATED: ([], SuggestionStates(settled={name: "obsolete"}), kept),
    }
    changes, suggestions, memory = states[outcome]
    record = replace(record, memory_changed=outcome not in (Outcome.REJECTED, Outcome.OUTDATED))
    messages = person.session.messages
    person.timeline.show_timeline(messages, 2, [record], model.selection, 2)
    model.show_changes(changes, memory)
    model.show_suggestions(suggestions)
    found = model.links.outcome(record)
    assert found is not None
    assert found.outcome is outcome
    return row_tip(model, TimelineRow(RowKind.ENTRY, 0))


async def hovers(person: Opened) -> dict[Word, str]:
    """Returns the tool tip of something in the window that says each word."""
    model, window = person.timeline.model, person.window
    found = {
        Word.CONSOLIDATED: row_tip(model, TimelineRow(RowKind.POINTER, model.pointer)),
        Word.WORD_FOR_WORD: row_tip(model, TimelineRow(RowKind.KEPT, 3)),
        Word.CONSOLIDATES_AT: person.timeline.header.status_label.toolTip(),
        Word.REMEMBERED: tips_in(person.transcript.transcript.document),
        Word.HISTORY_LOG: person.history.header.count_label.toolTip(),
        Word.CONTEXT: person.composer.status.toolTip(),
    }
    suggested = person.memory.bars.bar("suggestion")
    assert suggested is not None
    assert meaning_of(Word.WAITING) in suggested.toolTip()
    person.bench.bus.publish(RecordsDamaged(KEY, 2, ".mnemoscope/quarantine/x.jsonl"))
    found[Word.QUARANTINE] = "".join(bar.toolTip() for bar in person.chat.findChildren(NoticeBar))
    person.memory.conflicts.add([Conflict("a", "b", "c")], "outside")
    person.memory.conflicts.show_bar()
    found[Word.RESOLVE] = "".join(bar.toolTip() for bar in person.memory.findChildren(NoticeBar))
    record = replace(model.groups.records[0], inferred=True)
    for word, profile in PROFILES.items():
        await person.bench.config.change(profile=profile)
        found[word] = window.status._profile.toolTip()
    await person.bench.config.change(profile="two-layer")
    await until(lambda: model.context is None, "the timeline without Dream")
    found |= {word: card_tip(person, outcome) for word, outcome in OUTCOMES.items()}
    person.timeline.show_timeline(person.session.messages, 2, [record], model.selection, 2)
    found[Word.BY_TIME] = row_tip(model, TimelineRow(RowKind.ENTRY, 0))
    return found


@pytest.mark.slow
async def test_every_word_has_its_sentence_on_hover(stage: Stage, language: str) -> None:
    person = await opened(stage)
    found = await hovers(person)
    assert set(found) == set(Word)
    for word, tip in found.items():
        meant = outcome_sentence(OUTCOMES[word]) if word in OUTCOMES else meaning_of(word)
        assert meant in tip.replace("&quot;", '"'), f"{word.name}: {tip!r}"
        assert meant.rstrip().endswith((".", "。")), word
        assert any("\u4e00" <= char <= "\u9fff" for char in meant) is (language == "zh_CN"), word


async def test_the_line_in_the_chat_says_what_it_means(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS, pointer=2)
    person = await stage.open()
    view = person.transcript.view
    row = person.transcript.transcript.row_of(2)
    assert row is not None
    at = QPoint(40, int(view.row_rect(row).top()) - view.offset() + 4)
    spots = [QPoint(at.x(), y) for y in range(view.viewport().height()) if view.is_on_divider(QPoint(at.x(), y))]
    assert spots, "no line in sight"
    place = spots[len(spots) // 2]
    event = QHelpEvent(QEvent.Type.ToolTip, place, view.viewport().mapToGlobal(place))
    QApplication.sendEvent(view.viewport(), event)
    assert QToolTip.text() == meaning_of(Word.CONSOLIDATED)
    QToolTip.hideText()


async def test_the_line_at_the_bottom_says_what_its_words_mean(stage: Stage) -> None:
    person = await opened(stage)
    status = person.window.status
    for label in (status._saved, status._profile, status._memory):
        assert not label.text() or label.toolTip().endswith("."), label.text()
    await until(lambda: status._memory.text() == "Memory updated from what you said", "what memory did")
    assert status._memory.toolTip() == meaning_of(Word.REMEMBERED)
    status.hold("memory", "Unsaved memory")
    assert status._saved.toolTip() == "This is not on the disk yet: Unsaved memory."
    status.release("memory")
