"""The sixteen presets, as differences from the plain deal, each with its source (rules.md A7)."""

from typing import Any, NamedTuple

from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.rules.options import merged
from scorer.rules.questions import Reading, read
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


class ChiamataPreset(NamedTuple):
    """A preset: ``blurb`` says what it pays, ``differences`` are those from the plain deal."""

    name: Text
    source: str
    blurb: Text
    differences: dict[str, Any]


DIFFERENCES: dict[str, ChiamataPreset] = {
    "classic": ChiamataPreset(say("Classic"), CARD_RULES_PLUS,
        say("The usual one: %(caller)s, %(partner)s, %(others)s; taking all the card points "
            "doubles it."),
        {"score": {"cappotto": DOUBLE_FOR_ALL_POINTS}, "session": TO_15}),
    "classic-plain": ChiamataPreset(say("Classic without cappotto"), CARD_RULES_PLUS,
        say("The usual one without cappotto: %(caller)s, %(partner)s, %(others)s, nothing more."),
        {"session": TO_15}),
    "ladder-bands": ChiamataPreset(say("Ranks, then points"), SICILIAN,
        say("Ranks are bid, then points: high bids pay more, taking all the tricks doubles it."),
        {"auction": LADDER, "call": {"lowest_not_held": True},
         "score": {"bands": TENS, "cappotto": {**DOUBLE_FOR_ALL_POINTS, "test": "all-tricks"}}}),
    "monte-5": ChiamataPreset(say("Col monte for five"), SICILIAN,
        say("As in Sicily: the caller exchanges cards with those left over."), MONTE),
    "monte-6": ChiamataPreset(say("Col monte for six"), SICILIAN,
        say("As in Sicily, for six: the caller exchanges cards with those left over."),
        {**MONTE, **SIX}),
    "monte-7": ChiamataPreset(say("Col monte for seven, the dealer sits out"), SICILIAN,
        say("As in Sicily, for seven: six play, and whoever deals sits out."),
        {**MONTE, **SIX, "sits_out": "dealer"}),
    "bastarda": ChiamataPreset(say("Bastarda"), WHITE_KNUCKLE,
        say("Any points may be bid, nobody plays alone, every deal pays the same."),
        {"auction": {"minimum": 1}, "floor": 0, "call": {"rank": "any", "own_card": False},
         "session": TO_15}),
    "rulebook": ChiamataPreset(say("Rule book, partner paid half"), RULE_BOOK,
        say("French cards and high bids that pay more; the partner is paid half of the caller."),
        RULEBOOK),
    "rulebook-literal": ChiamataPreset(say("Rule book to the letter"), RULE_BOOK,
        say("As the rule book prints it: the partner is paid as much as the caller."),
        {**RULEBOOK, "score": {"bands": TENS, "partner": 2}}),
    "four-literal": ChiamataPreset(say("Four, the figures of five"), CARD_RULES_PLUS,
        say("Four at the table with the figures of five, which do not add up to zero."),
        {**FOUR, "score": {"cappotto": DOUBLE_FOR_ALL_POINTS}, "session": TO_15}),
    "four-balanced": ChiamataPreset(say("Four, balanced"), OWN_BALANCE,
        say("Four at the table, with figures that add up to zero."), BALANCED_FOUR),
    "four-of-five": ChiamataPreset(say("Four of five, the dealer sits out"), OWN_BALANCE,
        say("Five at the table: four play, and whoever deals sits out."),
        {**BALANCED_FOUR, "sits_out": "dealer"}),
    "volata": ChiamataPreset(say("Volata"), VOLATA,
        say("High bids pay more, and whoever takes everything is paid the most, whatever was bid."),
        {"auction": LADDER, "floor": 60,
         "score": {"bands": [[0, 1], [70, 2], [80, 3], [120, 4]],
                   "cappotto": {**DOUBLE_FOR_ALL_POINTS, "op": "set", "value": 4}}}),
    "scighera": ChiamataPreset(say("Scighera"), SCIGHERA,
        say("A club's tournament: a poor hand is thrown in, and the next deal counts double."),
        {"auction": LADDER, "score": {"bands": [[0, 1], [71, 2], [81, 3]]},
         "throw_in": {"max_points": 4, "four_twos": False, "times": 2, "same_dealer": True},
         "session": {"end": "time"}}),
    "decades": ChiamataPreset(say("One more for every ten"), "ChiamataLibrary, GameData",
        say("Every ten points more in the bid pay one more, and so does taking everything."),
        {"auction": LADDER,
         "score": {"bands": [[0, 1], *([60 + 10 * n, n + 1] for n in range(1, 7))],
                   "cappotto": {**DOUBLE_FOR_ALL_POINTS, "op": "add", "value": 1}}}),
    "declared-points": ChiamataPreset(say("Declared points (gingo)"), GINGO,
        say("You are paid the points that you bid; whoever misses pays what was short."),
        {"auction": {"minimum": 1}, "floor": 0, "score": {"kind": "declared-points"},
         "play": {"first_leader": "caller"}, "session": {"end": "time"}}),
}  # fmt: skip


def _rules(slug: str, preset: ChiamataPreset) -> ChiamataRules:
    heading = {"slug": slug, "name": str(preset.name), "source": preset.source}
    document = {**heading, **merged(PLAIN, preset.differences)}
    reading = Reading()
    rules = read(ChiamataRules, document, reading, slug)
    if rules is None:  # pragma: no cover - a preset with a fault is a mistake of ours
        raise ValueError(reading.problems)
    return rules


PRESETS = {slug: _rules(slug, preset) for slug, preset in DIFFERENCES.items()}
#: What presets are called, by what they were called once: a session keeps the name it began with.
RENAMED = {"Ranks, then points by tens": str(DIFFERENCES["ladder-bands"].name)}
