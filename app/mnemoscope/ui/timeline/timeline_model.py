"""Holds what the timeline shows as rows: a session's messages, pointer and entries. Decodes only what is asked for."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from mnemoscope.agent.consolidation.prompt_usage import ContextUse
from mnemoscope.domain.consolidation.planning import Slice, keep_count, waiting_count
from mnemoscope.domain.conversation.branch import BranchChoice
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.history_selection import NOTHING_LEFT_OUT, HistorySelection, LeftOutReason
from mnemoscope.domain.conversation.message import Message, is_command
from mnemoscope.domain.dream.run_history import DreamReadIndex
from mnemoscope.domain.memory.change import MemoryChange
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.fact_outcomes import SuggestionStates
from mnemoscope.domain.timeline.row_filter import RoleFilter, RowFilter, StateFilter, scan_span, state_spans
from mnemoscope.domain.timeline.rows import (
    EntryGroups,
    RowKind,
    RowMeasures,
    RowStack,
    TimelineRow,
    push_consolidated,
    push_matches,
    push_unconsolidated,
    unfolded_at_first,
)
from mnemoscope.store.sessions.file_format.message_log import deleted_in
from mnemoscope.ui.timeline.card_links import CardLinks
from mnemoscope.ui.timeline.row_content import RowReader

_ROWS_UNFOLDED_AT_FIRST: Final = 8
_BUDGET_MS: Final = 6
"""Milliseconds that the window may be kept from its other work at a time."""
_CHUNK: Final = 8192


class TimelineModel(QObject):
    """Turns one session into rows. Inputs are methods; the view listens."""

    replaced = Signal()
    """Another session, or another filter: start where the newest is."""
    rearranging = Signal()
    """Rows are about to come or go."""
    rearranged = Signal()
    """Rows came, went or changed their look: stay where the reader is."""
    appended = Signal()
    """One more row at the end."""
    pointer_moved = Signal(int, int)
    """The pointer went from one index to another."""
    matched = Signal()
    """A running filter found more, or is done."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.stack = RowStack()
        self.unfolded: set[int] = set()
        """The entries that show the messages below them, by their place among `groups`."""
        self.filter = RowFilter()
        self._measuring: Callable[[EntryGroups], RowMeasures] = lambda _groups: RowMeasures(28, 32, 26, 112)
        self.reading = False
        """Whether the workspace is only read, so that no consolidation comes from here."""
        self.links = CardLinks()
        self.branches: Mapping[int, BranchChoice] = {}
        """The branchings of the conversation, by the message at which they are shown."""
        self.context: ContextUse | None = None
        """The tokens of the next prompt and its budget of tokens; None outside the dream profile."""
        self.consolidates = True
        """Whether messages are ever consolidated by themselves."""
        self.kind = Discretion.REMEMBERED
        """The discretion of the conversation: how much of it is kept."""
        self.scan = FilterScan(self)
        self.scan.found.connect(self._stack_up)
        self.scan.found.connect(self.matched)
        self._empty()
        self._stack_up()

    def _empty(self) -> None:
        self.reader = RowReader()
        self.total = 0
        self.pointer = 0
        self.memory_window = 0
        self.groups = EntryGroups()
        self.selection = NOTHING_LEFT_OUT
        self.running: Slice | None = None
        self.marked: frozenset[int] = frozenset()
        """The messages that stand out, because something was asked about them."""
        self.indexing = False
        self._waiting: int | None = None

    def clear(self) -> None:
        """Shows nothing."""
        self.scan.stop()
        self._empty()
        self.unfolded = set()
        self._stack_up()
        self.replaced.emit()

    def show(
        self,
        messages: Sequence[Message],
        pointer: int,
        records: Iterable[ConsolidationRecord],
        selection: HistorySelection,
        memory_window: int,
        total: int | None = None,
        fork: int | None = None,
    ) -> None:
        """Shows a session, of its messages the first `total` where not all; older entries folded.

        `fork`: how many messages it has in common with the branch of the same session that was on show. Their entries
        stay folded or unfolded, and the message at which the branches part is unfolded.
        """
        shared = 0 if fork is None else bisect_right(self.groups.stops, fork)
        unfolded_before = {group for group in self.unfolded if group < shared}
        self._empty()
        self.reader, self.total = RowReader(messages), len(messages) if total is None else total
        self.pointer = pointer = min(max(pointer, 0), self.total)
        self.groups = EntryGroups(records, pointer)
        self.selection = selection
        self.memory_window = memory_window
        newest_unfolded = unfolded_at_first(self.groups, _ROWS_UNFOLDED_AT_FIRST)
        self.unfolded = {group for group in newest_unfolded if group >= shared}
        self.unfolded |= {group for group in unfolded_before if group < len(self.groups)}
        if fork is not None and (parted := self.groups.holding(self.shown_fork(fork))) is not None:
            self.unfolded.add(parted)
        self._restart()

    def show_tail(self, messages: Sequence[Message]) -> None:
        """Shows the newest messages while the rest is being indexed."""
        self._empty()
        self.reader, self.total = RowReader(messages), len(messages)
        self.indexing = True
        self.unfolded = set()
        self._restart()

    def append(self, index: int, selection: HistorySelection | None = None) -> None:
        """Takes in a message that was added at the end, and which messages are sent to a model from then on, None for
        the same as before; the sequence given holds it already."""
        if self._waiting is not None and index >= self.total:
            self._waiting += not is_command(self.reader.message(index))
        self.total = max(self.total, index + 1)
        if self.filter.active and self.filter.state in {StateFilter.ALL, StateFilter.UNCONSOLIDATED}:
            self.scan.add(index, self.reader.message(index), self.filter)
        if selection is not None and self.filter.state is not StateFilter.LEFT_OUT:
            # Which rows are on show does not depend on it, so all is said at once.
            self.selection = selection
        self._stack_tail()
        self.appended.emit()
        if selection is not None:
            self.select(selection)

    def move_pointer(self, pointer: int, records: Iterable[ConsolidationRecord], selection: HistorySelection) -> None:
        """Moves the pointer elsewhere; entries new since then are shown unfolded."""
        pointer = min(max(pointer, 0), self.total)
        reach, self.pointer, self._waiting = self.pointer, pointer, None
        open_before = {self.groups.starts[place] for place in self.unfolded}
        self.groups, self.selection = EntryGroups(records, pointer), selection
        starts = enumerate(self.groups.starts)
        self.unfolded = {place for place, start in starts if start in open_before or start >= reach}
        if self.filter.active and self.filter.state is not StateFilter.ALL:
            self._search()
        self._stack_up()
        self.rearranged.emit()
        if pointer != reach:
            self.pointer_moved.emit(reach, pointer)

    def select(self, selection: HistorySelection) -> None:
        """Takes over which messages are sent to a model."""
        if selection is self.selection:
            return
        self.selection = selection
        if self.filter.state is StateFilter.LEFT_OUT:
            self._search()
            self._stack_up()
        self.rearranged.emit()

    def reread(self, selection: HistorySelection) -> None:
        """Records were replaced by others in their places: what rows tell is read anew."""
        self.reader, self._waiting = RowReader(self.reader.messages), None
        self.selection = selection
        if self.filter.active:
            self._search()
        self._stack_up()
        self.rearranged.emit()

    def set_memory_window(self, memory_window: int) -> None:
        """Takes the window from the settings, and with it what the next consolidation keeps."""
        self.memory_window, self._waiting = memory_window, None
        self._stack_up()
        self.rearranged.emit()

    def fold(self, group: int, *, folded: bool) -> None:
        """Hides or shows the messages below an entry."""
        if folded == (group not in self.unfolded):
            return
        self.unfolded ^= {group}
        self._stack_up()
        self.rearranged.emit()

    def fold_all(self, *, folded: bool) -> None:
        """Hides or shows the messages below every entry."""
        self.unfolded = set() if folded else set(range(len(self.groups)))
        self._stack_up()
        self.rearranged.emit()

    def show_dream(
        self,
        reach: DreamReadIndex | None,
        context: ContextUse | None,
        *,
        consolidates: bool = True,
        kind: Discretion = Discretion.REMEMBERED,
    ) -> None:
        """Shows how far Dream has read and how full the prompt is; None for both outside the dream profile.

        `consolidates`: whether messages are ever consolidated by themselves.
        """
        if (reach, context, consolidates, kind) == (self.links.reach, self.context, self.consolidates, self.kind):
            return
        self.links.reach = reach
        self.context = context
        self.consolidates, self.kind = consolidates, kind
        self.measure_by(self._measuring)

    def show_changes(self, changes: Sequence[MemoryChange], memory: str | None = None) -> None:
        """Offers to take back what these changes of MEMORY.md, oldest first, wrote, or to bring it back. `memory`: what
        it says now, None if that is not known."""
        if self.links.set_changes(changes, memory):
            self.rearranged.emit()

    def show_suggestions(self, suggestions: SuggestionStates) -> None:
        """Shows on the cards which suggestions wait and what became of the others."""
        if self.links.set_suggestions(suggestions):
            self.rearranged.emit()

    def mark(self, indices: Iterable[int]) -> None:
        """Has these messages stand out, and no others."""
        marked = frozenset(indices)
        if marked != self.marked:
            self.marked = marked
            self.rearranged.emit()

    def show_branches(self, branches: Mapping[int, BranchChoice]) -> None:
        """Tells at these messages that the conversation goes on in several ways."""
        if branches != self.branches:
            self.branches = dict(branches)
            self.rearranged.emit()

    def run(self, part: Slice | None) -> None:
        """Takes note that a consolidation of these messages began, or ended."""
        self.running = part
        self.rearranged.emit()

    def set_filter(self, chosen: RowFilter) -> None:
        """Lists only what is chosen, found newest first in the background."""
        self.filter = chosen
        self._restart()

    def measure_by(self, measuring: Callable[[EntryGroups], RowMeasures]) -> None:
        """Asks for heights here from now on, because they changed with the font or the width."""
        self._measuring = measuring
        self._stack_up()
        self.rearranged.emit()

    def place_of(self, index: int) -> int | None:
        """Returns the place of the row that shows a message: its own, or its folded entry's."""
        place = self.stack.place_of(index)
        if place is None and (group := self.groups.holding(index)) is not None:
            return self.stack.place_of_row(TimelineRow(RowKind.ENTRY, group))
        return place

    def shown_fork(self, fork: int) -> int:
        """Returns the message at which branches are shown to part that have the first `fork` messages in common: the
        last one where nothing was said in this branch yet."""
        return max(0, min(fork, self.total - 1))

    def is_before(self, row: TimelineRow, index: int) -> bool:
        """Returns whether all that a row of a message or an entry shows was said before message `index`."""
        if row.kind is RowKind.ENTRY:
            return self.groups.stops[row.number] <= index
        return row.kind is RowKind.MESSAGE and row.number < index

    def is_consolidated(self, index: int) -> bool:
        """Returns whether a message lies before the pointer."""
        return index < self.pointer

    def left_out(self, index: int) -> LeftOutReason | None:
        """Returns why a message after the pointer is not sent."""
        return None if index < self.pointer else self.selection.reason(index)

    def is_running(self, index: int) -> bool:
        """Returns whether a consolidation has the message in its hands."""
        return self.running is not None and self.running.start <= index < self.running.stop

    def is_kept(self, index: int) -> bool:
        """Returns whether the next consolidation takes some messages, but not this one."""
        return index >= self.total - self.keep > self.pointer

    @property
    def keep(self) -> int:
        """Returns how many messages the next consolidation leaves as they are."""
        # In the dream profile what makes room is told by tokens, and may be all there is.
        none = self.links.reach is not None or not self.consolidates or self.reading
        return 0 if none else keep_count(self.memory_window)

    @property
    def left(self) -> int:
        """Returns how many messages are there: one that is deleted keeps its number below `total`, and its row."""
        return self.total - bisect_left(self._deleted(), self.total)

    @property
    def left_matching(self) -> int:
        """Returns how many of them were found by the filter so far."""
        deleted = self._deleted()
        return self.scan.count - sum(
            place < len(chunk) and chunk[place] == number
            for chunk in self.scan.chunks()
            for number in deleted
            for place in (bisect_left(chunk, number),)
        )

    def _deleted(self) -> list[int]:
        return deleted_in(self.reader.messages)

    @property
    def waiting(self) -> int:
        """Returns how many messages are not consolidated yet; slash commands do not count."""
        if self._waiting is None:
            self._waiting = waiting_count(self.reader.message, self.total, self.pointer, self.memory_window)
        return self._waiting

    @property
    def may_consolidate(self) -> bool:
        """Returns whether a consolidation would take anything now."""
        return self.running is None and not self.indexing and self.total - self.pointer > self.keep

    def _restart(self) -> None:
        self._search()
        self._stack_up()
        self.replaced.emit()

    def _search(self) -> None:
        self.scan.stop()
        if self.filter.active:
            within = state_spans(self.filter.state, self.pointer, self.total, self.selection)
            self.scan.start(self.reader, within, self.filter)

    def _stack_up(self) -> None:
        self.rearranging.emit()
        self.stack.cut(0)
        self._head = 0
        self._measures = self._measuring(self.groups)
        if not self.filter.active and not self.indexing:
            push_consolidated(self.stack, self.groups, self.unfolded, self.pointer, self._measures)
            self._head = self.stack.mark()
        self._stack_tail()

    def _stack_tail(self) -> None:
        self.stack.cut(self._head)
        if self.filter.active:
            if self.scan.count:
                push_matches(self.stack, self.scan.chunks(), self.pointer, self._measures)
        elif self.indexing:
            self.stack.push(RowKind.MESSAGE, range(self.total), self._measures.message)
        elif self.total:
            line = self.consolidates or bool(self.pointer)
            push_unconsolidated(self.stack, self.pointer, self.total, self.keep, self._measures, line=line)


