"""A text that goes round in circles is known while it is written."""

from mnemoscope.domain.answers.repetition import LoopWatch, loop_at_end

ROUND = "- The import ran dry again and was moved behind the pool.\n"


def is_stopped(text: str, known: str = "") -> bool:
    watch = LoopWatch(known)
    return any(watch.add(text[at : at + 50]) for at in range(0, len(text), 50))


def test_a_line_written_again_and_again_is_a_loop_and_a_long_text_is_none() -> None:
    assert is_stopped("Notes\n" + ROUND * 20)
    assert ROUND.strip() in loop_at_end("Notes\n" + ROUND * 20)
    assert not is_stopped("Notes\n" + "".join(f"{ROUND}{name} said so.\n" for name in ("Ada", "Bo", "Cy")))


def test_what_stood_so_before_may_be_written_again() -> None:
    assert not is_stopped(ROUND * 20, known=ROUND * 20)


def test_one_figure_or_word_written_again_and_again_is_a_loop_long_before_it_fills_a_page() -> None:
    begun = '{"history_entry": "2026-11-27 09:03:14'
    assert is_stopped(begun + ".17" * 50)
    assert is_stopped(begun + " no, " * 40)
    assert not is_stopped("| 1 | 0 | 0 | 0 | 1 | 0 | 0 | 0 |\n| 0 | 1 | 0 | 0 | 0 | 1 | 0 | 0 |\n" * 2)
    assert not is_stopped(begun + ".17" * 40, known="the count was 14" + ".17" * 60)
