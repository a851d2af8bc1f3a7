"""A transcript in a window of its own (fixture `pane`), and messages to show in it."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.message import Message
from mnemoscope.ui.chat.message_actions import CopyCode
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.widgets.pill import Pill
from mnemoscope.ui.widgets.theme import apply_theme
from tests.support.made_messages import MadeMessages
from tests.ui.chat.transcript.offered_actions import actions_of

STAMP = "2026-03-12T09:%02d:00"
RICH = """# Title

You settled on **pgbouncer**, see [docs](https://example.org).

```ini
[databases]
app = host=127.0.0.1
```

1. one
   - nested
2. two

| a | b |
|---|--:|
| 1 | `2` |

> quoted
> more

---

- [x] done

```python
def f(x):
    return 1

    # last
```
The end with `code`"""


def said(role: str, text: str, minute: int = 1, **more: Any) -> Message:
    return {"role": role, "content": text, "timestamp": STAMP % (minute % 60), **more}


def calling(call_id: str, name: str = "search_memory", text: str = "") -> Message:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": '{"query": "pool"}'}}
    return said("assistant", text, tool_calls=[call])


class Lazy(MadeMessages):
    """A session that is looked at here and there, one message at a time."""

    def make(self, number: int) -> Message:
        assert 0 <= number < self.length
        return said(("user", "assistant")[number % 2], f"message {number} " + "with some words to fill the line " * 6)

    def __iter__(self) -> Iterator[Message]:
        pytest.fail("a lazy sequence was walked through")


@pytest.fixture
def pane(qtbot: QtBot) -> Iterator[Transcript]:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, "light")
    made = Transcript()
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    yield made
    made.paging.stop()


def text_of(pane: Transcript) -> str:
    return pane.transcript.document.toPlainText()


def settle(qtbot: QtBot, pane: Transcript) -> None:
    """Lets all pages come in and all code get its colours."""
    qtbot.waitUntil(lambda: not pane.paging._wanted.isActive(), timeout=60_000)
    pane.transcript.colouring.finish()


def pill_of(pane: Transcript) -> Pill:
    """Returns the button that jumps to the newest message."""
    pill = pane.view.findChild(Pill)
    assert pill is not None
    return pill


def bar(pane: Transcript) -> Any:
    return pane.view.verticalScrollBar()


def follow(pane: Transcript, href: str) -> None:
    """Follows a link to an address."""
    pane.view.anchorClicked.emit(QUrl(href))


def form_of(pane: Transcript) -> str:
    """Returns all of the document and what it offers, cards numbered anew in each."""
    offered = [CopyCode(0) if isinstance(each, CopyCode) else each for each in actions_of(pane)]
    return f"{pane.transcript.document.toHtml()}\n{offered}"
