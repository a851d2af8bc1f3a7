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
