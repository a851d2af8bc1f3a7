"""Some characters matter to more than one reader of a text: those nobody sees, apostrophes, line breaks, scripts.

Each set is a string, so that it is looked up with `in` and put between the brackets of a regular expression alike;
`SPACELESS` and the scripts among it hold ranges and are for regular expressions alone.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final


def _range(first: int, last: int) -> str:
    return "".join(map(chr, range(first, last + 1)))


BYTE_ORDER_MARK: Final = "\ufeff"
BOM: Final = BYTE_ORDER_MARK.encode()
"""A byte order mark as it stands at the beginning of a file of UTF-8."""
JOINERS: Final = "\u200c\u200d"
"""Invisible, and yet needed to write Persian, Hindi and many emoji."""
BIDI_MARKS: Final = "\u061c\u200e\u200f"
"""Marks of direction that Arabic and Hebrew are written with; they move nothing but what stands beside them."""
BIDI_CONTROLS: Final = _range(0x202A, 0x202E) + _range(0x2066, 0x2069)
"""Embeddings, overrides and isolates: they put other characters into another order than they have."""
BIDI_CONTROL: Final = re.compile(f"[{BIDI_CONTROLS}]")
INVISIBLE: Final = (
    "\u00ad\u180e\u200b"
    + JOINERS
    + BIDI_MARKS
    + BIDI_CONTROLS
    + _range(0x2060, 0x2065)
    + _range(0x206A, 0x206F)
    + "\ufeff"
)
"""Characters of which nothing is seen wherever they stand: soft hyphen, zero widths, joiners, marks of direction."""
BLANK_LETTERS: Final = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and signs by their category, and yet nothing is seen of them."""
PRESENTATION_SELECTORS: Final = "\ufe0e\ufe0f"
"""They stand behind a character to have it shown as text or as an emoji."""
QUESTION_MARKS: Final = "?\uff1f\u061f"
"""Of Western, Chinese and Japanese, and Arabic writing."""
LINE_BREAKS: Final = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Every character that some reader of a file takes for the end of a line."""
LINE_BREAK: Final = re.compile(f"\r\n|[{LINE_BREAKS}]")
APOSTROPHES: Final = "'\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02c8\u00b4\uff07"
"""People type these for an apostrophe; some are Uzbek letters that look like one. A backtick is one only within a
word."""
APOSTROPHE: Final = re.compile(f"[{APOSTROPHES}]")
APOSTROPHE_OR_BACKTICK: Final = re.compile(f"[{APOSTROPHES}`]")
TURNED_COMMAS: Final = "\u2018\u02bb"
"""Behind o and g they make another letter of Uzbek. What people type there instead is among the apostrophes, and most
of those stand in English words too (`o'clock`, `the dog's`)."""
UNIFIED_HAN: Final = "\u3400-\u9fff"
"""CJK Unified Ideographs and their Extension A, which are their own plain form; 64 hexagrams stand between the two."""
HAN: Final = f"\u3005-\u3007{UNIFIED_HAN}\uf900-\ufaff\U00020000-\U0003ffff"
"""Characters of Chinese, which Japanese is written with too: the iteration mark, closing mark and zero (`々〆〇`), the
unified ideographs, CJK Compatibility Ideographs, and the two planes of the Extensions B and on."""
KANA: Final = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001b000-\U0001b16f"
"""Characters that only Japanese is written with: Hiragana and Katakana with the Phonetic Extensions and the supplements
of the first plane. Half-width forms are none before they are folded, and the middle dot never is: Chinese has it
between foreign names."""
HANGUL: Final = "\uac00-\ud7a3"
"""Syllables of Korean."""
SPACELESS: Final = f"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff{HAN}{KANA}\u30a0\u30fb{HANGUL}"
"""Scripts that put no spaces between words: Thai, Lao, Burmese, Khmer, Chinese, Japanese with the double hyphen and
middle dot that stand within its words and, as its endings stick to its words, Korean."""
HAN_LETTER: Final = re.compile(f"[{HAN}]")
KANA_LETTER: Final = re.compile(f"[{KANA}]")
SPACELESS_LETTER: Final = re.compile(f"[{SPACELESS}]")

_NOT_ASCII: Final = re.compile("[^\t -~]")
_UNASSIGNED_OR_UNSEEN: Final = re.compile(
    f"[{BLANK_LETTERS}"
    "\u034f\u180b-\u180f\u2065\ufe00-\ufe0d\ufdd0-\ufdef\ufff0-\ufff8\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
"""Characters that show nothing although Unicode counts them among letters, marks or what may be assigned one day."""
_JOINING: Final = re.compile("[\u0600-\u109f\u1780-\u18af\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc]")
_KEYCAP_BASES: Final = frozenset("0123456789#*")


def decoded(data: bytes) -> str:
    """Returns the text of a file: UTF-8, with U+FFFD for bytes that are none, and plain line ends."""
    return with_plain_line_ends(data.decode("utf-8", "replace"))


def with_plain_line_ends(text: str) -> str:
    """Returns a file's text without a byte order mark and with lines that end with `\\n`."""
    return text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")


