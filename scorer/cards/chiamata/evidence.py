"""What the cards of a deal prove: the partner, what each took, the bounds of the points."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from scorer.cards.chiamata.completions import Side, most_points, tricks_to_complete
from scorer.cards.chiamata.record import ChiamataLayout, dead_hand
from scorer.games.briscola_chiamata.rules import CappottoTest, ChiamataRules
from scorer.rules.seats import Seat, next_seat
from scorer.rules.tables import PACK


class CallerSide(NamedTuple):
    """The caller's possible partners; the caller among the ``candidates`` means alone.

    ``holder`` had the called card, if known; ``may_be_dead`` is true if the dead hand may have had
    it, which also leaves the caller alone. ``neighbour`` is the partner if the caller had the card
    and showed it.
    """

    caller: Seat
    candidates: tuple[Seat, ...]
    holder: Seat | None
    may_be_dead: bool
    neighbour: Seat | None

    @property
    def proved(self) -> bool:
        return len(self.candidates) == 1

    @property
    def alone(self) -> bool | None:
        """Whether the caller has no partner; None while that is open."""
        return self.candidates == (self.caller,) if self.proved else None

    @property
    def partner(self) -> Seat | None:
        """The partner; None if there is none, or that is open."""
        return self.candidates[0] if self.alone is False else None

    @property
    def claimed(self) -> bool:
        """Whether the partner, or playing alone, follows only from a claim about showing the card.

        No card tells whether a caller who had the called card showed it.
        """
        return self.proved and self.neighbour is not None and self.holder == self.caller

    def allows(self, candidate: Seat) -> bool:
        """Whether this partner is possible; the caller himself stands for none."""
        return candidate in self.candidates or candidate == self.neighbour


class Evidence(NamedTuple):
    """What a record proves; the claim is compared with it.

    ``exact`` says whether the bounds are known to be the least and the most that the record allows.
    ``partners`` are the caller and his partner, proved or claimed; None while that is open.
    """

    layout: ChiamataLayout
    side: CallerSide
    taken: dict[Seat, int]
    tricks: dict[Seat, int]
    bounds: tuple[int, int]
    exact: bool
    status: str
    decided: bool
    partners: tuple[Seat, ...] | None

    @property
    def settled(self) -> bool:
        """Whether the cards say everything that a sheet asks for."""
        return self.decided and self.side.proved

    @property
    def tricks_won(self) -> int:
        """Count the tricks that the caller's side has taken so far."""
        return sum([self.tricks[seat] for seat in self.partners or ()])

    @property
    def took_everything(self) -> bool | None:
        """Whether one side took everything; None while that, or who the sides are, is open."""
        if self.partners is None:
            return None
        by_tricks = counts_tricks(self.layout.deal.table.rules)
        counts = self.tricks if by_tricks else self.taken
        ours = sum(counts[seat] for seat in self.partners)
        theirs = sum(counts.values()) - ours
        if ours and theirs:
            return False
        return True if self.decided or (not by_tricks and PACK in (ours, theirs)) else None


def weigh(layout: ChiamataLayout, *, may_be_shown: bool = False) -> Evidence:
    """Return everything that is certain about a deal.

    ``may_be_shown`` is true if nobody said whether a caller who had the called card showed it.
    """
    side = find_partner(layout, may_be_shown=may_be_shown)
    taken, tricks = layout.taken()
    for seat, points in taken_with_discards(layout):
        taken[seat] += points
    partners = _believed(layout, side)
    # The least and the most of the caller's side (rules.md C3).
    own, rest = taken[side.caller], max(0, PACK - sum(taken.values()))
    shares = [0 if seat == side.caller else taken[seat] for seat in partners]
    low, high = own + min(shares), min(PACK, own + max(shares) + rest)
    decided = layout.complete and None not in layout.winners and sum(taken.values()) == PACK
    return Evidence(
        layout=layout,
        side=side,
        taken=taken,
        tricks=tricks,
        bounds=(low, high),
        exact=decided or low == high,
        status=status_of(low, high, layout),
        decided=decided,
        partners=tuple(dict.fromkeys((side.caller, *partners))) if len(partners) == 1 else None,
    )


def counts_tricks(rules: ChiamataRules) -> bool:
    """Whether the rules define a cappotto by tricks instead of points."""
    cappotto = rules.score.cappotto
    return cappotto is not None and cappotto.test is CappottoTest.ALL_TRICKS


def taken_with_discards(layout: ChiamataLayout) -> Iterator[tuple[Seat, int]]:
    """Yield who takes the discards of the monte, and their certain card points.

    They go to the winner of the last trick (rules.md A6). Once all tricks are known, they are the
    rest of the pack.
    """
    deal = layout.deal
    if not deal.laid_aside or len(layout.winners) != deal.trick_count:
        return
    last = layout.winners[-1]
    if last is not None and layout.complete and not layout.doubtful:
        yield last, PACK - sum(layout.worths)
    elif last is not None and deal.aside:
        points = deal.deck.points
        yield last, sum(points[card] for card in deal.aside if card not in layout.doubtful)


