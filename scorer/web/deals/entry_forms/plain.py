"""Derived forms that are quicker to fill in: likely numbers, cards to count."""

import re
from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from typing import Any, ClassVar

from scorer.games.briscola import DECLARED, BriscolaCappotto, BriscolaRules, Match
from scorer.games.burraco import (
    CLEAN,
    CLOSED,
    DIRTY,
    NO_POT,
    SEMI_CLEAN,
    BurracoRules,
    alone_is_over,
)
from scorer.games.cirulla import DECLARED as CIRULLA_DECLARED
from scorer.games.cirulla import (
    GRANDE,
    LEAST_PICCOLA,
    MOST_DECLARED,
    MOST_PICCOLA,
    WHOLE,
    Cappotto,
    CirullaRules,
)
from scorer.games.maraffone import MaraffoneMatch, MaraffoneRules
from scorer.games.scopa import WHOLE_NAPOLA, Napola, ScopaEnd, ScopaRules, ScopaSheet, counted
from scorer.games.terziglio import (
    NEEDED,
    TerziglioBid,
    TerziglioPay,
    TerziglioRules,
    TerziglioSheet,
    paid_by_each,
)
from scorer.games.traversone import TraversoneEnd, TraversoneRules
from scorer.games.tressette import TressetteCappotto, TressetteEnd, TressetteRules, TressetteSheet
from scorer.games.tressette.declarations import (
    MOST_CODA,
    NAPOLETANA,
    RANK_PLURALS,
    RUN,
    Declaration,
    DeclarationKind,
)
from scorer.rules.bands import PACK
from scorer.rules.cards import DECKS, ITALIAN_SUITS, SUIT_WORDS, Rank, Suit, rank_name
from scorer.rules.game import Table
from scorer.rules.piles import COINS, PRIMIERA
from scorer.rules.questions import Question
from scorer.rules.thirds import HAND, least_sum
from scorer.texts import Text, as_it_is, listed, say
from scorer.web.deals.entry_forms.derived import (
    HEAP,
    NO,
    OPPOSITE,
    YES,
    Countable,
    DerivedForm,
    InputHints,
    Offer,
    Pick,
    counted_ranks,
)

#: What two sides often have, the drawn deal and the cappotto among it; and one of three players.
OF_TWO = InputHints(first=61, keys=(60, 61, 65, 70, 75, 80, 90, 100, 120), cards=True)
OF_THREE = InputHints(first=40, keys=(20, 30, 40, 45, 50, 60), cards=True)


class PointsForm(DerivedForm):
    """Free points: the answers are the payouts."""

    slug = "points"
    first = say("How many points does each get?")

    def terms(self) -> Sequence[Mapping[str, Any]]:
        return [{"each": "points"}]


class BriscolaForm(DerivedForm):
    """Briscola, with likely card points and a pile to count."""

    slug = "briscola"
    order = ("winner",)

    def hints_of(self, question: Question) -> InputHints:
        """Offer the likely card points for a number of sides, folded where the winner is enough."""
        hints = InputHints()
        if question.name == "card_points":
            hints = OF_TWO if len(self.sides) == 2 else OF_THREE
            hints = hints._replace(skip=tuple(sorted(self.table.rules.impossible)))
        if question.name == "declared":
            hints = InputHints(step=DECLARED)
        if not self.table.rules.winner_is_enough:
            return hints
        group = "" if question.name == "last_trick" else "won"
        fold = None if question.name == "winner" else say("Card points")
        return hints._replace(group=group, fold=fold)

    @property
    def first(self) -> Text:
        return say("Who won the deal?") if "winner" in self else super().first

    def countable(self) -> list[Countable]:
        return counted_ranks(DECKS["italian-40"])

    def terms(self) -> Sequence[Mapping[str, Any]]:
        rules: BriscolaRules = self.table.rules
        if rules.adds_up:
            return [{"each": "card_points"}, {"each": "declared"}]
        named = "last_trick" if rules.last_trick_decides else "winner"
        won: dict[str, Any] = {"most": "card_points", "named": named, "again": rules.replays}
        if rules.fewest:
            won["few"] = True
        whole = {"most": "card_points", "least": PACK}
        return [won, whole] if rules.cappotto is BriscolaCappotto.TWO else [won]

    @classmethod
    def whole(cls, rules: BriscolaRules) -> Mapping[str, Any] | None:
        wins = rules.cappotto is BriscolaCappotto.MATCH and rules.match is not Match.OPEN
        return {"name": "card_points", "least": PACK} if wins else None

    def ends(self) -> Mapping[str, Any]:
        rules: BriscolaRules = self.table.rules
        if rules.match is Match.BEST_OF:
            return {"best_of": rules.deals}
        targets = {Match.POINTS: rules.target, Match.FIRST_TO: rules.deals}
        return {"target": targets.get(rules.match)}


