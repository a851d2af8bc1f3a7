"""`python -m tests.house --tests` finds the tests of a module: by its name, by imports, and by what leads to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import files_that_test

BOWL, LID, POT, OVEN = (
    f"from mnemoscope.ui.{name} import x\n" for name in ("kiln.bowl", "kiln.bowl_lid", "pot", "oven")
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Returns a program in which a pot needs a bowl, and an oven the pot."""
    files = {
        "app/mnemoscope/ui/kiln/bowl.py": "",
        "app/mnemoscope/ui/kiln/bowl_lid.py": "",
        "app/mnemoscope/ui/kiln/glaze.py": "",
        "app/mnemoscope/ui/pot.py": BOWL + "from mnemoscope.ui.kiln import glaze\n",
        "app/mnemoscope/ui/oven.py": POT,
        "tests/ui/kiln/test_bowl_fired.py": "",
        "tests/ui/kiln/test_bowl_lid.py": LID,
        "tests/ui/kiln/test_shelf.py": BOWL,
        "tests/ui/test_fire.py": OVEN,
        "tests/domain/test_clay.py": BOWL,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def found_of(checkout: Path, module: str) -> list[tuple[str, str]]:
    found = files_that_test(module, checkout / "app" / "mnemoscope", checkout / "tests")
    return [(path.relative_to(checkout / "tests").as_posix(), why) for why, path in found]


@pytest.mark.parametrize("module", ["ui/kiln/bowl", "mnemoscope.ui.kiln.bowl", "app/mnemoscope/ui/kiln/bowl.py"])
def test_those_of_its_name_come_first_and_then_those_that_import_it_from_near_to_far(
    checkout: Path, module: str
) -> None:
    assert found_of(checkout, module) == [
        ("ui/kiln/test_bowl_fired.py", "bears its name"),
        ("ui/kiln/test_shelf.py", "imports it"),
        ("domain/test_clay.py", "imports it"),
    ]


def test_a_name_that_goes_on_is_that_of_the_longer_module(checkout: Path) -> None:
    assert found_of(checkout, "ui.kiln.bowl_lid") == [("ui/kiln/test_bowl_lid.py", "bears its name")]


def test_where_no_test_imports_it_those_come_that_import_what_leads_to_it(checkout: Path) -> None:
    assert found_of(checkout, "ui.kiln.glaze") == [("ui/test_fire.py", "by ui.oven, which leads to it")]


def test_a_module_that_is_not_there_has_none(checkout: Path) -> None:
    assert found_of(checkout, "ui.kiln.spoon") == []