def find_partner(layout: ChiamataLayout, *, may_be_shown: bool) -> CallerSide:
    """Work out who is the caller's partner (rules.md A5, A6, A9, C3)."""
    table, call, holders = layout.deal.table, layout.deal.call, _holders(layout)
    caller, claimed, active = call.caller, call.candidate, table.active
    may_be_dead = dead_hand(table) in holders
    candidates = tuple(
        [seat for seat in active if seat in holders or (may_be_dead and seat == caller)]
    )
    holder = next(iter(holders)) if len(holders) == 1 else None
    neighbour = None
    if table.rules.monte and caller in holders:
        neighbour = next_seat(caller, active)
        shown = claimed == neighbour
        if (shown and holder != caller) or (may_be_shown and claimed is None):
            candidates = tuple([seat for seat in active if seat in {*candidates, neighbour}])
        elif holder == caller:
            # Where nobody says that there was a partner, the card was not shown.
            partnered = claimed not in (None, caller)
            candidates = (neighbour,) if shown else (caller, neighbour) if partnered else (caller,)
    return CallerSide(caller, candidates, holder, may_be_dead, neighbour)


def _holders(layout: ChiamataLayout) -> Collection[Seat]:
    deal, called = layout.deal, layout.deal.called
    players = [layout.player(*place) for place in layout.places_of(called)]
    if called in deal.aside:
        players.append(deal.call.caller)
    if players and None not in players:
        return {seat for seat in players if seat is not None}
    held = {seat for seat, hand in deal.hands.items() if called in hand.cards}
    if held or not players:
        return held or _with_unknown_cards(layout) or layout.turns
    return {seat for seat in layout.turns if layout.may_hold(seat, called)} or layout.turns


def _with_unknown_cards(layout: ChiamataLayout) -> set[Seat]:
    """Return the players with unseen cards, including the caller, who would be alone."""
    deal, doubtful = layout.deal, layout.doubtful
    whole, played = 0, Counter[Seat | None]()
    for index, trick in enumerate(deal.tricks):
        if trick is not None and layout.full(index):
            whole += doubtful.isdisjoint(trick.cards)
        else:
            played.update(seat for seat, card in layout.plays(index) if card not in doubtful)
    unknown = {
        seat
        for seat in layout.turns
        if whole + played[seat] < deal.trick_count and seat not in layout.hands
    }
    return unknown | ({deal.call.caller} if len(deal.aside) < deal.laid_aside else set())


def _believed(layout: ChiamataLayout, side: CallerSide) -> tuple[Seat, ...]:
    """Return the possible partners, or only the written one if that is possible."""
    claimed = layout.deal.call.candidate
    if side.proved or claimed is None or not side.allows(claimed):
        return side.candidates
    return (claimed,)


def exactly(evidence: Evidence) -> Evidence:
    """Return the bounds over all ways to complete the record, if they can be found (rules.md C3).

    A record that can't be completed keeps the bounds of the counted cards.
    """
    layout = evidence.layout
    tricks = None if evidence.decided else tricks_to_complete(layout)
    if tricks is None:
        return evidence
    sides = _possible_sides(layout, evidence.side)
    others = [side._replace(players=frozenset(layout.turns) - side.players) for side in sides]
    high, rest = most_points(layout, tricks, sides), most_points(layout, tricks, others)
    if high is None or rest is None:
        return evidence
    (most, sure), (others_most, sure_of_others) = high, rest
    low = PACK - others_most
    return evidence._replace(
        bounds=(low, most),
        exact=sure and sure_of_others,
        status=status_of(low, most, layout),
    )


def status_of(low: int, high: int, layout: ChiamataLayout) -> str:
    """Return whether these bounds mean made, missed, a draw, or open."""
    deal, drawn = layout.deal, layout.deal.draw_points
    if drawn is not None and low <= drawn <= high:
        return "drawn" if low == high else "open"
    return "made" if low >= deal.target else "missed" if high < deal.target else "open"


def _possible_sides(layout: ChiamataLayout, side: CallerSide) -> list[Side]:
    """List the caller's possible sides, with who may have held which cards then."""
    called, dead = layout.deal.called, dead_hand(layout.deal.table)
    held, aside = _may_have_held(layout)
    pairs = [(partner, partner) for partner in _believed(layout, side)]
    pairs += [(caller, dead) for caller, _ in pairs if caller == side.caller and dead is not None]
    if layout.deal.call.shown is not False:
        pairs += [(partner, side.caller) for partner, _ in pairs if partner == side.neighbour]
    return [
        Side(
            players=frozenset({side.caller, partner}),
            held={seat: held[seat] - ({called} if seat != holder else set()) for seat in held},
            aside=aside if holder == side.caller else aside - {called},
        )
        for partner, holder in pairs
    ]


def _may_have_held(layout: ChiamataLayout) -> tuple[dict[Seat, frozenset[int]], frozenset[int]]:
    """Return the cards that each player may have played, and those that may lie aside.

    With a monte the caller plays from the hand and the monte: its cards are nobody else's.
    """
    deal, caller = layout.deal, layout.deal.call.caller
    own = frozenset(deal.hands[caller].cards if caller in deal.hands else ())
    if caller in layout.hands or len(own) not in deal.hand_sizes(caller):
        own = frozenset()
    taken = frozenset(layout.holders)
    loose = deal.letters.pack - taken - own
    mine = own if len(own) > deal.trick_count else loose | own
    held = {
        seat: layout.hands.get(seat, mine if seat == caller else loose) for seat in layout.turns
    }
    return held, mine
