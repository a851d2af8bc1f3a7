"""The words of the window that mean one thing each, and that thing in a sentence: on hover, and in Help > Words."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication


class Word(Enum):
    """Names each word by what it stands for; the value is its word and its meaning."""

    CONSOLIDATED = (
        QT_TRANSLATE_NOOP("Glossary", "Consolidated"),
        QT_TRANSLATE_NOOP(
            "Glossary", "Summed up in the history; what became of the facts stands on the card of the entry."
        ),
    )
    IN_MEMORY = (
        QT_TRANSLATE_NOOP("Glossary", "In memory"),
        QT_TRANSLATE_NOOP("Glossary", "What the consolidation found out stands in MEMORY.md."),
    )
    WAITING = (
        QT_TRANSLATE_NOOP("Glossary", "Waiting for review"),
        QT_TRANSLATE_NOOP("Glossary", "What a model proposes for memory and you have to accept, edit or reject."),
    )
    ACCEPTED = (
        QT_TRANSLATE_NOOP("Glossary", "Accepted"),
        QT_TRANSLATE_NOOP("Glossary", "You took over what a model proposed."),
    )
    PARTLY = (
        QT_TRANSLATE_NOOP("Glossary", "Partly accepted"),
        QT_TRANSLATE_NOOP("Glossary", "You took over a part of what a model proposed and turned down the rest."),
    )
    EDITED = (
        QT_TRANSLATE_NOOP("Glossary", "Edited"),
        QT_TRANSLATE_NOOP("Glossary", "You changed what a model proposed or wrote."),
    )
    REJECTED = (
        QT_TRANSLATE_NOOP("Glossary", "Rejected"),
        QT_TRANSLATE_NOOP("Glossary", "You turned down what a model proposed; memory stayed as it was."),
    )
    UNDONE = (
        QT_TRANSLATE_NOOP("Glossary", "Undone"),
        QT_TRANSLATE_NOOP("Glossary", "What was written to memory was taken back; everything later stays."),
    )
    GONE = (
        QT_TRANSLATE_NOOP("Glossary", "Gone from memory"),
        QT_TRANSLATE_NOOP("Glossary", "The facts of an entry were taken out of memory after it was written."),
    )
    OUTDATED = (
        QT_TRANSLATE_NOOP("Glossary", "Out of date"),
        QT_TRANSLATE_NOOP("Glossary", "A proposal of which nothing was left to decide when memory had moved on."),
    )
    REMEMBERED = (
        QT_TRANSLATE_NOOP("Glossary", "Remembered"),
        QT_TRANSLATE_NOOP("Glossary", "This went into memory at once, from this message."),
    )
    WORD_FOR_WORD = (
        QT_TRANSLATE_NOOP("Glossary", "Stays word for word"),
        QT_TRANSLATE_NOOP("Glossary", "The newest messages, which the next consolidation leaves alone."),
    )
    CONSOLIDATES_AT = (
        QT_TRANSLATE_NOOP("Glossary", "Consolidates at"),
        QT_TRANSLATE_NOOP(
            "Glossary", "When so many messages are not consolidated yet, the older ones of them are summed up."
        ),
    )
    QUARANTINE = (
        QT_TRANSLATE_NOOP("Glossary", "Moved to quarantine"),
        QT_TRANSLATE_NOOP("Glossary", "What is damaged, moved to .mnemoscope/quarantine and not deleted."),
    )
    BY_TIME = (
        QT_TRANSLATE_NOOP("Glossary", "Matched by time"),
        QT_TRANSLATE_NOOP("Glossary", "A link between an entry and its messages that was guessed, not recorded."),
    )
    HISTORY_LOG = (
        QT_TRANSLATE_NOOP("Glossary", "History log"),
        QT_TRANSLATE_NOOP("Glossary", "What happened, in order: HISTORY.md, or history.jsonl where Dream reads it."),
    )
    STANDARD = (
        QT_TRANSLATE_NOOP("Glossary", "Standard"),
        QT_TRANSLATE_NOOP(
            "Glossary", "Memory as in nanobot 0.1.4: each consolidation adds an entry and rewrites MEMORY.md."
        ),
    )
    DREAM = (
        QT_TRANSLATE_NOOP("Glossary", "Dream"),
        QT_TRANSLATE_NOOP(
            "Glossary", "Memory as in nanobot from 0.1.5: the history log is read from time to time, and memory edited."
        ),
    )
    THREE_TIERS = (
        QT_TRANSLATE_NOOP("Glossary", "Three tiers"),
        QT_TRANSLATE_NOOP("Glossary", "Memory as in Qanot: what you say is remembered, exchanges are noted by day."),
    )
    RESOLVE = (
        QT_TRANSLATE_NOOP("Glossary", "Resolve"),
        QT_TRANSLATE_NOOP("Glossary", "Decide which wording stands where two sides changed the same lines."),
    )
    CONTEXT = (
        QT_TRANSLATE_NOOP("Glossary", "Context"),
        QT_TRANSLATE_NOOP("Glossary", "How much a model reads at once, and what is left out where it gets full."),
    )


def name_of(word: Word) -> str:
    """Returns the word in the window's language."""
    return QCoreApplication.translate("Glossary", str(word.value[0]))


def meaning_of(word: Word) -> str:
    """Returns its meaning, a sentence, in the window's language."""
    return QCoreApplication.translate("Glossary", str(word.value[1]))
