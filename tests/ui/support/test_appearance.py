"""Theme, language and zoom of a window."""

from __future__ import annotations

import json

from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.ui.window_fixture import Stage


async def test_a_language_written_into_the_settings_file_by_hand_is_that_of_the_next_start(stage: Stage) -> None:
    stage.make(("user", "Hello"))
    WorkspacePaths(stage.root).config_file.write_text(json.dumps({"mnemoscope": {"language": "zh_CN"}}), "utf-8")
    person = await stage.open()
    assert person.current._settings.value("window/language") == "zh_CN"