#: Two packs with four jokers, by what the cards count.
BURRACO_CARDS = [
    Countable(say("Joker"), say("Joker"), 30, 4),
    Countable("2", say("Two"), 20, 8),
    Countable("A", say("Ace"), 15, 8),
    Countable(as_it_is("8 – K"), say("from eight to king"), 10, 48),
    Countable(as_it_is("3 – 7"), say("from three to seven"), 5, 40),
    HEAP,
]


PINNACOLA_CARDS = [
    Countable(say("Joker"), say("Joker"), 25, 4),
    Countable("A", say("Ace"), 15, 8),
    Countable(as_it_is("6 – K"), say("from six to king"), 10, 64),
    Countable(as_it_is("2 – 5"), say("from two to five"), 5, 32),
    HEAP,
]


class BurracoForm(DerivedForm):
    """Burraco, in the order in which it is counted at the table, with cards to tap.

    Whoever closed took the pot, and without a partner holds no cards.
    """

    slug = "burraco"
    counter_goes_on = True
    order = ("alone", "closed", "clean", "semi_clean", "dirty", "pot_taken")
    hints: ClassVar[Mapping[str, InputHints]] = {
        "alone": InputHints(required=True),
        "closed": InputHints(required=True, rules_out=(f"pot_taken{OPPOSITE}", "in_hand")),
        "pot_taken": InputHints(opposite=say("Pot not taken")),
        "melded": InputHints(step=5, cards=True),
        "in_hand": InputHints(step=5, cards=True),
        "penalty": InputHints(step=5, fold=say("Penalties")),
    }

    @property
    def burrachi(self) -> dict[str, int]:
        semi_clean = SEMI_CLEAN if self.table.rules.semi_clean else DIRTY
        return {"clean": CLEAN, "semi_clean": semi_clean, "dirty": DIRTY}

    def hints_of(self, question: Question) -> InputHints:
        """Say what a burraco is worth, and until when somebody may play alone."""
        hints, until = super().hints_of(question), self.table.rules.alone_until
        if question.name in self.burrachi:
            return hints._replace(note=as_it_is(str(self.burrachi[question.name])))
        if until is not None and question.name == "alone":
            return hints._replace(note=say("until somebody has %(points)s", points=until))
        if len(self.sides) == 3 and question.name == "closed" and alone_is_over(self.table):
            return hints._replace(note=say("from %(points)s on nobody plays alone", points=until))
        return hints

    def countable(self) -> list[Countable]:
        return BURRACO_CARDS

    def terms(self) -> Sequence[Mapping[str, Any]]:
        worth = {**self.burrachi, "melded": 1, "in_hand": -1, "penalty": -1}
        return [
            *({"each": name, "worth": amount} for name, amount in worth.items()),
            {"each": f"pot_taken{OPPOSITE}", "worth": NO_POT},
            {"named": "closed", "worth": CLOSED},
        ]

    def ends(self) -> Mapping[str, Any]:
        """Return the number of deals or, if it is not fixed, the target.

        Two sides share the victory points if they are level.
        """
        rules: BurracoRules = self.table.rules
        if rules.deals is None:
            return {"target": rules.target}
        two = len(self.game.sides(self.table.here, rules)) == 2
        return {"deals": rules.deals, "shared": rules.victory_points is not None and two}


DECK, SUITS = DECKS["italian-40"], SUIT_WORDS[True]
COUNTED = say("The primiera by cards or points")


