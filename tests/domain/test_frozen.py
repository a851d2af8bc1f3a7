"""A class made by @frozen is the standard library's frozen dataclass with slots, but for what it costs."""

import copy
import gc
import pickle
from dataclasses import FrozenInstanceError, asdict, field, replace

import pytest

from mnemoscope.domain.frozen import frozen


@frozen
class Point:
    x: int
    y: int = 0
    hidden: str = field(default="", repr=False)


@frozen
class Named(Point):
    name: str = ""
    part: object = None


def test_it_is_shown_as_a_dataclass_is() -> None:
    assert repr(Named(1, name="a", hidden="no", part=Point(2))) == "Named(x=1, y=0, name='a', part=Point(x=2, y=0))"


def test_one_that_holds_itself_is_shown_to_an_end() -> None:
    parts: list[object] = []
    one = Named(1, part=parts)
    parts.append(one)
    assert repr(one) == "Named(x=1, y=0, name='', part=[...])"


def test_a_representation_of_its_own_stays() -> None:
    @frozen
    class Secret:
        key: str

        def __repr__(self) -> str:
            return "Secret(…)"

    assert repr(Secret("k")) == "Secret(…)"


def test_nothing_of_it_can_be_set_or_deleted() -> None:
    one = Named(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        one.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
        del one.name
    with pytest.raises(FrozenInstanceError):
        one.other = 2  # type: ignore[attr-defined]
    assert not hasattr(one, "__dict__")


def test_it_is_compared_hashed_copied_and_taken_apart_by_its_fields() -> None:
    one = Named(1, name="a")
    assert one == Named(1, name="a") != Point(1)
    assert len({one, Named(1, name="a"), replace(one, x=2)}) == 2
    assert asdict(one) == {"x": 1, "y": 0, "hidden": "", "name": "a", "part": None}
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    match one:
        case Named(x, y):
            assert (x, y) == (1, 0)


def test_what_is_not_to_be_compared_is_not() -> None:
    @frozen
    class Read:
        text: str
        at: float = field(default=0.0, compare=False)

    @frozen
    class Nothing:
        """No field at all."""

    assert Read("a", 1.0) == Read("a", 2.0) != Read("b", 1.0)
    assert hash(Read("a", 1.0)) == hash(Read("a", 2.0))
    assert Read("a") != "a"
    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing()}) == 1


def test_a_comparison_of_its_own_stays() -> None:
    @frozen
    class Folded:
        text: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Folded) and self.text.casefold() == other.text.casefold()

        def __hash__(self) -> int:
            return hash(self.text.casefold())

    assert Folded("A") == Folded("a")
    assert len({Folded("A"), Folded("a")}) == 1


def test_no_class_is_kept_alive_that_slots_took_the_place_of() -> None:
    # A test that watches for leaks, run before in this process, may have set aside what is looked for here.
    gc.unfreeze()
    gc.collect()
    classes = [each for each in gc.get_objects() if isinstance(each, type) and each.__module__ == __name__]
    assert [each for each in classes if each.__qualname__ == "Named"] == [Named]