class FilterScan(QObject):
    """Collects the indices a filter lists as ascending chunks, newest chunk first."""

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.count = 0
        self._chunks: list[Sequence[int]] = []
        self._newest = array("Q")
        self._steps: Iterator[array[int]] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Returns whether older messages are still to be looked at."""
        return self._timer.isActive()

    def start(self, reader: RowReader, spans: Sequence[Sequence[int]], chosen: RowFilter) -> None:
        """Begins anew. A filter that asks for no role is done at once: its spans are its matches."""
        self.stop()
        if chosen.role is RoleFilter.ALL:
            self._chunks = [part for part in spans if part]
            self.count = sum(map(len, self._chunks))
            return
        self._steps = (step for part in spans for step in scan_span(reader.messages, part, chosen))
        self._timer.start()
        self._go_on()

    def stop(self) -> None:
        """Forgets everything."""
        self._timer.stop()
        self._steps = None
        self.count = 0
        self._chunks = []
        self._newest = array("Q")

    def add(self, index: int, message: Message, chosen: RowFilter) -> None:
        """Lists a message that came at the end of the session where the filter asks for it."""
        if chosen.accepts(message):
            self._newest.append(index)
            self.count += 1

    def chunks(self) -> list[Sequence[int]]:
        """Returns what was found so far, ascending."""
        return [*reversed(self._chunks), self._newest]

    def _go_on(self) -> None:
        clock = QElapsedTimer()
        clock.start()
        before = self.count
        while self._steps is not None and clock.elapsed() < _BUDGET_MS:
            step = next(self._steps, None)
            if step is None:
                self._timer.stop()
                self._steps = None
            elif step:
                self._take(step)
        if self.count != before or not self.busy:
            self.found.emit()

    def _take(self, step: array[int]) -> None:
        self.count += len(step)
        oldest = self._chunks[-1] if self._chunks else None
        if isinstance(oldest, array) and len(oldest) < _CHUNK:
            self._chunks[-1] = step + oldest
        else:
            self._chunks.append(step)
