"""Things of which one takes the place of another: a person drives one car, and a program is written in one language."""

from __future__ import annotations

from typing import Final

from mnemoscope.domain.text.late_pattern import LatePattern

_KINDS: Final = {
    "car": r"""
        toyota|тойот\w+|丰田 honda|хонд\w+|本田 kia|киа hyundai|хендай|хундай|现代汽车 bmw|бмв|宝马 audi|ауди|奥迪
        mercedes|мерседес\w*|奔驰 tesla|тесл\w+|特斯拉 volvo|вольво|沃尔沃 skoda|шкод\w+|斯柯达 ford|форд\w*|福特
        mazda|мазд\w+|马自达 volkswagen|vw|golf|фольксваген\w*|大众 lada|лад[ауые]|весту?|гранту? renault|рено|雷诺
        nissan|ниссан\w*|日产 peugeot|пежо byd|比亚迪 haval|хавал\w*|哈弗 geely|джили|吉利 chery|чери|奇瑞
        nexia|нексия cobalt|kobalt|кобальт spark damas|дамас matiz|матиз gentra|jentra malibu subaru|субару
        fiat|фиат\w* dacia|logan porsche|порше|保时捷 lexus|лексус\w*""",
    "phone": r"""
        android|андроид\w*|安卓|samsung|самсунг\w*|三星|pixel|xiaomi|小米|oppo iphone|айфон\w*|苹果手机""",
    "system": r"windows|винд\w+ macos|mac|macbook|мак(?:бук\w*|е)? linux|ubuntu|debian|fedora|линукс\w*",
    "code": r"""
        python|питон\w* golang|(?<=in\s)go|(?<=на\s)go|go(?=\sti)|(?<=[用写成])go rust java kotlin swift ruby php
        javascript|js typescript|ts c\+\+|cpp c#|csharp scala
        elixir perl""",
    "framework": "react vue angular svelte django flask fastapi rails laravel spring",
    "database": r"postgres\w* mysql mariadb sqlite mongo\w* oracle redis",
    "editor": r"n?vim|neovim emacs vscode|vs_code sublime pycharm|intellij zed",
    "host": "aws azure gcp hetzner heroku vercel digitalocean",
    "tracker": "jira linear trello asana notion github gitlab youtrack",
    "browser": "chrome firefox safari edge brave",
    "messenger": r"""
        slack teams discord telegram|телеграм\w*|电报 whatsapp|ватсап\w* signal viber|вайбер\w*
        wechat|微信 飞书 钉钉""",
}
"""Kinds of things, and what is of each: names of one thing stand together, with the endings of languages that have
some."""
_ENDINGS: Final = "(?:ni|ning|ga|da|dan|si|ни|нинг|га|да|дан|си)?"


_MEMBERS: Final = tuple((kind, names) for kind, members in _KINDS.items() for names in members.split())
# Chinese writes names in Latin letters without spaces around them.
_ANY: Final = LatePattern(
    rf"(?<![a-zа-я\d])(?:{'|'.join(f'({names})' for _, names in _MEMBERS)}){_ENDINGS}(?![a-zа-я\d])"
)


def things_in(folded: str) -> dict[str, frozenset[str]]:
    """Returns what a folded text names of each kind, by kind: of one thing whatever name it goes by."""
    found: dict[str, frozenset[str]] = {}
    for match in _ANY.finditer(folded):
        kind, names = _MEMBERS[(match.lastindex or 1) - 1]
        found[kind] = found.get(kind, frozenset()) | {names}
    return found
