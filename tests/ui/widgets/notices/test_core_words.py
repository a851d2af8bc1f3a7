"""What the core says to a person is said in the window's language, every sentence of it."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

import mnemoscope
from mnemoscope.agent.commands.slash_commands import help_text
from mnemoscope.domain.errors import KeyMissing, StorageError
from mnemoscope.domain.settings import PROFILES, read_settings
from mnemoscope.llm.failures import Failure, error_of
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.ui.support.translation import install_translation
from mnemoscope.ui.timeline.words import row_words
from mnemoscope.ui.widgets.notices.core_words import CORE_SENTENCES, core_answer, core_words
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar

CORE: Final = Path(mnemoscope.__file__).parent
LAYERS: Final = ("domain", "store", "llm", "memory", "agent")
NOT_FOR_A_PERSON: Final = (
    # Results of tools, prompts and what is judged in them: a model reads these.
    "agent/tools/",
    "agent/prompt/context_builder.py",
    "agent/prompt/memory_budget.py",
    "agent/prompt/prompt_guard.py",
    "agent/prompt/recent_history.py",
    "agent/prompt/sent_messages.py",
    "agent/prompt/session_state.py",
    "agent/prompt/workspace_files.py",
    "domain/consolidation/planning.py",
    "domain/context/",
    "domain/dream/files.py",
    "memory/consolidation/prompt.py",
    "memory/dream/prompt.py",
    # The built-in model's own words, which are messages of a conversation as any model's are.
    "llm/offline/",
    # A terminal, and the manual's table of settings.
    "agent/cli/",
    # Words and expressions that texts are compared with.
    "domain/review/content_words.py",
    "domain/review/prompt_injection.py",
    "domain/answers/placeholders.py",
    "domain/secrets/",
)
SAID_OTHERWISE: Final = {
    # Put together of pieces, of which the window knows the whole sentences.
    "{} from {}.",
    "Dream {} after {}:",
    "`{}` could not be undone.",
    "{} changed since and {} in Review.",
    "{} as before it, and everything later stays.",
    # A model reads it, or a Python caller, or nobody.
    "And {} more.",
    "There is no tool {}.",
    "There are read_file, edit_file, write_file and finish.",
    "Nothing was changed:",
    "Not run:",
    "Not written:",
    "{}stopped before it began.",
    "{}it names a key of the keychain, which goes into no file and no other program.",
    "Stopped while this tool was running.",
    "Use a path relative to the workspace, such as notes/plan.md.",
    "A conversation can only grow.",
    "Change a copy of its messages, or assign others to it.",
    "What Mnemoscope keeps for itself stays out of a repository around it.",
    "Only these files have versions.",
    # Of the manual's table, and the subject of a commit, which the list of versions says by its kind.
    "The model that answers:",
    "A litellm name, or `local/wordllama`:",
    "Undo {}:",
}


def _literal(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values)
    return None


@cache
def _literals(file: Path) -> tuple[str, ...]:
    """The texts of a module, but docstrings and what goes into the log; what is filled in as {}."""
    tree = ast.parse(file.read_text("utf-8"))
    passed: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()):
                passed.add(id(node.value))
            case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))):
                passed.update(map(id, ast.walk(node)))
            case ast.Assign(targets=[ast.Name(id="in_python")]):
                passed.update(map(id, ast.walk(node)))
            case ast.JoinedStr():
                passed.update(id(each) for each in node.values)
    texts = (_literal(node) for node in ast.walk(tree) if id(node) not in passed)
    return tuple(text for text in texts if text is not None)


def _units(text: str) -> Iterator[str]:
    """The sentences of a text, in a form that tells nothing of how the filled-in words are called."""
    for line in text.split("\n"):
        words = re.sub(r"\{[^{}]*\}", "{}", re.sub(r"^\s*(?:[-*•>] +|#+ +)", "", line))
        words = re.sub(r"^\{\} (?=[A-Z])", "", words.replace("“{}”", "{}"))
        words = re.sub(r"(\{\}\s*)+", lambda run: "{} " if run[0].endswith(" ") else "{}", words)
        for unit in re.split(r"(?<=[.!?:;”)…])\s+|(?<=[.!?])(?=\{\})", words):
            yield unit.strip()


def _is_sentence(unit: str) -> bool:
    return bool(re.match(r"[A-Z“`{(]|it |config", unit) and re.search(r"[a-z]{2,} [a-z“{]", unit) and unit[-1] in ".:”")


def _said_by_the_core() -> dict[str, str]:
    found: dict[str, str] = {}
    for layer in LAYERS:
        for file in sorted((CORE / layer).rglob("*.py")):
            name = file.relative_to(CORE).as_posix()
            if not name.startswith(NOT_FOR_A_PERSON):
                for text in _literals(file):
                    found.update((unit, name) for unit in _units(text) if unit and _is_sentence(unit))
    return found


def _known() -> set[str]:
    return {unit for source in CORE_SENTENCES for unit in _units(str(source))}


def test_every_sentence_the_core_says_has_its_line() -> None:
    known = _known() | SAID_OTHERWISE
    missing = {unit: name for unit, name in _said_by_the_core().items() if unit not in known}
    assert missing == {}, "add it to CORE_SENTENCES, run packaging/translations, then translate it"


def test_every_line_is_said_by_the_core() -> None:
    """So that none is kept that nobody says any more: every word of it stands in the core."""
    source = "\n".join(text for layer in LAYERS for file in (CORE / layer).rglob("*.py") for text in _literals(file))
    words = set(re.findall(r"[^\W\d_]+", source.lower()))
    known = {word for unit in _known() for word in re.findall(r"[^\W\d_]+", unit.lower())}
    assert sorted(known - words) == []


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    """The window speaks Chinese while the test runs."""
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
    """The Chinese of a sentence with figures filled in, and of others that differ in the names alone: `{what} is
    chosen.` and `{model} is chosen.` are one."""
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


PUT_ON_SHOW: Final = {"setText", "setToolTip", "setPlainText", "setAccessibleName", "format"}
FROM_THE_CORE: Final = {"sentence", "next_step", "reason", "halted", "problems", "problem", "complaint"}


def _says_core(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="core_words" | "core_answer" | "reason_words")):
            return False
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id="error")]):
            return True
        case ast.Attribute(value=ast.Name(id="error" | "event" | "report" | "record" | "run"), attr=attribute):
            return attribute in FROM_THE_CORE
    return any(map(_says_core, ast.iter_child_nodes(node)))


def test_no_widget_is_given_words_of_the_core_as_they_are() -> None:
    """Bars and questions translate what they are given; whoever else shows a sentence of the core does so himself."""
    found = []
    for file in sorted((CORE / "ui").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr=name)) if name in PUT_ON_SHOW:
                    given = [*node.args, *(each.value for each in node.keywords)]
                case ast.Call(func=ast.Name(id="QLabel")):
                    given = node.args
                case _:
                    continue
            if any(map(_says_core, given)):
                found.append(f"{file.relative_to(CORE)}:{node.lineno}")
    assert found == []
