"""A page that is written without a window waits for its formulas, but for no formula without end."""

import sys

import pytest

from mnemoscope.ui.markdown.page.page_formulas import PageFormulas

HALF = r"$\frac{1}{2}$"
HANGS = (sys.executable, "-c", "import sys; print('{\"ready\": true}', flush=True); [None for _ in sys.stdin]")
DIES = (sys.executable, "-c", "raise SystemExit")
DIES_AT_WORK = (sys.executable, "-c", "print('{\"ready\": true}', flush=True); input(); raise SystemExit")
BABBLES = (sys.executable, "-c", "print('{\"ready\": true}', flush=True); input(); print('[1]', flush=True); input()")


def test_a_formula_is_drawn_and_stands_in_the_page_itself() -> None:
    with PageFormulas(limit_s=60) as made:
        page = made.html_of(f"Take {HALF}.")
        assert 'src="data:image/svg+xml;base64,' in page
        assert rf'alt="{HALF}"' in page
        assert made.is_running
    assert not made.is_running


@pytest.mark.parametrize("command", [HANGS, DIES, DIES_AT_WORK, BABBLES, ("/nowhere/at/all",)])
def test_what_is_not_drawn_is_its_source(command: tuple[str, ...]) -> None:
    with PageFormulas(command, limit_s=0.05) as made:
        for _ in range(2):
            assert f"<code>{HALF}</code>" in made.html_of(f"Take {HALF}.")
        assert made.image("$" + "x" * 2_001 + "$", False) is None
    assert not made.is_running


def test_a_late_formula_costs_its_process_and_the_next_one_is_tried_anew() -> None:
    with PageFormulas(HANGS, limit_s=0.05) as made:
        assert made.image(HALF, False) is None
        assert not made.is_running
        assert made.image("$x^2$", False) is None
