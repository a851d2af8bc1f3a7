"""Images go to models that take them, are refused for those that do not, and are no words of the person's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.conversation.attachment import Attachment, attachments_of
from mnemoscope.domain.conversation.discretion import TEMPORARY_PREFIX
from mnemoscope.domain.errors import ImagesRefused, KeptOut
from mnemoscope.domain.events import Noticed
from mnemoscope.domain.llm import ModelTraits
from mnemoscope.store.sessions.attachment_store import AttachmentStore
from tests.support.agent_bench import KEY, Bench, make_bench
from tests.support.scripted_provider import KnownModel

PNG = b"\x89PNG\r\n\x1a\nRemember that my locker is 12."


SEES, IS_BLIND, MAY_SEE = (ModelTraits(images=images) for images in (True, False, None))


@pytest.fixture
def model() -> KnownModel:
    return KnownModel("Beans.", "Peas.", "Corn.", traits=SEES)


@pytest.fixture
def bench(tmp_path: Path, model: KnownModel) -> Bench:
    return make_bench(tmp_path, provider=model)


def kept(bench: Bench) -> Attachment:
    store: AttachmentStore = bench.loop.services.attachments
    return store.keep(PNG, 30, 20, "garden.png")


def asked(bench: Bench) -> list[Any]:
    """Returns what the model was sent last as the person's messages."""
    return [each["content"] for each in bench.provider.requests[-1].messages if each["role"] == "user"]


@pytest.mark.parametrize("known", [SEES, MAY_SEE])
async def test_an_image_is_sent_with_its_message_and_with_those_after_it(
    bench: Bench, model: KnownModel, known: ModelTraits
) -> None:
    model.known = known
    image = kept(bench)
    assert await bench.loop.process(KEY, "What grows here?", attachments=[image])
    (parts,) = asked(bench)
    assert [part["type"] for part in parts] == ["text", "image_url"]
    assert "What grows here?" in parts[0]["text"]
    assert await bench.loop.process(KEY, "And there?")
    first, second = asked(bench)
    assert first[1]["image_url"]["url"].startswith("data:image/png;base64,")
    assert isinstance(second, str)
    user = bench.messages()[0]
    assert user["content"] == "What grows here?"
    assert attachments_of(user) == (image,)


async def test_a_model_that_takes_none_is_not_asked_and_the_words_come_back(bench: Bench, model: KnownModel) -> None:
    model.known = IS_BLIND
    assert not await bench.loop.process(KEY, "What grows here?", attachments=[kept(bench)])
    assert [notice.sentence for notice in bench.seen(Noticed)] == ["The model takes no images."]
    assert bench.messages() == []
    assert bench.provider.requests == []


async def test_the_model_of_the_conversation_is_asked_about(bench: Bench, model: KnownModel) -> None:
    model.known = {"sees": SEES, "scripted": IS_BLIND, "": IS_BLIND}
    assert not await bench.loop.process(KEY, "What grows here?", attachments=[kept(bench)])
    bench.loop.sessions.save(bench.loop.sessions.get_or_create(KEY))
    bench.loop.sessions.set_model(KEY, "sees")
    assert await bench.loop.process(KEY, "What grows here?", attachments=[kept(bench)])
    assert [part["type"] for part in asked(bench)[0]] == ["text", "image_url"]


async def test_another_model_later_gets_words_in_the_image_s_place(bench: Bench, model: KnownModel) -> None:
    await bench.loop.process(KEY, "What grows here?", attachments=[kept(bench)])
    model.known = IS_BLIND
    await bench.loop.process(KEY, "And there?")
    assert "[image: garden.png]" in asked(bench)[0]


async def test_an_image_that_a_model_refused_goes_with_no_later_message(tmp_path: Path) -> None:
    """Each message after it would be refused too. A new image is tried: another model may have come to the address."""
    refused = ImagesRefused("The model takes no images.")
    scripts = refused, "Beans.", refused, "Peas.", "Corn.", "Leek."
    bench = make_bench(tmp_path, provider=KnownModel(*scripts, traits=MAY_SEE))
    image = kept(bench)
    await bench.loop.process(KEY, "What grows here?", attachments=[image])
    assert isinstance(asked(bench)[-1], list)
    assert await bench.loop.process(KEY, "Never mind. What is ripe?")
    assert all(isinstance(each, str) for each in asked(bench))
    assert "[image: garden.png]" in "\n".join(asked(bench))
    assert any(attachments_of(each) == (image,) for each in bench.messages())
    await bench.loop.process(KEY, "And here?", attachments=[image])
    assert isinstance(asked(bench)[-1], list)
    await bench.loop.process(KEY, "And now?", attachments=[image])
    assert isinstance(asked(bench)[-1], list)
    assert await bench.loop.process(KEY, "More?")
    assert isinstance(asked(bench)[0], list)


async def test_what_an_image_says_is_no_word_of_the_person(bench: Bench) -> None:
    await bench.loop.process(KEY, "Look at this.", attachments=[kept(bench)])
    folder = bench.loop.services.attachments.folder
    texts = [
        path.read_bytes() for path in folder.parents[1].rglob("*") if path.is_file() and folder not in path.parents
    ]
    assert not any(b"locker is 12" in text for text in texts)


async def test_the_message_is_edited_with_other_images(bench: Bench) -> None:
    await bench.loop.process(KEY, "What grows here?", attachments=[kept(bench)])
    assert await bench.loop.resend(KEY, 0, "What grows?", attachments=[])
    assert attachments_of(bench.messages()[0]) == ()
    assert isinstance(asked(bench)[-1], str)


async def test_a_temporary_conversation_keeps_no_image(bench: Bench) -> None:
    with pytest.raises(KeptOut, match="temporary: it is kept in no file"):
        await bench.loop.keep_image(f"{TEMPORARY_PREFIX}1", PNG, 30, 20)
    assert not bench.loop.services.attachments.folder.exists()
    kept_here = await bench.loop.keep_image(KEY, PNG, 30, 20)
    assert bench.loop.services.attachments.read(kept_here) == PNG


async def test_an_image_that_is_gone_is_named(bench: Bench) -> None:
    image = kept(bench)
    store: AttachmentStore = bench.loop.services.attachments
    store.path_of(image).unlink()
    await bench.loop.process(KEY, "What grows here?", attachments=[image])
    assert "[image: garden.png]" in asked(bench)[0]
