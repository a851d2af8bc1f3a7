"""What the core says to a person is said in the window's language, every sentence of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from mnemoscope.agent.commands.slash_commands import COMMANDS, help_text
from mnemoscope.agent.search.passage_embedder import MISSING_STEP
from mnemoscope.domain.errors import KeyMissing, StorageError
from mnemoscope.domain.review.memory_review import review
from mnemoscope.domain.settings import PROFILES, read_settings
from mnemoscope.llm.failures import Failure, error_of
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.ui.timeline.timeline_words import row_words
from mnemoscope.ui.translation.core_words import CORE_SENTENCES, core_answer, core_words, settings_words
from mnemoscope.ui.translation.translation import install_translation
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    """Yields the window speaks Chinese while the test runs."""
    before = QLocale()
    installed = install_translation(qapp, "zh_CN")
    yield
    for translator in installed:
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(before)


def _filled(text: str, names: list[str]) -> str:
    return re.sub(r"\{([a-z]+)\}", lambda place: f"{names.index(place[1]) + 71}", text)


def _ways(source: str) -> set[str]:
    """Returns the Chinese of a sentence with figures filled in, and of others that differ in the names alone: `{what}
    is chosen.` and `{model} is chosen.` are one."""
    plain = re.sub(r"\{[a-z]+\}", "{}", source)
    found = set()
    for other in map(str, CORE_SENTENCES):
        if re.sub(r"\{[a-z]+\}", "{}", other) == plain:
            names = list(dict.fromkeys(re.findall(r"\{([a-z]+)\}", other)))
            found.add(_filled(QCoreApplication.translate("CoreWords", other), names))
    return found


@pytest.mark.usefixtures("chinese")
def test_every_sentence_is_found_again_with_what_is_filled_in() -> None:
    wrong = {}
    for source in map(str, CORE_SENTENCES):
        said = _filled(source, list(dict.fromkeys(re.findall(r"\{([a-z]+)\}", source))))
        if core_words(said) not in _ways(source):
            wrong[source] = core_words(said)
    assert wrong == {}
    assert core_words("Nobody said this before.") == "Nobody said this before."


def test_in_english_the_core_is_quoted() -> None:
    assert core_words("The workspace is open for reading only.") == "The workspace is open for reading only."
    assert core_answer(help_text("standard")) == help_text("standard")


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            str(KeyMissing("OpenAI needs a key and none is known.")),
            "OpenAI需要密钥，而没有已知的密钥。请在“选择模型…”中输入密钥，或使用内置模型。",
        ),
        (
            str(error_of(Failure("server", status=503), "openai/gpt", "http://192.168.1.5:8080")),
            "192.168.1.5:8080 的服务器返回了错误（状态 503）。请检查连接以及“选择模型…”中的地址，然后重试。",
        ),
        (
            str(error_of(Failure("model"), "openai/The key was refused by X.", "http://10.0.0.2:1")),
            "10.0.0.2:1 的服务器没有模型“The key was refused by X.”。请在“选择模型…”中检查模型名称。",
        ),
        (
            MISSING_STEP.format(step="Install it in a terminal with “pip install x”."),
            "没有丢失任何内容。请在终端中用“pip install x”安装。然后再次搜索；或在设置的“按含义搜索”下选择“仅按词语”。",
        ),
        ("messages 3 to 9", "第 3 至 9 条消息"),
        (
            "Messages 1 to 40 are consolidated; the newest stay as they are.",
            "第 1 至 40 条消息已整合；最新的消息保持原样。",
        ),
        (
            "Nothing was consolidated. The model did not consolidate it.",
            "没有整合任何内容。模型没有整合它。",
        ),
        (
            "Dream failed after 2.0 s: The answer was empty. The entries still wait.",
            "Dream 在 2.0 s 后失败：回答是空的。 条目仍在等待。",
        ),
    ],
)
def test_what_is_put_together_is_read_apart(said: str, shown: str) -> None:
    assert core_words(said) == shown


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    "line",
    [
        "![x](a.png)",
        "[x](https://example.org)",
        "<b>x</b>",
        "~~x~~",
        "x\N{ZERO WIDTH SPACE}y",
    ],
)
def test_why_a_line_that_is_not_plain_waits_is_said_without_a_word_of_english(line: str) -> None:
    reasons = review("- Name is Sam\n", f"- Name is Sam\n- {line}\n").reasons
    said = [re.sub("“.*”", "", core_words(each)) for each in reasons]
    assert said
    assert [each for each in said if re.search("[A-Za-z]", each.replace("HTML", ""))] == []


@pytest.mark.usefixtures("chinese")
def test_a_fault_of_the_disk_is_said_whole(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught, storage_errors(tmp_path / "HISTORY.md", "write"):
        raise PermissionError(13, "Permission denied")
    assert core_words(str(caught.value)) == "历史日志无法写入：访问被拒绝。没有覆盖任何内容。请检查磁盘，然后重试。"


@pytest.mark.usefixtures("chinese")
def test_the_answers_of_commands_are_said_too_but_not_the_text_of_a_file() -> None:
    for profile in PROFILES:
        assert re.search(r"  [A-Z]", core_answer(help_text(profile))) is None
    answer = "## Dream Update\n\nThis is what Dream changed last.\n\n```diff\nThe answer was empty.\n```"
    assert core_answer(answer) == "## Dream 更新\n\n这是 Dream 最近的更改。\n\n```diff\nThe answer was empty.\n```"
    memory = "# Memory\n\n- The answer was empty."
    assert core_answer(memory) == memory


@pytest.mark.usefixtures("chinese")
def test_the_composer_lists_each_command_in_the_window_s_language() -> None:
    assert [each.brief for each in COMMANDS if core_words(each.brief) == each.brief] == []


@pytest.mark.usefixtures("chinese")
def test_what_the_settings_complain_of_is_said() -> None:
    complaints = read_settings({"agents": {"defaults": {"maxTokens": "many", "temperature": 99}}})[1]
    assert complaints
    assert [core_words(each) for each in complaints if re.search("should|used", core_words(each))] == []


@pytest.mark.usefixtures("chinese")
def test_a_bar_says_it_and_what_is_copied_for_a_report_stays_as_the_log_has_it(qtbot: QtBot) -> None:
    bar = NoticeBar("danger", "The workspace is open for reading only. See the log.")
    qtbot.addWidget(bar)
    shown = "工作区以只读方式打开。请查看日志。"
    assert shown in {label.text() for label in bar.findChildren(QLabel)}
    assert bar.accessibleName() == shown
    assert "The workspace is open for reading only. See the log." in bar.details


@pytest.mark.usefixtures("chinese")
def test_the_timeline_says_the_answer_of_a_command_as_the_conversation_does() -> None:
    answer = {"role": "assistant", "content": "Nothing is remembered yet: MEMORY.md is empty.", "_command": True}
    assert row_words(answer) == "还没有记住任何内容：MEMORY.md 是空的。"
    assert row_words({**answer, "_command": False}) == "Nothing is remembered yet: MEMORY.md is empty."


def test_in_the_settings_no_step_leads_to_the_settings() -> None:
    steps = [str(source) for source in CORE_SENTENCES if " under “Choose model…”" in str(source)]
    assert steps
    for step in steps:
        assert settings_words(step) in map(str, CORE_SENTENCES)
        assert "Choose model…" not in settings_words(step)
