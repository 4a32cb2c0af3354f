"""The sixteen presets, as differences from the plain deal, each with its source (rules.md A7)."""

from typing import Any

from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.rules.options import merged
from scorer.rules.sheet import Reading, read
from scorer.texts import Text, say

PLAIN: dict[str, Any] = {
    "players": 5, "deck": "italian-40", "cards_each": 8, "monte": 0, "sits_out": None,
    "auction": {"style": "points", "minimum": 61, "maximum": 120, "after_two": 62,
                "all_pass": "next-dealer"},
    "call": {"rank": "exact", "own_card": True, "lowest_not_held": False},
    "play": {"first_leader": "next-of-dealer", "follow_suit": False},
    "floor": 61,
    "score": {"kind": "units", "bands": [[0, 1]], "caller": 2, "partner": 1, "defender": 1,
              "alone": 4, "against_alone": 1, "loss": None, "cappotto": None},
    "throw_in": None,
    "session": {"end": "open", "target": None, "deals": None, "tie": "play-on"},
}  # fmt: skip

LADDER = {"style": "ladder-then-points"}
TENS = [[0, 1], [71, 2], [81, 3], [91, 4], [101, 5]]
TO_15 = {"end": "target", "target": 15}
DOUBLE_FOR_ALL_POINTS = {"test": "all-points", "side": "both", "op": "times", "value": 2}
FOUR = {"players": 4, "cards_each": 10}
MONTE_SCORE = {"bands": [[0, 1], [91, 2]], "cappotto": {**DOUBLE_FOR_ALL_POINTS, "side": "caller"}}
MONTE: dict[str, Any] = {
    "cards_each": 7,
    "monte": 5,
    "call": {"rank": "any"},
    "play": {"first_leader": "caller"},
    "score": MONTE_SCORE,
}
BALANCED_FOUR = {
    **FOUR,
    "session": TO_15,
    "score": {"caller": 1, "alone": 3, "cappotto": DOUBLE_FOR_ALL_POINTS},
}
SIX = {
    "players": 6,
    "cards_each": 6,
    "monte": 4,
    "score": {**MONTE_SCORE, "partner": 2, "alone": 5},
}
RULEBOOK: dict[str, Any] = {
    "deck": "french-no-7-8-9",
    "auction": {**LADDER, "after_two": 60},
    "play": {"first_leader": "caller"},
    "score": {"bands": TENS},
}

CARD_RULES_PLUS = "cardrulesplus.com, Briscola Chiamata"
SICILIAN = "Briscola Chiamata with ranks and points, and col Monte, as played in Sicily"
WHITE_KNUCKLE = "whiteknucklecards.com, Briscola Bastarda"
RULE_BOOK = "rulebook.cpusonicatt.com, Briscola Chiamata"
VOLATA = "github.com/giorgiatedaldi/briscola_in_5_online"
SCIGHERA = "lascighera.org, tournament rules"
OWN_BALANCE = "our own balance of the figures for four"
GINGO = "regoledelgioco.com, Briscola chiamata pazza"
ADDRESSES = {
    CARD_RULES_PLUS: "https://cardrulesplus.com/games/briscola-chiamata/",
    WHITE_KNUCKLE: "https://whiteknucklecards.com/games/briscolabastarda.html",
    RULE_BOOK: "https://rulebook.cpusonicatt.com/games/briscolachiamata",
    VOLATA: "https://github.com/giorgiatedaldi/briscola_in_5_online",
    SCIGHERA: "https://www.lascighera.org/torneo-di-briscola-chiamata-0",
    GINGO: "https://regoledelgioco.com/giochi-di-carte/briscola-chiamata-pazza-o-gingo/",
}

DIFFERENCES: dict[str, tuple[Text, str, dict[str, Any]]] = {
    "classic": (say("Classic"), CARD_RULES_PLUS, {
        "score": {"cappotto": DOUBLE_FOR_ALL_POINTS}, "session": TO_15}),
    "classic-plain": (say("Classic without cappotto"), CARD_RULES_PLUS, {"session": TO_15}),
    "ladder-bands": (say("Ranks, then points"), SICILIAN, {
        "auction": LADDER, "call": {"lowest_not_held": True},
        "score": {"bands": TENS, "cappotto": {**DOUBLE_FOR_ALL_POINTS, "test": "all-tricks"}}}),
    "monte-5": (say("Col monte for five"), SICILIAN, MONTE),
    "monte-6": (say("Col monte for six"), SICILIAN, {**MONTE, **SIX}),
    "monte-7": (say("Col monte for seven, the dealer sits out"), SICILIAN,
                {**MONTE, **SIX, "sits_out": "dealer"}),
    "bastarda": (say("Bastarda"), WHITE_KNUCKLE, {
        "auction": {"minimum": 1}, "floor": 0, "call": {"rank": "any", "own_card": False},
        "session": TO_15}),
    "rulebook": (say("Rule book, partner paid half"), RULE_BOOK, RULEBOOK),
    "rulebook-literal": (say("Rule book to the letter"), RULE_BOOK,
                         {**RULEBOOK, "score": {"bands": TENS, "partner": 2}}),
    "four-literal": (say("Four, the figures of five"), CARD_RULES_PLUS, {
        **FOUR, "score": {"cappotto": DOUBLE_FOR_ALL_POINTS}, "session": TO_15}),
    "four-balanced": (say("Four, balanced"), OWN_BALANCE, BALANCED_FOUR),
    "four-of-five": (say("Four of five, the dealer sits out"), OWN_BALANCE,
                     {**BALANCED_FOUR, "sits_out": "dealer"}),
    "volata": (say("Volata"), VOLATA, {
        "auction": LADDER, "floor": 60,
        "score": {"bands": [[0, 1], [70, 2], [80, 3], [120, 4]],
                  "cappotto": {**DOUBLE_FOR_ALL_POINTS, "op": "set", "value": 4}}}),
    "scighera": (say("Scighera"), SCIGHERA, {
        "auction": LADDER, "score": {"bands": [[0, 1], [71, 2], [81, 3]]},
        "throw_in": {"max_points": 4, "four_twos": False, "times": 2, "same_dealer": True},
        "session": {"end": "time"}}),
    "decades": (say("One more for every ten"), "ChiamataLibrary, GameData", {
        "auction": LADDER,
        "score": {"bands": [[0, 1], *([60 + 10 * n, n + 1] for n in range(1, 7))],
                  "cappotto": {**DOUBLE_FOR_ALL_POINTS, "op": "add", "value": 1}}}),
    "declared-points": (say("Declared points (gingo)"), GINGO, {
        "auction": {"minimum": 1}, "floor": 0, "score": {"kind": "declared-points"},
        "play": {"first_leader": "caller"}, "session": {"end": "time"}}),
}  # fmt: skip


def _preset(slug: str, name: Text, source: str, differences: dict[str, Any]) -> ChiamataRules:
    heading = {"slug": slug, "name": str(name), "source": source}
    document = {**heading, **merged(PLAIN, differences)}
    reading = Reading()
    rules = read(ChiamataRules, document, reading, slug)
    if rules is None:  # pragma: no cover - a preset with a fault is a mistake of ours
        raise ValueError(reading.problems)
    return rules


PRESETS = {slug: _preset(slug, *parts) for slug, parts in DIFFERENCES.items()}
NAMES = {slug: name for slug, (name, _, _) in DIFFERENCES.items()}
#: What presets are called, by what they were called once: a session keeps the name it began with.
RENAMED = {"Ranks, then points by tens": str(NAMES["ladder-bands"])}