def without_format_characters(text: str, keep: str = "") -> str:
    """Returns the text without characters of Unicode's category Cf, but for those in `keep`."""
    if text.isascii():
        return text
    formats = {char for char in set(text) if char not in keep and unicodedata.category(char) == "Cf"}
    return "".join(char for char in text if char not in formats) if formats else text


def on_one_line(text: str) -> str:
    """Returns the words without line breaks, characters nobody sees, and blanks in a row."""
    seen = (" " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text if _is_seen(char))
    return " ".join("".join(seen).split())


def has_hidden_characters(line: str) -> bool:
    """Returns whether a line has characters nobody sees, but for those that emoji, Persian or Indic words are written
    with."""
    return any(_is_hidden(line, found.start()) for found in _NOT_ASCII.finditer(line))


def _is_seen(char: str) -> bool:
    return char in JOINERS or unicodedata.category(char) not in ("Cf", "Cs", "Co")


def _is_hidden(line: str, place: int) -> bool:
    char, base = line[place], line[place - 1] if place else ""
    if char in JOINERS:
        return not (_is_joined(base) or (char == "\u200d" and _is_emoji(base, line[place + 1 : place + 2])))
    if char in PRESENTATION_SELECTORS:
        return not (_is_symbol(base) or (base in _KEYCAP_BASES and line[place + 1 : place + 2] == "\u20e3"))
    hidden = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    return _UNASSIGNED_OR_UNSEEN.match(char) is not None or unicodedata.category(char) in hidden


def _is_joined(base: str) -> bool:
    """Returns whether this is a letter or mark of Arabic and its kin, or of the scripts of India and its neighbours."""
    return _JOINING.match(base) is not None and unicodedata.category(base)[0] in "LM"


def _is_emoji(base: str, following: str) -> bool:
    return (_is_symbol(base) or base == "\ufe0f") and _is_symbol(following)


def _is_symbol(char: str) -> bool:
    """Returns whether this is a symbol; emoji that are newer than this Python are among them."""
    known = bool(char) and (unicodedata.category(char) in ("So", "Sm") or char in "\u203c\u2049\u3030\u2139")
    return (known and char != "\u2800") or "\U0001f000" <= char <= "\U0001fbff"


