"""Earlier words are found by a plain search, each with where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.memory.search.recall import TEXT_LIMIT, RecalledPassage, search_memory
from mnemoscope.store.workspace.paths import WorkspacePaths

HISTORY = """[2026-10-03 14:20] Ordered kiln shelves from a firm in Leeds. Delivery takes two weeks.

[2026-10-19 09:05] The café order: 40 mugs in celadon.
A second paragraph says that Priya packs them.

[2026-11-02 16:40] Kiln controller replaced; kiln shelves arrived chipped.

"""


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir()
    paths.history_file.write_text(HISTORY)
    paths.memory_file.write_text("# Studio\n\n- Two kilns, 13 A and 32 A\n- Saturdays: Priya\n")
    return paths


def test_the_newest_of_equal_matches_comes_first(paths: WorkspacePaths) -> None:
    assert [hit.where for hit in search_memory(paths, "kiln shelves")[:2]] == ["2026-11-02 16:40", "2026-10-03 14:20"]


def test_a_hit_in_memory_names_its_line_and_heading(paths: WorkspacePaths) -> None:
    assert search_memory(paths, "Saturdays")[:1] == [
        RecalledPassage("memory/MEMORY.md", "line 4, Studio", "- Saturdays: Priya")
    ]


def test_an_entry_is_found_by_its_second_paragraph(paths: WorkspacePaths) -> None:
    assert [hit.where for hit in search_memory(paths, "who packs the mugs?")] == ["2026-10-19 09:05"]


def test_accents_case_and_common_words_do_not_matter(paths: WorkspacePaths) -> None:
    assert search_memory(paths, "what was the CAFE order")[0].where == "2026-10-19 09:05"


@pytest.mark.parametrize("query", ["KILNS", "shelf", "orders", "arriving", "deliveries"])
def test_a_word_is_found_in_its_other_forms(paths: WorkspacePaths, query: str) -> None:
    paths.history_file.write_text(HISTORY + "[2026-11-03 10:00] One shelf is bent; the delivery is late.\n\n")
    assert search_memory(paths, query)


def test_all_words_stand_before_some_words(paths: WorkspacePaths) -> None:
    assert search_memory(paths, "kiln Leeds")[0].where == "2026-10-03 14:20"


def test_daily_notes_and_other_memory_files_are_searched(paths: WorkspacePaths) -> None:
    (paths.memory_dir / "2026-11-20.md").write_text("Ball clay is running low.\n")
    (paths.root / "USER.md").write_text("Nell throws with ball clay.\n")
    assert [hit.source for hit in search_memory(paths, "ball clay")] == ["memory/2026-11-20.md", "USER.md"]


def test_nothing_is_found_where_nothing_is(tmp_path: Path, paths: WorkspacePaths) -> None:
    assert search_memory(paths, "submarine") == []
    assert search_memory(paths, "   ") == []
    assert search_memory(WorkspacePaths(tmp_path / "nowhere"), "kiln") == []


def test_bytes_that_are_no_text_do_not_hide_the_rest(paths: WorkspacePaths) -> None:
    paths.history_file.write_bytes(b"\xff\xfe junk\n\n" + HISTORY.encode())
    assert [hit.source for hit in search_memory(paths, "chipped shelves")] == ["memory/HISTORY.md"] * 2


def test_nothing_garbled_is_found(paths: WorkspacePaths) -> None:
    paths.memory_file.write_bytes("- Ball clay 茶\n".encode("utf-16-le"))
    (paths.root / "USER.md").write_bytes(b"Nell throws with ball clay.\n\0\0\0")
    assert [(hit.source, hit.text) for hit in search_memory(paths, "ball clay")] == [
        ("USER.md", "Nell throws with ball clay.")
    ]


def test_a_long_entry_is_cut_between_its_lines(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.memory_dir.mkdir()
    first, second = "kiln " * 200, "shelves " * 100
    paths.history_file.write_text(f"[2026-11-02 16:40] {first}\n{second}\n\n[2026-11-03 16:40] {'mugs ' * 300}\n")
    (long,) = search_memory(paths, "kiln")
    assert "shelves" not in long.text
    (mugs,) = search_memory(paths, "mugs")
    assert len(mugs.text) == TEXT_LIMIT