class PileForm(DerivedForm):
    """What was taken, and the primiera by its cards."""

    hints: ClassVar[Mapping[str, InputHints]] = {
        "cards": InputHints(first=20),
        "coins": InputHints(first=5),
        "primiera_winner": InputHints(group="primiera"),
        "primiera_cards": InputHints(group="primiera", fold=COUNTED),
        "primiera": InputHints(first=70, group="primiera", fold=COUNTED),
        "napola": InputHints(skip=(1, 2)),
        "piccola": InputHints(first=LEAST_PICCOLA, skip=(1, 2, *range(MOST_PICCOLA + 1, 11))),
        "declared": InputHints(skip=tuple(sorted({*range(MOST_DECLARED)} - CIRULLA_DECLARED))),
    }

    def terms(self) -> Sequence[Mapping[str, Any]]:
        return [
            *({"most": name} for name in ("cards", "coins")),
            {"named": "settebello"},
            {"most": "primiera", "named": "primiera_winner"},
            {"each": "sweeps"},
        ]

    def listed(self, name: str, side: int) -> list[Any]:
        ranks = [self.picked(name, side, suit) or None for suit in ITALIAN_SUITS]
        return ranks if any(ranks) else []

    @classmethod
    def lists(cls, name: str, side: int, table: Table[Any]) -> list[Pick]:
        picks, ranks = [], [(str(rank), rank_name(rank, DECK)) for rank in PRIMIERA]
        for suit in ITALIAN_SUITS:
            cards = [Offer(code, text, (f"{code}{suit}",)) for code, text in ranks]
            offered = [Offer("", say("none")), *cards]
            picks.append(Pick(f"{name}-{side}-{suit}", SUITS[suit], f"suit-{suit}", offered))
        return picks

    @classmethod
    def picks(cls, name: str, side: int, answers: tuple[Any, ...]) -> dict[str, str]:
        named = zip(ITALIAN_SUITS, answers, strict=True)
        return {f"{name}-{side}-{suit}": str(rank) for suit, rank in named if rank is not None}


class ScopaForm(PileForm):
    """Scopa, with what a house counts besides."""

    slug = "scopa"

    def terms(self) -> Sequence[Mapping[str, Any]]:
        rules: ScopaRules = self.table.rules
        terms = [*super().terms()]
        if rules.napola is Napola.THREE:
            terms.append({"most": "napola", "least": 3, "worth": 3})
        if rules.napola is Napola.LENGTH:
            terms.append({"each": "napola"})
        return [*terms, {"named": "re_bello"}] if rules.re_bello else terms

    @classmethod
    def whole(cls, rules: ScopaRules) -> Mapping[str, Any] | None:
        wins = rules.napola is Napola.LENGTH
        return {"name": "napola", "least": WHOLE_NAPOLA} if wins else None

    def ends(self) -> Mapping[str, Any]:
        rules: ScopaRules = self.table.rules
        in_order = {ScopaEnd.ORDER_ALWAYS: "always", ScopaEnd.ORDER_ON_TIE: "level"}
        return {"target": rules.target, "in_order": in_order.get(rules.end)}

    @classmethod
    def decides(cls, sheet: ScopaSheet, rules: ScopaRules) -> Mapping[str, Any]:
        """Return whether the whole napola wins, or the points in the order of counting."""
        in_order = rules.end is not ScopaEnd.HIGHEST
        points = {"counted": [*counted(sheet, rules).values()]} if in_order else {}
        return super().decides(sheet, rules) or points


class CirullaForm(PileForm):
    """Cirulla: the piles, runs of coins and hands that were shown."""

    slug = "cirulla"

    def terms(self) -> Sequence[Mapping[str, Any]]:
        terms = [*super().terms(), {"each": "piccola"}, {"each": "declared"}]
        terms.append({"named": "grande", "worth": GRANDE})
        if self.table.rules.cappotto is Cappotto.THIRTY:
            terms.append({"most": "coins", "least": COINS, "worth": WHOLE})
        return terms

    @classmethod
    def whole(cls, rules: CirullaRules) -> Mapping[str, Any] | None:
        return {"name": "coins", "least": COINS} if rules.cappotto is Cappotto.WINS else None


class PinnacolaForm(DerivedForm):
    """Pinnacola: who closed, then cards to tap; without a partner that one holds none."""

    slug = "pinnacola"
    counter_goes_on = True
    order = ("closed",)
    hints: ClassVar[Mapping[str, InputHints]] = {
        "closed": InputHints(required=True, rules_out=("in_hand",)),
        "melded": InputHints(step=5, cards=True),
        "in_hand": InputHints(step=5, cards=True),
        "penalty": InputHints(step=5, fold=say("Penalties")),
    }

    def countable(self) -> list[Countable]:
        return PINNACOLA_CARDS

    def terms(self) -> Sequence[Mapping[str, Any]]:
        worth = {"melded": 1, "in_hand": -1, "penalty": -1}
        closing = {"named": "closed", "worth": self.table.rules.closing}
        return [*({"each": name, "worth": amount} for name, amount in worth.items()), closing]


