"""What a server said of a fault is folded in the bar that tells of it, and in the details that are copied."""

from typing import Any

from PySide6.QtWidgets import QPushButton

from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar

SAID = "BadRequestError: this model's maximum context length is 2048 tokens"


def test_the_servers_words_are_folded_and_copied(qtbot: Any) -> None:
    bar = NoticeBar("danger", "It is too long.", said=SAID)
    qtbot.addWidget(bar)
    bar.show()
    assert bar.server_words is not None
    assert bar.server_words.isHidden()
    assert SAID in bar.details
    fold = next(each for each in bar.findChildren(QPushButton) if each.text() == "What the server said")
    fold.click()
    assert bar.server_words.isVisible()
    fold.click()
    assert bar.server_words.isHidden()


def test_a_fault_without_a_server_offers_no_fold(qtbot: Any) -> None:
    bar = NoticeBar("danger", "The disk is full.")
    qtbot.addWidget(bar)
    assert bar.server_words is None
    assert not bar.findChildren(QPushButton)
