"""A deal as somebody says it: "Piero, settanta, con Lucia, ottanta", in Italian or in English."""

import re
from collections.abc import Iterator, Mapping

from scorer.games.briscola_chiamata.bids import MOST_LIKE_A_RANK
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.rules.bands import PACK
from scorer.rules.cards import SUIT_NAMES
from scorer.rules.seats import Seat
from scorer.texts import NUMBER_WORDS, unaccented

Phrase = tuple[str, ...]
#: What phrases mean: the kind of an answer, and its value.
Meanings = dict[Phrase, tuple[str, str]]

WORD = re.compile(r"\w+")
FIGURE = re.compile("[0-9]{1,3}")
LONGEST_SAID = 200
_TENS = (
    "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "twenty thirty forty fifty sixty seventy eighty ninety",
)
#: The parts of numbers, in Italian and in English.
SMALL, TENS = ([words.split() for words in languages] for languages in (NUMBER_WORDS, _TENS))
HUNDRED: tuple[tuple[Phrase, ...], ...] = ((("cento",),), (("one", "hundred"), ("a", "hundred")))
BEFORE_PARTNER = frozenset({"con", "with", "socio", "socia", "partner"})
OTHERS = {
    "alone": "da solo; solo; sola; da sola; alone; nobody; nessuno",
    "made": "made; fatta; fatto; vinta; won",
    "missed": "missed; persa; perso; lost",
    # What is said between the answers.
    "": "con; e; with; and; a; at; di; of; per; chiama; calls; called; bids; bid; socio; socia; "
    "partner; punti; points; fa; fanno; by",
}


def heard(
    text: str, names: Mapping[Seat, str], rules: ChiamataRules, known: Mapping[str, str]
) -> tuple[dict[str, str], str]:
    """Read caller, bid, partner and card points, in this order; ``names`` are those who play.

    ``known`` are earlier answers. Return all answers as the form of the deal sends them, and the
    words that were not understood.
    """
    values, rest, before = dict(known), [], ""
    meanings = {**_words(rules), **_people(names)}
    for words, phrase in _phrases(text[:LONGEST_SAID], meanings):
        kind, value = meanings.get(phrase, ("", None))
        if value is None:
            number = FIGURE.fullmatch(phrase[0])
            kind, value = ("number", str(int(phrase[0]))) if number else ("", None)
        if kind == "name" and before in BEFORE_PARTNER:
            kind = "partner"
        if value is None or (kind and not _answer(kind, value, values, rules)):
            rest.append(words)
        before = phrase[0]
    return values, " ".join(rest)


def _answer(kind: str, value: str, values: dict[str, str], rules: ChiamataRules) -> bool:
    """Answer the first question that a word can answer; False if there is none left."""
    question = kind
    if kind == "name":
        question = "partner" if "caller" in values else "caller"
    elif kind in ("number", "rank"):
        question = _asked(kind, value, values, rules)
        if question == "bid_rank":
            value = str(rules.cards.names[value])
    impossible = [values.get("caller"), *([] if rules.may_be_alone else ["alone"])]
    if not question or question in values or (question == "partner" and value in impossible):
        return False
    values[question] = value
    return True


def _asked(kind: str, value: str, values: dict[str, str], rules: ChiamataRules) -> str:
    """Return the question that a number or rank answers: until a partner the bid, then points."""
    lowest = str(rules.cards.ranks[-1])
    bids = "bid_points" not in values and ("partner" not in values or "card_points" in values)
    of_rank = value in rules.cards.names and (kind == "rank" or int(value) <= MOST_LIKE_A_RANK)
    if of_rank and rules.offers_ranks and bids and "bid_rank" not in values:
        return "bid_rank"
    if kind == "rank":
        return "" if rules.offers_ranks else "called_rank"
    after_two = rules.offers_ranks and values.get("bid_rank", lowest) == lowest
    possible = rules.auction.lowest <= int(value) <= rules.auction.highest
    if bids and possible and rules.offers_points and (after_two or not rules.offers_ranks):
        values.update({"bid_rank": lowest} if after_two else {})
        return "bid_points"
    return "card_points" if int(value) <= PACK else ""


def _phrases(text: str, meanings: Mapping[Phrase, object]) -> Iterator[tuple[str, Phrase]]:
    """Split a text into the longest phrases that mean something, and single words."""
    found = list(WORD.finditer(text))
    words, at = [unaccented(word[0]) for word in found], 0
    longest = max(map(len, meanings))
    while at < len(words):
        lengths = range(min(longest, len(words) - at), 1, -1)
        length = next((n for n in lengths if tuple(words[at : at + n]) in meanings), 1)
        yield text[found[at].start() : found[at + length - 1].end()], tuple(words[at : at + length])
        at += length


def _phrase(text: str) -> Phrase:
    return tuple(unaccented(word) for word in WORD.findall(text))


def _people(names: Mapping[Seat, str]) -> Meanings:
    """Map to each player the whole name, and each word that no other name has."""
    whole = {seat: _phrase(name) for seat, name in names.items()}
    words = [word for phrase in whole.values() for word in set(phrase)]
    single: dict[Phrase, Seat] = {
        (word,): seat
        for seat, phrase in whole.items()
        for word in phrase
        if words.count(word) == 1 and len(word) > 1
    }
    known = {**single, **{phrase: seat for seat, phrase in whole.items() if phrase}}
    return {phrase: ("name", str(seat)) for phrase, seat in known.items()}


def _words(rules: ChiamataRules) -> Meanings:
    named = [word for word in rules.cards.names if len(word) > 1 and word.isalpha()]
    ranks: Meanings = {
        (unaccented(word),): ("rank", str(rules.cards.names[word])) for word in named
    }
    suits: Meanings = {
        (unaccented(word),): ("suit", str(suit))
        for word, suit in SUIT_NAMES.items()
        if len(word) > 1 and suit in rules.cards.suits
    }
    numbers = {phrase: ("number", str(number)) for phrase, number in _numbers()}
    kinds = {"alone": "partner", "made": "result", "missed": "result", "": ""}
    others = {
        _phrase(said): (kinds[value], value)
        for value, phrases in OTHERS.items()
        for said in phrases.split(";")
    }
    return {**ranks, **suits, **numbers, **others}


def _numbers() -> Iterator[tuple[Phrase, int]]:
    """Yield every number from 0 to 120 as it is said, with and without blanks."""
    for number in range(PACK + 1):
        hundred, below = divmod(number, 100)
        for language, heads in enumerate(HUNDRED):
            phrases = _below_hundred(below, language)
            if hundred:
                phrases = [
                    whole
                    for head in heads
                    for small in (phrases if below else [()])
                    for whole in (
                        (*head, *small),
                        *([(*head, "and", *small), ("".join((*head, *small)),)] if below else ()),
                    )
                ]
            yield from ((phrase, number) for phrase in phrases)


def _below_hundred(number: int, language: int) -> list[Phrase]:
    words = SMALL[language]
    if number < len(words):
        return [(words[number],)]
    ten, ones = TENS[language][number // 10 - 2], number % 10
    if not ones:
        return [(ten,)]
    elided = ten[:-1] if language == 0 and ones in (1, 8) else ten
    return [(elided + words[ones],), (ten, words[ones])]
