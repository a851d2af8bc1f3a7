"""The window in Chinese: no string is forgotten, none loses what is filled in, and the letters are drawn."""

import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QMenuBar, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.settings import Settings
from mnemoscope.llm.catalog import choices
from mnemoscope.store.files.shipped import shipped
from mnemoscope.ui.history.labels import when_label
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.support.translation import install_translation, read_words
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
    """The window speaks Chinese while the test runs."""
    yield from _spoken(qapp, "zh_CN")


@pytest.fixture
def english(qapp: QApplication) -> Iterator[list[QTranslator]]:
    """The window speaks English, with its plurals, while the test runs."""
    yield from _spoken(qapp, "en")


def _extraction() -> dict[str, Any]:
    return runpy.run_path(str(EXTRACTOR))


def _translations(path: Path) -> list[tuple[str, str, tuple[str, ...]]]:
    """Every message of a TS file: its context, its source and the forms of its translation."""
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
            "%n models found on this computer.",
            "1 model found on this computer.",
            "2 models found on this computer.",
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
    assert when_label("2026-03-12 14:30", date(2026, 5, 1)) == "3月12日 14:30"
    assert when_label("2025-03-12 14:30", date(2026, 5, 1)) == "2025年3月12日 14:30"


@pytest.mark.usefixtures("chinese")
def test_a_malformed_expression_is_explained_in_chinese() -> None:
    with pytest.raises(BadSearch, match="不是有效的正则表达式：第 6 个字符处"):
        find_all("text", Query("text(", expression=True))


def _words_for_people(window: QWidget) -> set[str]:
    """What is read or spoken of the window's own controls: texts, tooltips, placeholders, accessible names."""
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
    """Whether words are left that are neither a name nor a key nor a figure."""
    if _has_han(text):
        return False
    names = r"MEMORY\.md|HISTORY\.md|history\.jsonl|Mnemoscope|v\d[\w.]*|Ctrl|Shift|Alt|Esc|Enter|F3|home|Aa|token"
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
        (person.window.prompt, "提示词"),
    ):
        assert pane.accessibleName() == name
    assert "你 · " in person.text
    assert "助手 · " in person.text
    known = {str(stage.root)}
    assert sorted(text for text in _words_for_people(person.window) - known if _is_english(text)) == []


@pytest.mark.usefixtures("chinese")
def test_the_settings_in_chinese_have_no_english_left(qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings(), choices())
    qtbot.addWidget(dialog)
    model = dialog.findChild(QComboBox)
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