NONE, NAPOLETANE = Offer("", as_it_is("–")), "napoletane"
PILE = say("Count the cards of each pile")


class HandPointsForm(DerivedForm):
    """Hand points, or the aces and thirds of each pile."""

    hints: ClassVar[Mapping[str, InputHints]] = {
        "hand_points": InputHints(first=6, group="hand"),
        "aces": InputHints(first=2, fold=PILE),
        "thirds": InputHints(first=10, group="hand", fold=PILE),
        "last_trick": InputHints(nobody=False, fold=PILE),
    }


class MaraffoneForm(HandPointsForm):
    """Maraffone: the hand points, and whose cricca it was."""

    slug = "maraffone"

    def terms(self) -> Sequence[Mapping[str, Any]]:
        return [{"each": "hand_points"}, {"named": "cricca", "worth": self.table.rules.cricca}]

    def ends(self) -> Mapping[str, Any]:
        """Return the target; a game of three that ends another one only the server knows."""
        rules: MaraffoneRules = self.table.rules
        return {"target": rules.target if rules.match is MaraffoneMatch.ONE else None}


class TraversoneForm(HandPointsForm):
    """Traversone: what each took on, and nothing for whoever is left blank."""

    slug = "traversone"
    hints: ClassVar[Mapping[str, InputHints]] = {
        **HandPointsForm.hints,
        "hand_points": InputHints(group="hand"),
    }

    def terms(self) -> Sequence[Mapping[str, Any]]:
        taken, whole = {"held": "hand_points"}, {"least": HAND, "worth": -HAND, "others": HAND}
        return [taken, {**taken, **whole}] if self.table.rules.cappotto else [taken]

    def ends(self) -> Mapping[str, Any]:
        rules: TraversoneRules = self.table.rules
        out = rules.end is TraversoneEnd.OUT
        return {"out_from": rules.target} if out else {"target": rules.target, "shared": True}


class TerziglioForm(DerivedForm):
    """Terziglio: who played alone, the bid, and whether it was made."""

    slug = "terziglio"
    first = say("Who played alone?")
    hints: ClassVar[Mapping[str, InputHints]] = {
        "soloist": InputHints(required=True),
        "bid": InputHints(required=True),
        "made": InputHints(nobody=False, group="result"),
        "hand_points": InputHints(first=NEEDED, keys=tuple(range(HAND + 1)), group="result"),
    }

    def hints_of(self, question: Question) -> InputHints:
        """Fold the hand points away where it is enough to know whether it was made."""
        hints, rules = super().hints_of(question), self.table.rules
        enough = rules.pays is TerziglioPay.UNIT and rules.cappotto_times == 1
        if question.name == "hand_points" and enough:
            return hints._replace(fold=say("Hand points"))
        return hints

    def pays(self) -> dict[str, Any]:
        """Return what each of the others pays, by the bid and what was taken, or y and n."""
        rules: TerziglioRules = self.table.rules
        taken: dict[str, tuple[bool | None, int | None]] = {
            str(points): (None, points) for points in range(HAND + 1)
        }
        if rules.pays is TerziglioPay.UNIT:
            taken |= {YES: (True, None), NO: (False, None)}
        solo = {
            bid: {
                code: paid_by_each(TerziglioSheet(self.table.active[0], bid, *answers), rules)
                for code, answers in taken.items()
            }
            for bid in TerziglioBid
        }
        return {**super().pays(), "solo": solo}


