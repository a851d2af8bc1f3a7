"""Words are compared as a person compares them."""

from mnemoscope.llm.offline.keywords import keyword_stems


def test_accents_make_no_other_word() -> None:
    assert keyword_stems("cafe") == keyword_stems("Café")


def test_scripts_without_accents_stay_as_they_are() -> None:
    assert keyword_stems("Глазурь") == keyword_stems("глазурь")
    assert keyword_stems("釉药配方") != keyword_stems("陶器")
