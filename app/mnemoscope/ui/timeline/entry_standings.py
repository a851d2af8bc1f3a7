"""What the timeline shows in the dream profile: how full the context is, and what became of each entry since."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QObject, Signal

from mnemoscope.agent.consolidation.prompt_usage import ContextUse
from mnemoscope.domain.dream.run_history import DreamReadIndex
from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.ui.dream.entry_words import Link, chain_of


class TimelineDream(QObject):
    """Knows nothing, and shows nothing, in the other profiles."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.reach: DreamReadIndex | None = None
        self.context: ContextUse | None = None
        self.consolidates = True

    def show(self, reach: DreamReadIndex | None, context: ContextUse | None, *, consolidates: bool = True) -> None:
        """How far Dream has read, and how full the prompt is; None for both outside the dream profile.

        `consolidates`: whether messages are ever settled by themselves.
        """
        if (reach, context, consolidates) != (self.reach, self.context, self.consolidates):
            self.reach, self.context, self.consolidates = reach, context, consolidates
            self.changed.emit()

    def chain(self, record: ConsolidationRecord) -> tuple[Link, ...]:
        """The way of an entry since it was written; nothing for one that is in no journal."""
        if self.reach is None or record.cursor is None:
            return ()
        return chain_of(self.reach, record.cursor, date.today())
