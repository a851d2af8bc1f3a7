"""The window in Chinese: no string is forgotten, of the core's sentences neither; none loses what is filled in, and the
letters are drawn."""

import ast
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QMenuBar, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import mnemoscope
from mnemoscope.domain.errors import ApprovalMoved
from mnemoscope.domain.settings import Settings
from mnemoscope.llm.model_catalog import choices
from mnemoscope.store.files.shipped import shipped
from mnemoscope.ui.memory.review.review_dialog import ReviewDialog
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.support.locale_words import stamp_words
from mnemoscope.ui.translation.core_words import CORE_SENTENCES
from mnemoscope.ui.translation.translation import install_translation, read_words
from mnemoscope.ui.widgets.text.search import BadSearch, Query, find_all
from tests.ui.window_fixture import Stage

HOME = Path(__file__).parents[3]
EXTRACTOR = HOME / "packaging" / "translations"
CHINESE = shipped("resources", "translations", "mnemoscope_zh_CN.ts")
ENGLISH = shipped("resources", "translations", "mnemoscope_en.ts")

only_in_a_checkout = pytest.mark.skipif(not EXTRACTOR.exists(), reason="only a checkout has the extraction")


def _spoken(app: QApplication, language: str) -> Iterator[list[QTranslator]]:
    before = QLocale()
    installed = install_translation(app, language)
    yield installed
    for translator in installed:
        app.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(before)


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[list[QTranslator]]:
    """Yields the window speaks Chinese while the test runs."""
    yield from _spoken(qapp, "zh_CN")


@pytest.fixture
def english(qapp: QApplication) -> Iterator[list[QTranslator]]:
    """Yields the window speaks English, with its plurals, while the test runs."""
    yield from _spoken(qapp, "en")


def _extraction() -> dict[str, Any]:
    return runpy.run_path(str(EXTRACTOR))


def _translations(path: Path) -> list[tuple[str, str, tuple[str, ...]]]:
    """Returns every message of a TS file: its context, its source and the forms of its translation."""
    found = []
    for context in ET.parse(path).iter("context"):
        for message in context.iter("message"):
            node = message.find("translation")
            assert node is not None
            forms = tuple(form.text or "" for form in node.iter("numerusform")) or (node.text or "",)
            found.append((context.findtext("name", ""), message.findtext("source", ""), forms))
    return found


def _filled_in(text: str) -> list[str]:
    return sorted(re.findall(r"\{\w*\}|%L?n", text))


def _has_han(text: str) -> bool:
    return re.search(r"[\u4e00-\u9fff]", text) is not None


@only_in_a_checkout
def test_the_files_hold_exactly_what_the_window_says() -> None:
    made = _extraction()
    messages = made["extract"]()
    for language, path in (("zh_CN", CHINESE), ("en", ENGLISH)):
        wanted = [each for each in messages if each.counts or language != "en"]
        held = {(context, source) for context, source, _ in _translations(path)}
        assert {(each.context, each.source) for each in wanted} == held, "run packaging/translations, then translate"
        assert path.read_text("utf-8") == made["render"](language, wanted, made["read"](path))


@only_in_a_checkout
@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("class Pane:\n def f(self):\n  self.tr('One')", [("Pane", "One")]),
        ("def f(pane: Pane):\n tr, other = pane.tr, 1\n tr('One')", [("Pane", "One")]),
        ("def tr(text):\n return QCoreApplication.translate('Words', text)\nf'{tr(\"One\")}!'", [("Words", "One")]),
        ("NAMES = [QT_TRANSLATE_NOOP('Words', 'One')]", [("Words", "One")]),
        ("class Pane:\n def f(self):\n  self.tr('One' if self.x else 'Two')", [("Pane", "One"), ("Pane", "Two")]),
    ],
)
def test_a_string_is_filed_under_the_context_it_is_looked_up_in(
    tmp_path: Path, code: str, found: list[tuple[str, str]]
) -> None:
    (tmp_path / "pane.py").write_text(code, "utf-8")
    assert [(each.context, each.source) for each in _extraction()["extract"](tmp_path)] == found


