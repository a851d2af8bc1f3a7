"""What is counted of one thing is said of one thing."""

from __future__ import annotations

from PySide6.QtCore import QObject

from mnemoscope.agent.export.exported_conversation import ExportWords
from mnemoscope.agent.prompt.memory_budget import SentOfFile
from mnemoscope.domain.conversation.answer_figures import AnswerFigures
from mnemoscope.domain.conversation.deletion import record_of_deleted
from mnemoscope.domain.events import MessagesLost
from mnemoscope.ui.chat.notice_controller import loss_words
from mnemoscope.ui.chat.transcript_words import figure_details
from mnemoscope.ui.memory.memory_sentences import MemorySentences


def test_one_token_answered_is_one_token() -> None:
    assert "Answered: 1 token\n" in figure_details(AnswerFigures(("gpt-5",), tokens_out=1, seconds=2.0)) + "\n"
    assert "Answered: 2 tokens" in figure_details(AnswerFigures(("gpt-5",), tokens_out=2))


def test_one_line_of_one_token_is_counted_as_one() -> None:
    parent = QObject()
    sentences = MemorySentences(parent)
    assert sentences.figures(1, SentOfFile(1, 1)) == "1 line · about 1 token in every prompt"
    assert sentences.figures(1_200, SentOfFile(9_000, 9_000)) == "1,200 lines · about 9,000 tokens in every prompt"


def test_one_message_lost_or_left_is_one_message() -> None:
    assert "which held 1 message." in loss_words(MessagesLost("desktop:a", "removed", 1, 0))[1]
    assert "1 of 8 messages is left." in loss_words(MessagesLost("desktop:a", "shortened", 8, 1))[1]


def test_one_message_exported_is_one_message_and_one_that_is_deleted_is_none() -> None:
    message = {"role": "user", "content": "Hello."}
    assert ExportWords().counted([message, record_of_deleted(message, "d1", 0)]).startswith("1 message, ")
    assert ExportWords().counted([message] * 2_000).startswith("2,000 messages, ")
