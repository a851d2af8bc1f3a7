"""Words are compared as a person compares them."""

from mnemoscope.llm.offline.keywords import stems


def test_accents_make_no_other_word() -> None:
    assert stems("cafe") == stems("Café")


def test_scripts_without_accents_stay_as_they_are() -> None:
    assert stems("Глазурь") == stems("глазурь")
    assert stems("釉药配方") != stems("陶器")