@only_in_a_checkout
@pytest.mark.parametrize(
    "code", ["class Pane:\n def f(self):\n  self.tr(f'{self.x} messages')", "def f(pane):\n pane.tr('One')"]
)
def test_a_string_nobody_could_translate_is_refused(tmp_path: Path, code: str) -> None:
    made = _extraction()
    (tmp_path / "pane.py").write_text(code, "utf-8")
    with pytest.raises(made["NotALiteral"]):
        made["extract"](tmp_path)


@only_in_a_checkout
def test_nothing_that_lupdate_finds_is_missed(tmp_path: Path) -> None:
    tool = shutil.which("pyside6-lupdate", path=str(Path(sys.executable).parent))
    if tool is None:
        pytest.skip("pyside6-lupdate is not installed")
    files = [str(path) for path in sorted((HOME / "app" / "mnemoscope" / "ui").rglob("*.py"))]
    found = tmp_path / "found.ts"
    subprocess.run([tool, *files, "-locations", "none", "-ts", str(found)], check=True, capture_output=True)
    ours = {source for _, source, _ in _translations(CHINESE)}
    assert {node.text for node in ET.parse(found).iter("source")} <= ours


@pytest.mark.parametrize("path", [CHINESE, ENGLISH], ids=["zh_CN", "en"])
def test_every_string_is_translated(path: Path) -> None:
    finished = read_words(path)
    assert [(name, source) for name, source, _ in _translations(path) if (name, source) not in finished] == []


@pytest.mark.parametrize("path", [CHINESE, ENGLISH], ids=["zh_CN", "en"])
def test_what_is_filled_in_stays_and_so_do_the_mnemonics(path: Path) -> None:
    for name, source, forms in _translations(path):
        for form in forms:
            assert _filled_in(form) == _filled_in(source), (name, source)
            assert form.count("&") == source.count("&"), (name, source)
            assert form.count("\n") == source.count("\n"), (name, source)
            assert form.startswith(" ") == source.startswith(" "), (name, source)


def test_the_menus_have_a_letter_each() -> None:
    letters = [forms[0][-2] for _, source, forms in _translations(CHINESE) if source.startswith("&")]
    assert len(set(letters)) == len(letters) > 3


@pytest.mark.parametrize(
    ("english", "name", "others"),
    [
        (r"\btokens?\b", "token", "词元|标记"),
        (r"[Cc]onsolidat", "整合", "整理"),
        (r"\bDream\b", "Dream", "梦境"),
        (r"\b[Pp]rompts?\b", "提示词", "提示(?!词)"),
        (r"\b[Rr]eceipt", "凭据", "回执|凭证"),
        (r"\b[Ii]mages?\b", "图片", "图像"),
        (r"\b[Pp]ane\b", "窗格", "面板"),
        (r"\b[Pp]roposals?\b", "提议", "提案|建议"),
        (r"\b(?:on|of) this computer\b", "这台电脑", "本机|此电脑|计算机"),
    ],
)
def test_a_thing_has_one_name_in_chinese(english: str, name: str, others: str) -> None:
    # What the palette finds a command by may be any word.
    spoken = [
        (source, text)
        for (context, source), forms in read_words(CHINESE).items()
        for text in forms
        if context != "CommandWords" and re.search(english, source)
    ]
    assert any(name in text for _, text in spoken)
    assert [each for each in spoken if re.search(others, each[1])] == []


def test_chinese_has_one_form_and_english_two() -> None:
    plural = {(name, source) for name, source, _ in _translations(ENGLISH)}
    assert all(len(forms) == 2 for _, _, forms in _translations(ENGLISH))
    assert all(len(forms) == 1 for name, source, forms in _translations(CHINESE) if (name, source) in plural)


@pytest.mark.parametrize(
    ("context", "source", "one", "two"),
    [
        ("SessionDelegate", "%n messages", "1 message", "2 messages"),
        (
            "ModelSection",
            "%n models found on this computer: choose one under Name.",
            "1 model found on this computer: choose it under Name.",
            "2 models found on this computer: choose one under Name.",
        ),
        (
            "NoticeController",
            "%n damaged records moved to quarantine in {folder}. Everything else was read.",
            "1 damaged record moved to quarantine in {folder}. Everything else was read.",
            "2 damaged records moved to quarantine in {folder}. Everything else was read.",
        ),
    ],
)
@pytest.mark.usefixtures("english")
def test_english_counts_in_the_right_number(context: str, source: str, one: str, two: str) -> None:
    assert QCoreApplication.translate(context, source, None, 1) == one
    assert QCoreApplication.translate(context, source, None, 2) == two
    assert QCoreApplication.translate(context, source, None, 0) == two.replace("2", "0")


