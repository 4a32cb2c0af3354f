"""A record with all cards known, as a deal to be solved with the cards open.

All cards are known from whole tricks, or from whole hands and the tricks so far; the hand that is
missing where one is, is the rest of the pack. A dead hand lies in the order in which it is turned
over.
"""

from scorer.cards import record_faults
from scorer.cards.chiamata.evidence import weigh
from scorer.cards.chiamata.record import ChiamataLayout, dead_hand
from scorer.cards.solver.open_deal import Hands, OpenDeal, laid_open
from scorer.rules.findings import Finding
from scorer.texts import say


def open_layout(layout: ChiamataLayout, *, may_be_shown: bool) -> OpenDeal | list[Finding]:
    """Open the cards of a deal; otherwise return what is missing or wrong, by its `weigh`."""
    findings = [*record_faults.faults(layout)] or [
        Finding(
            "cards-unknown",
            {"trick": number},
            say("Trick %(trick)s is not written down.", trick=number),
        )
        for number, trick in enumerate(layout.deal.tricks, start=1)
        if trick is None
    ]
    leader = next(iter(layout.leaders), layout.deal.first_leader)
    if findings:
        return findings
    if leader is None:
        message = say("Who led first? The record tells neither that nor who dealt.")
        return [Finding("leader-unknown", {"trick": 1}, message)]
    evidence, hands = weigh(layout, may_be_shown=may_be_shown), _hands(layout)
    if hands is None:
        message = say("All cards must be known: every trick, or the hands and what lies aside.")
        return [Finding("cards-unknown", {"hands": True}, message)]
    if evidence.partners is None:
        message = say("The record doesn't tell who the partner was.")
        return [Finding("partner-unknown", {"claim": "partner"}, message)]
    aside = layout.deal.letters.pack.difference(*hands.values())
    return laid_open(
        layout,
        hands,
        evidence.partners,
        leader=leader,
        target=layout.deal.target,
        aside=sum(layout.deal.deck.points[card] for card in aside),
        dead=dead_hand(layout.deal.table),
    )


def _hands(layout: ChiamataLayout) -> Hands | None:
    """Return the cards that each plays, or None if some are unknown."""
    plays = [play for index in range(len(layout.deal.tricks)) for play in layout.plays(index)]
    played = {seat: [card for who, card in plays if who == seat] for seat in layout.turns}
    if layout.complete:
        return {seat: tuple(cards) for seat, cards in played.items()}
    missing, dead = layout.turns.keys() - layout.hands.keys(), dead_hand(layout.deal.table)
    aside = layout.deal.aside
    if dead in missing or len(missing) > 1 or len(aside) < layout.deal.laid_aside:
        return None
    if dead is not None and [*layout.deal.hands[dead].cards][: len(played[dead])] != played[dead]:
        return None
    rest = layout.deal.letters.pack.difference(aside, *layout.hands.values())
    return {
        seat: layout.deal.hands[seat].cards if seat in layout.hands else tuple(sorted(rest))
        for seat in layout.turns
    }
