"""What a shape tells without the words: messages, the pointer, and what is not known."""

from array import array

from mnemoscope.domain.foreign.foreign_records import KINDS, CompactionMark, RecordKind, TranscriptShape


def kinds(*given: RecordKind) -> bytes:
    return bytes(KINDS.index(kind) for kind in given)


def test_the_pointer_is_where_the_last_compaction_keeps_from() -> None:
    marks = (CompactionMark(2, None), CompactionMark(4, None))
    shape = TranscriptShape(kinds(*[RecordKind.PERSON] * 6), array("I", range(6)), compactions=marks)
    assert (shape.messages, shape.last_consolidated) == (6, 4)


def test_without_a_compaction_nothing_is_left_out() -> None:
    assert TranscriptShape(b"", array("I")).last_consolidated == 0


def test_records_of_unknown_types_are_counted() -> None:
    shape = TranscriptShape(kinds(RecordKind.UNKNOWN, RecordKind.PERSON, RecordKind.UNKNOWN), array("I", [1]))
    assert shape.unknown_records == 2