@only_in_a_checkout
@pytest.mark.usefixtures("english")
def test_no_count_is_left_without_its_plural() -> None:
    for context, source, forms in _translations(ENGLISH):
        assert "(s)" not in source + "".join(forms)
        assert QCoreApplication.translate(context, source, None, 3) == forms[-1].replace("%n", "3")
    assert [source for _, source, _ in _translations(CHINESE) if "(s)" in source] == []


@pytest.mark.usefixtures("chinese")
def test_dates_are_written_the_chinese_way() -> None:
    assert stamp_words("2026-03-12 14:30", date(2026, 5, 1)) == "3月12日 14:30"
    assert stamp_words("2025-03-12 14:30", date(2026, 5, 1)) == "2025年3月12日 14:30"


@pytest.mark.usefixtures("chinese")
def test_a_malformed_expression_is_explained_in_chinese() -> None:
    with pytest.raises(BadSearch, match="不是有效的正则表达式：第 6 个字符处"):
        find_all("text", Query("text(", expression=True))


def _words_for_people(window: QWidget) -> set[str]:
    """Returns what is read or spoken of the window's own controls: texts, tooltips, placeholders, accessible names."""
    words: set[str] = set()
    for widget in (window, *window.findChildren(QWidget)):
        words |= {widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()}
        if isinstance(widget, QLabel | QPushButton):
            words.add(widget.text())
        elif isinstance(widget, QLineEdit):
            words.add(widget.placeholderText())
    words |= {text for action in window.findChildren(QAction) for text in (action.text(), action.toolTip())}
    return words


def _is_english(text: str) -> bool:
    """Returns whether words are left that are neither a name nor a key nor a figure."""
    if _has_han(text):
        return False
    files, keys = r"MEMORY\.md|HISTORY\.md|history\.jsonl", "Ctrl|Shift|Alt|Esc|Enter|F3|home"
    names = rf"{files}|{keys}|Mnemoscope|Dream|v\d[\w.]*|Aa|token"
    return re.search(r"[A-Za-z]{2}", re.sub(names, "", text)) is not None


async def test_a_window_in_chinese_has_no_english_left(stage: Stage, chinese: list[QTranslator]) -> None:
    assert len(chinese) >= 2
    stage.make(("user", "你好"), ("assistant", "你好，有什么可以帮你？"), memory="# 偏好\n\n- 简短的回答\n")
    person = await stage.open()
    bar = person.window.findChild(QMenuBar)
    assert bar is not None
    menus = [action.text() for action in bar.actions()]
    assert menus == ["文件(&F)", "编辑(&E)", "会话(&C)", "记忆(&M)", "视图(&V)", "帮助(&H)"]
    for pane, name in (
        (person.timeline, "时间线"),
        (person.window.memory, "记忆"),
        (person.history, "历史"),
        (person.window.prompt.widget, "提示词"),
    ):
        assert pane.accessibleName() == name
    assert "你 · " in person.text
    assert "助手 · " in person.text
    known = {str(stage.root)}
    assert sorted(text for text in _words_for_people(person.window) - known if _is_english(text)) == []


@pytest.mark.usefixtures("chinese")
def test_the_review_says_in_chinese_why_the_core_refused_a_decision(qtbot: QtBot) -> None:
    dialog = ReviewDialog()
    qtbot.addWidget(dialog)
    error = ApprovalMoved("MEMORY.md, USER.md or the proposal changed after you were shown it.")
    dialog.show_sentence(f"{error.sentence} {error.next_step}")
    assert re.search("[A-Za-z]{3}", dialog.said.text().replace("MEMORY.md, USER.md", "")) is None


@pytest.mark.usefixtures("chinese")
def test_the_settings_in_chinese_have_no_english_left(qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings(), choices())
    qtbot.addWidget(dialog)
    model = dialog.model.findChild(QComboBox)
    assert model is not None
    assert model.currentText() == "内置，不使用语言模型"
    assert dialog.model.model_name() == "offline"
    known = {"openai/gpt-4o-mini"}
    assert sorted(text for text in _words_for_people(dialog) - known if _is_english(text)) == []


