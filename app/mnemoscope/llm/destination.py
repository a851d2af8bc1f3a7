"""Tells where words go: who gets what is sent to a model, by its name and the address that is set.

What is told is what is asked: `model_catalog.server_address` hands on the host in the form that is told here, and an
address that different programs could read in different ways, or a model's name that holds an address, is asked by
nobody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from mnemoscope.domain.settings import Settings, is_built_in, is_on_this_computer
from mnemoscope.domain.trust import models_of
from mnemoscope.llm.model_catalog import (
    is_this_computer,
    needs_address,
    plain_host,
    provider_of,
    provider_title,
    server_address,
)

_ON_THIS_COMPUTER: Final = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm"})
"""Providers whose own address, where none is set, is one of this computer."""
DestinationKind = Literal["built-in", "this computer", "provider", "host", "unclear", "nowhere"]


@dataclass(frozen=True, slots=True)
class Destination:
    """Names where words go.

    `built-in`: nowhere, the program itself answers. `this computer`: to a server on it, which can hand them on.
    `provider`: to the company `name`. `host`: to the server `name`. `unclear`: the address or the model's name could be
    read in several ways, so nothing is sent. `nowhere`: the model `name` only searches by meaning, so that what it is
    asked is sent to nobody.
    """

    kind: DestinationKind
    name: str = ""
    address: str = ""
    """As it is asked; "" for a provider's own."""
    user: str = ""
    """The part before an @ in the address: it is no part of the host, however much it looks like one."""


def destination_of(model: str, api_base: str = "") -> Destination:
    """Returns where words go that are sent to `model` while `api_base` is the server address."""
    if is_built_in(model) or is_on_this_computer(model):
        return Destination("built-in")
    if "://" in model or not all(char.isprintable() for char in model):
        return Destination("unclear", address=model)
    if not api_base.strip():
        if needs_address(model):
            return Destination("unclear", address=model)
        provider = provider_of(model)
        if provider in _ON_THIS_COMPUTER:
            return Destination("this computer")
        return Destination("provider", provider_title(model))
    address = server_address(model, api_base)
    host = plain_host(address)
    if not host:
        return Destination("unclear", address=api_base)
    user = urlsplit(address).netloc.rpartition("@")[0]
    return Destination("this computer" if is_this_computer(host) else "host", host, address, user)


def shares_server(model: str, other: str, api_base: str) -> bool:
    """Returns whether two models are asked at one server of a person's own, where one request may have to wait for
    another; a provider takes many at once."""
    place = destination_of(model, api_base)
    if place.kind not in ("this computer", "host") or place != destination_of(other, api_base):
        return False
    return bool(place.address) or provider_of(model) == provider_of(other)


def destinations(settings: Settings) -> dict[str, Destination]:
    """Returns where words go with these settings: by the name of each setting that names a model not built in."""
    found = {name: destination_of(model, settings.api_base) for name, model in models_of(settings).items()}
    for name, model in (("model", settings.model), ("dream_model", settings.dream_model)):
        if is_on_this_computer(model):
            found[name] = Destination("nowhere", model.strip())
    return found


def distinct_destinations(found: Iterable[Destination]) -> list[Destination]:
    """Returns each place once, in order."""
    return list({(each.kind, each.name): each for each in found}.values())
