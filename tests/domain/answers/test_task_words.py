"""A summary that holds nothing but words of the task is told from a short one that says something."""

from __future__ import annotations

import pytest

from mnemoscope.domain.answers.task_words import says_only_the_task
from mnemoscope.domain.consolidation.archiving import judge_summary
from mnemoscope.domain.consolidation.save_memory import judge
from mnemoscope.domain.consolidation.save_memory_tool import ASKED_WORDS
from mnemoscope.domain.llm import LLMResponse, ToolCallRequest

TOLD = (
    "- history_entry: what happened, in two to five sentences; name people, files and decisions, "
    "so that a search finds them."
)
SAID = "USER: The cello exam is on 12 December."

HOLLOW = [
    "A paragraph summarizing the key events", "A paragraph (2-5 sentences).", "Key events, decisions and topics.",
    "What happened, in two to five sentences", "Name people, files and decisions.",
    "Include detail useful for search.", "History entry here", "Conversation summary",
    "Summary of the conversation between the user and the assistant.", "This is a summary of the conversation.",
    "Here's the summary: the key points discussed in this conversation.", "I will save this to memory.",
    "I'll remember this.", "The conversation has been saved to memory.", "You are a memory agent",
    "I've consolidated the conversation. The memory is updated.", "Сводка разговора", "Краткое содержание беседы.",
    "Я сохраню это в память.", "Разговор сохранён в памяти.", "总结对话", "本次对话的摘要", "对话已保存到记忆中。",
    "关键事件、决定和主题", "我会把这段对话记录到记忆中", "Suhbat xulosasi", "Suhbat xotiraga saqlandi.",
    "Men buni xotiraga saqlayman.", "Muhim voqealar va qarorlar.",
]  # fmt: skip
HONEST = [
    "A fact", "Tea.", "Talked about tea.", "Discussed the exam.", "The person asked about memory in Rust.",
    "We settled how backups are saved.", "Conversation summary: the cello exam is on 12 December.",
    "The user will remember the exam.", "Ann saved the conversation.", "The history of Rome.", "Memory leak fixed.",
    "I will save this to memory: likes tea.", "Small talk; nothing to remember.", "No decisions.",
    "They summarised it.", "The user saved 40 euros.", "People were named in the files.",
    "Решили сохранять копии ночью.", "История болезни кота.", "Тема диплома выбрана.",
    "Обсудили память процессора.", "Памятник открыт.", "讨论了历史考试。", "用户总结了实验。", "林浩保存了照片。",
    "The conversation was about IT.", "A summary of the US.", "Разговор о Новосибирске.", "Беседа о Вашингтоне.",
    "Yozuvchi haqida suhbat.", "Tarixchi bilan suhbat.",
    "Xotira kartasi olindi.", "Tarix imtihoni haqida gaplashildi.", "Suhbat choy haqida edi.",
]  # fmt: skip


def of_a_call(entry: str) -> str:
    call = ToolCallRequest("1", "save_memory", {"history_entry": entry, "memory_update": "# Memory\n- Likes tea\n"})
    return judge(
        LLMResponse(None, (call,), "tool_calls"), "# Memory\n- Likes tea\n", spoken=SAID, instructions=TOLD
    ).kind


@pytest.mark.parametrize("entry", HOLLOW)
def test_words_of_the_task_alone_are_no_summary(entry: str) -> None:
    assert says_only_the_task(entry, (ASKED_WORDS, TOLD), SAID)
    assert of_a_call(entry) == "retry"
    lines = ToolCallRequest("1", "save_summary", {"lines": [f"[durable] {entry}"]})
    for answer in (LLMResponse(entry), LLMResponse(None, (lines,), "tool_calls")):
        assert judge_summary(answer, spoken=SAID, instructions=TOLD).kind == "retry"


@pytest.mark.parametrize("entry", HONEST)
def test_a_short_summary_that_says_something_is_one(entry: str) -> None:
    assert not says_only_the_task(entry, (ASKED_WORDS, TOLD), SAID)
    assert of_a_call(entry) == "nochange"
    assert judge_summary(LLMResponse(entry), spoken=SAID, instructions=TOLD).kind == "ok"


@pytest.mark.parametrize("entry", ["(empty)", "(blank)", "（空）", "(пусто)"])
def test_a_word_for_nothing_is_no_summary(entry: str) -> None:
    assert of_a_call(entry) == "retry"
    assert judge_summary(LLMResponse(entry), spoken=SAID).kind == "retry"


def test_a_person_may_have_spoken_of_memory_and_of_summaries() -> None:
    said = "USER: How does your memory work, and when is a conversation saved?"
    assert not says_only_the_task("The user discussed memory.", (ASKED_WORDS,), said)
    assert not says_only_the_task("We talked about how conversations are saved to memory.", (ASKED_WORDS,), said)
    assert says_only_the_task("The user discussed memory.", (ASKED_WORDS,), SAID)
    assert says_only_the_task("I will save the conversation to memory.", (ASKED_WORDS,), said)


def test_a_text_all_in_capitals_is_read_like_another() -> None:
    assert says_only_the_task("SUMMARY OF THE CONVERSATION", (ASKED_WORDS,), SAID)


def test_a_text_without_words_of_the_task_is_left_to_other_rules() -> None:
    assert not says_only_the_task("", (ASKED_WORDS,), SAID)
    assert not says_only_the_task("This is it.", (ASKED_WORDS,), SAID)