def _picture(label: QLabel) -> QImage:
    return label.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


async def test_the_letters_are_drawn_not_boxes(stage: Stage, chinese: list[QTranslator]) -> None:
    del chinese
    stage.make(("user", "你好"), ("assistant", "你好"))
    person = await stage.open()
    title = person.timeline.findChild(QLabel)
    assert title is not None
    label = QLabel("时间线", person.window)
    label.setFont(title.font())
    label.resize(200, 40)
    drawn, ground = _picture(label), label.palette().window().color()
    label.setText("\U0010fffd" * 3)
    assert _picture(label) != drawn
    assert sum(drawn.pixelColor(x, y) != ground for x in range(200) for y in range(40)) > 100


# The core

CORE: Final = Path(mnemoscope.__file__).parent
LAYERS: Final = ("domain", "store", "llm", "memory", "agent")
NOT_FOR_A_PERSON: Final = (
    # Results of tools, prompts and what is judged in them: a model reads these.
    "agent/mcp/",
    "agent/tools/",
    "agent/prompt/context_builder.py",
    "agent/prompt/memory_budget.py",
    "agent/prompt/prompt_guard.py",
    "agent/prompt/recent_history.py",
    "agent/prompt/sent_messages.py",
    "agent/prompt/session_state.py",
    "agent/prompt/workspace_files.py",
    "llm/model_check.py",
    "domain/consolidation/planning.py",
    "domain/consolidation/save_memory_tool.py",
    "domain/context/",
    "domain/dream/files.py",
    "memory/consolidation/consolidation_prompt.py",
    "memory/dream/dream_prompt.py",
    # The built-in model's own words, which are messages of a conversation as any model's are.
    "llm/offline/",
    # A terminal, and the manual's table of settings.
    "agent/bench/",
    "agent/cli/",
    # Words and expressions that texts are compared with.
    "domain/capture/capture_text.py",
    "domain/disagreement/vocabulary.py",
    "domain/health/relative_dates.py",
    "domain/health/task_residue.py",
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
    "I know of you:",
    "I know this of you:",
    "Rain in Leeds, and the notes are where they were.",
    "Read the file.",
    "{} is not installed below {}.",
    "{} ended: {}",
    "There is no tool {}.",
    "There are read_file, edit_file, write_file and finish.",
    "Nothing was changed:",
    "Add this to memory:",
    "Represent this sentence for searching relevant passages:",
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
    # The words of an export, which a window hands in in its own language, and the looks of its page.
    "Taken back:",
    "A damaged record:",
    "it could not be read.",
    "A message was deleted here.",
    "{} messages were deleted here.",
    "{ :root { --text:",
    # Another program is told so, over MCP.
    "This workspace was never opened in Mnemoscope, so it has no place for proposals.",
    "Open it in Mnemoscope once, then try again.",
    # What a tool is for: a model reads it.
    "Save the lines that are worth knowing later.",
    # Of the manual's table, and the subject of a commit, which the list of versions says by its kind.
    "The model that answers:",
    "A litellm name of the model that searches by meaning, or `off`:",
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
    """Returns the texts of a module, but docstrings and what goes into the log; what is filled in as {}."""
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
    """Yields the sentences of a text, in a form that tells nothing of how the filled-in words are called."""
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


PUT_ON_SHOW: Final = {"setText", "setToolTip", "setPlainText", "setAccessibleName", "format"}
FROM_THE_CORE: Final = {"sentence", "next_step", "reason", "halted", "blocked", "problems", "problem", "complaint"}


def _says_core(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="core_words" | "settings_words" | "core_answer" | "reason_words")):
            return False
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id="error")]):
            return True
        case ast.Attribute(
            value=ast.Name(id="error" | "event" | "report" | "record" | "run" | "state"), attr=attribute
        ):
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
                case ast.Return(value=ast.Attribute() | ast.Call(func=ast.Name(id="str")) as value):
                    given = [value]
                case _:
                    continue
            if any(map(_says_core, given)):
                found.append(f"{file.relative_to(CORE)}:{node.lineno}")
    assert found == []