class TressetteForm(HandPointsForm):
    """Tressette, and what was declared."""

    slug = "tressette"
    hints: ClassVar[Mapping[str, InputHints]] = {
        **HandPointsForm.hints,
        "cappotto": InputHints(fold=say("Cappotto")),
        "declarations": InputHints(fold=say("Declarations")),
    }

    def hints_of(self, question: Question) -> InputHints:
        """Offer nobody for the last trick where a deal may stop before it."""
        hints, rules = super().hints_of(question), self.table.rules
        stops = question.name == "last_trick" and rules.end is TressetteEnd.IMMEDIATE
        return hints._replace(nobody=True) if stops else hints

    def total(self, question: Question) -> int | None:
        """Return the sum of all; it isn't certain if a deal stops or three drop thirds."""
        if self.table.rules.end is TressetteEnd.IMMEDIATE:
            return None
        thirds_are_dropped = question.name == "hand_points" and len(self.table.active) == 3
        return None if thirds_are_dropped else super().total(question)

    def terms(self) -> Sequence[Mapping[str, Any]]:
        """Return the hand points; whether all of them are a cappotto the server may have to say."""
        rules: TressetteRules = self.table.rules
        whole = {"most": "hand_points", "least": least_sum(len(self.sides))}
        more = HAND * (rules.cappotto_times - 1)
        certain = rules.cappotto is TressetteCappotto.POINTS and (len(self.sides) == 2 or not more)
        return [{"each": "hand_points"}, {**whole, "worth": more, "untold": not certain}]

    @classmethod
    def decides(cls, sheet: TressetteSheet, rules: TressetteRules) -> Mapping[str, Any]:
        return {} if sheet.called_out is None else {"called": sheet.called_out}

    def listed(self, name: str, side: int) -> list[Any]:
        declared: list[dict[str, Any]] = [
            {"kind": DeclarationKind.NAPOLETANA.value, "suit": str(suit), "coda": coda}
            for suit, coda in napoletane(self.picked(name, side, NAPOLETANE))
        ]
        for rank in RANK_PLURALS:  # ``four``, ``three``, or ``three-C``: all but that of cups
            kind, _, missing = self.picked(name, side, rank).partition("-")
            if kind:
                without = {"missing": missing} if missing else {}
                declared.append({"kind": kind, "rank": str(rank), **without})
        return declared

    @classmethod
    def lists(cls, name: str, side: int, table: Table[Any]) -> list[Pick]:
        suits = [suit.value for suit in ITALIAN_SUITS]
        longer = range(1, MOST_CODA + 1 if table.rules.coda else 1)
        several = (combinations(suits, count) for count in range(2, len(suits) + 1))
        values = [
            *suits,
            *(f"{suit}{coda}" for suit in suits for coda in longer),
            *map(" ".join, chain.from_iterable(several)),
        ]
        offered = [NONE, *map(_napoletane, values)]
        ranks = (
            Pick(
                f"{name}-{side}-{rank}",
                say("Buongioco of %(cards)s", cards=plural),
                "",
                _of_a_kind(rank),
            )
            for rank, plural in RANK_PLURALS.items()
        )
        return [Pick(f"{name}-{side}-{NAPOLETANE}", say("Napoletana"), "", offered), *ranks]

    def offering(self, pick: Pick) -> Pick:
        """Return the list with several napoletane that have a coda, if that was recorded."""
        value = self[pick.name].data or ""
        known = value in [offer.value for offer in pick.offered] or not napoletane(value)
        return pick if known else pick._replace(offered=[*pick.offered, _napoletane(value)])

    @classmethod
    def picks(cls, name: str, side: int, answers: tuple[Declaration, ...]) -> dict[str, str]:
        picks, runs = dict[str, str](), dict[Suit, str]()
        for declared in answers:
            if declared.suit is not None:
                runs[declared.suit] = f"{declared.suit}{declared.coda or ''}"
            else:
                missing = f"-{declared.missing}" if declared.missing else ""
                picks[f"{name}-{side}-{declared.rank}"] = f"{declared.kind.value}{missing}"
        of_suits = " ".join(runs[suit] for suit in ITALIAN_SUITS if suit in runs)
        return {f"{name}-{side}-{NAPOLETANE}": of_suits, **picks}


def napoletane(value: str) -> list[tuple[Suit, int]]:
    """Read the napoletane of a side, each with the cards of its coda: ``C`` or ``C2 D``."""
    parts = re.findall(r"([CDSB])(\d?)", value)
    return [(Suit(suit), int(coda or 0)) for suit, coda in parts]


def _napoletane(value: str) -> Offer:
    words, cards = list[Text](), list[str]()
    for suit, coda in napoletane(value):
        length = NAPOLETANA + coda
        run = say("%(suit)s, coda %(coda)s", suit=SUITS[suit], coda=coda)
        words.append(run if coda else SUITS[suit])
        cards += (f"{rank}{suit}" for rank in RUN[:length])
    return Offer(value, listed(words), tuple(cards))


def _of_a_kind(rank: Rank) -> list[Offer]:
    cards = {suit: f"{rank}{suit}" for suit in ITALIAN_SUITS}
    without = [
        Offer(
            f"three-{suit}",
            say("three, all but %(suit)s", suit=SUITS[suit]),
            tuple(card for other, card in cards.items() if other != suit),
        )
        for suit in ITALIAN_SUITS
    ]
    four = Offer("four", say("four"), tuple(cards.values()))
    return [NONE, Offer("three", say("three")), four, *without]
