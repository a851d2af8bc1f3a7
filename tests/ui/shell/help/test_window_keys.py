"""Help > Keys knows the keys of every part of the window."""

from __future__ import annotations

import ast
from collections import Counter

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from mnemoscope.ui.shell.help import window_keys
from mnemoscope.ui.shell.help.window_keys import KEY_TABLES, part_rows
from tests.support.source_trees import trees
from tests.ui.window_fixture import Stage


def test_every_table_of_keys_in_the_code_is_listed() -> None:
    tables = {
        node.target.id
        for tree in trees().values()
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(node.value, ast.Call)
        if ast.unparse(node.value.func) == "PartKeys"
    }
    assert len(tables) > 15
    listed = {name for name in tables if getattr(window_keys, name, None) in KEY_TABLES}
    assert (listed, len(KEY_TABLES)) == (tables, len(tables))


def test_no_key_of_a_part_does_two_things(qapp: QApplication) -> None:
    named = Counter((table.part, key) for table in KEY_TABLES for keys, _ in table.rows() for key in keys)
    assert [each for each, times in named.items() if times > 1] == []


def test_keys_are_written_as_qt_writes_them(qapp: QApplication) -> None:
    """So the manual and Help > Keys name a key alike."""
    keys = [key for table in KEY_TABLES for keys, _ in table.rows() for key in keys]
    portable = QKeySequence.SequenceFormat.PortableText
    assert keys == [QKeySequence(key, portable).toString(portable) for key in keys]


def test_a_row_names_the_part_and_what_its_keys_do_there(qapp: QApplication) -> None:
    rows = {row.text: row for row in part_rows()}
    assert len(rows) == len({row.id for row in part_rows()}) == len(part_rows())
    row = rows["Conversations: rename the conversation"]
    assert (row.keys, row.is_fixed, row.is_changed) == (("F2",), True, False)


async def test_no_command_has_keys_that_a_part_beside_it_answers(stage: Stage) -> None:
    stage.make()
    person = await stage.open()
    ours = {keys for row in part_rows() if not (row.in_text or row.is_elsewhere) for keys in row.keys}
    assert "F3" in ours
    commands = [row for row in person.current.actions.key_rows() if not (row.is_fixed or row.in_text)]
    assert len(commands) > 50
    assert [row.text for row in commands if ours & set(row.keys)] == []
