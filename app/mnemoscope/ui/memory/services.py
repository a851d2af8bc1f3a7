"""Bundles what the controllers of the memory files work with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.drafts import Drafts
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import ConversationTitles, Navigation, Notices
from mnemoscope.ui.widgets.status_line import StatusLine


@dataclass(frozen=True, slots=True)
class MemoryServices:
    """Holds the core and the parts of the window that the controllers of one memory pane share."""

    bench: Workbench
    bridge: Bridge
    tasks: Tasks
    drafts: Drafts
    notices: Notices
    status: StatusLine
    titles: ConversationTitles
    navigation: Navigation
    holders_of: Callable[[str], Awaitable[Sequence[str]]]
    """Returns the names of other agents' memory files that state what a line states."""
