"""The editor of rules: only what a person typed is theirs to save."""

from pytestqt.qtbot import QtBot

from mnemoscope.store.capture.user_rules import RuleFile
from mnemoscope.ui.capture.rule_editor import RuleEditor

RULES = 'cues = ["je\u00a0préfère"]\n'


def test_a_file_with_a_no_break_space_counts_as_typed_only_once_it_is(qtbot: QtBot) -> None:
    editor = RuleEditor()
    qtbot.addWidget(editor)
    editor.show_files([RuleFile("my-rules.toml", RULES, "digest")])
    assert editor.drafts() == {}
    assert not editor.save.isEnabled()
    editor.text.appendPlainText("# mine")
    assert editor.drafts() == {"my-rules.toml": f"{RULES}\n# mine"}
    assert editor.save.isEnabled()