_TRADITIONAL: Final = (
    "萬專業東兩個為麼麽習鄉書產從們價會偉體備關興內寫決準幾劉則剛別動務華單賣廳變號臺後嗎聽團場處複復"
    "頭奧媽孫學寧寶實賓對將爾層歲師帶幫廣應庫廢開棄張強錄當憶總慣願戶擇換據掛報護數時電來樣標檔夢樓條"
    "歡沒測潤滿濱煩熱愛豬貓環現瘋確碼種稱穩筆簡糾紅線細終經結給絕統續維綠緩編縮網腦髒腳騰藍慮蟲裝見規"
    "覺計認討讓議記講許論設識訴詞譯試詩話該詳語說請諸誰談謝譜賬帳賈轉軟較邊過還這遠選適採釋裡裏鑰鏈錯"
    "問隊陳靜頁項順題顏飛館鴻黃點妳著佈週隻喫額費鐘劃畫係繫製極夠趙錢吳鄭馮衛蔣韓楊嚴蘇魯韋馬羅鄧蕭葉"
    "呂盧譚陸鄒龍賀顧龔湯訂診銀門間閉車輛軍農連運進達違遲鄰醫鎖鐵長陰陽難雲韻須預領頻顯風飯飲養駐駕驗"
    "驚魚鳥鹽齊齒龜亞傳債傷僅億優兒兇劇勝勞勢區協卻員喪嚐圖園圓圍執堅塊壓壞壽夾奪妝娛嬰審尋導屆島嶺幣"
    "幹廠彈彙徵態慶憂懷戰戲擔擊擴攝敗敵斷晝暫暢曉楓構槍樂樹橋機檢欄權歐歷殘殺氣漢潔潛澤濃濕災無煉煙營"
    "爭爺牆獎獨獲瑪畢異療盤盡礎禮禍積窮競範築簽籃糧級紀約紐純紙紛絲綁緊練縣繞績繪繼罰義聖聯聰職腫膚膽"
    "臉舊艙艱藝藥蘭蘋術補襯親觀觸訊訓託訪評詢誌誤課調諒證譽讀豐貝貨貴買貿賞質購贈贏趕跡踐蹤躍軌輕輪輸"
    "辦辭遊郵釘針鈴鋼錦鍋鍵鎮鏡閃閱闆隨際雜雙雞離響頂頓頸類飾餓馴騎騙驅驟髮發鬆鬥鬧鮮鴨鵝麗麥麵黨齡"
)
_SIMPLIFIED: Final = (
    "万专业东两个为么么习乡书产从们价会伟体备关兴内写决准几刘则刚别动务华单卖厅变号台后吗听团场处复复"
    "头奥妈孙学宁宝实宾对将尔层岁师带帮广应库废开弃张强录当忆总惯愿户择换据挂报护数时电来样标档梦楼条"
    "欢没测润满滨烦热爱猪猫环现疯确码种称稳笔简纠红线细终经结给绝统续维绿缓编缩网脑脏脚腾蓝虑虫装见规"
    "觉计认讨让议记讲许论设识诉词译试诗话该详语说请诸谁谈谢谱账账贾转软较边过还这远选适采释里里钥链错"
    "问队陈静页项顺题颜飞馆鸿黄点你着布周只吃额费钟划画系系制极够赵钱吴郑冯卫蒋韩杨严苏鲁韦马罗邓萧叶"
    "吕卢谭陆邹龙贺顾龚汤订诊银门间闭车辆军农连运进达违迟邻医锁铁长阴阳难云韵须预领频显风饭饮养驻驾验"
    "惊鱼鸟盐齐齿龟亚传债伤仅亿优儿凶剧胜劳势区协却员丧尝图园圆围执坚块压坏寿夹夺妆娱婴审寻导届岛岭币"
    "干厂弹汇征态庆忧怀战戏担击扩摄败敌断昼暂畅晓枫构枪乐树桥机检栏权欧历残杀气汉洁潜泽浓湿灾无炼烟营"
    "争爷墙奖独获玛毕异疗盘尽础礼祸积穷竞范筑签篮粮级纪约纽纯纸纷丝绑紧练县绕绩绘继罚义圣联聪职肿肤胆"
    "脸旧舱艰艺药兰苹术补衬亲观触讯训托访评询志误课调谅证誉读丰贝货贵买贸赏质购赠赢赶迹践踪跃轨轻轮输"
    "办辞游邮钉针铃钢锦锅键镇镜闪阅板随际杂双鸡离响顶顿颈类饰饿驯骑骗驱骤发发松斗闹鲜鸭鹅丽麦面党龄"
)
"""Common Chinese characters that have a simpler form, and those forms, in the same order."""
_TO_SIMPLIFIED: Final = str.maketrans(_TRADITIONAL, _SIMPLIFIED)
_ANY_TRADITIONAL: Final = re.compile(f"[{_TRADITIONAL}]")


def simplified(text: str) -> str:
    """Returns the text with traditional Chinese characters in their simple forms, each in its place."""
    return text.translate(_TO_SIMPLIFIED) if _ANY_TRADITIONAL.search(text) else text
