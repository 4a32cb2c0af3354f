"""The sentences of a proof: what each part of a deal shows."""

from collections.abc import Sequence

from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.cards.chiamata.evidence import CallerSide, taken_with_discards
from scorer.cards.chiamata.examination import side_words
from scorer.cards.record_faults import taken_with
from scorer.rules.seats import Seat
from scorer.rules.tables import PACK
from scorer.texts import Text, needed, say


def partner(deal: ChiamataDeal) -> Text:
    """Say how it is known who the partner was, in a deal that shows nothing else.

    The called card was in a trick, laid aside, in a hand, or with whoever is left.
    """
    record, side = deal.record, deal.evidence.side
    values = {"card": record.cards.say_the_card(record.called), "so": _so(deal, side)}
    name = deal.table.name(side.caller if side.holder is None else side.holder)
    for index, _ in deal.layout.places_of(record.called):
        return say(
            "Trick %(trick)s: %(name)s played %(card)s, the called card, %(so)s.",
            **values,
            trick=index + 1,
            name=name,
        )
    if record.cards.discards is not None and record.called in record.cards.discards.cards:
        return say("The called card, %(card)s, was laid aside, %(so)s.", **values)
    for seat, hand in record.cards.hands.items():
        if record.called in hand.cards:
            return say(
                "%(name)s was dealt %(card)s, the called card, %(so)s.",
                **values,
                name=deal.table.name(seat),
            )
    if side.may_be_dead:
        return say(
            "Nobody else can have had %(card)s, the called card: it was in the dead hand, or the "
            "caller had it, %(so)s.",
            **values,
        )
    return say("Only %(name)s can have had %(card)s, the called card, %(so)s.", **values, name=name)


def _so(deal: ChiamataDeal, side: CallerSide) -> Text:
    caller = deal.table.name(side.caller)
    if side.partner is None and side.claimed:
        return say(
            "but nowhere is it written that %(name)s had shown it before, so %(name)s was alone",
            name=caller,
        )
    if side.partner is None and side.may_be_dead:
        return say("so %(name)s had no partner", name=caller)
    if side.partner is None:
        return say("so %(name)s was alone", name=caller)
    name = deal.table.name(side.partner)
    if side.claimed:
        return say(
            "and the sheet says that %(caller)s had shown it before, so %(name)s is the partner, "
            "as the next player after %(caller)s",
            caller=caller,
            name=name,
        )
    return say("so %(name)s is the partner", name=name)


def reached(deal: ChiamataDeal, last: int | None, whole: ChiamataDeal) -> Text:
    """Say what the caller's side has, or can still reach, after the last trick that was counted.

    ``deal`` is the part of the ``whole`` deal that the proof needs.
    """
    (low, high), target = deal.evidence.bounds, deal.layout.game.target
    values = {"trick": last, "needed": needed(target), "side": side(deal)}
    if last is None and high < target:
        return say(
            "%(target)s card points were needed, but there are only %(pack)s in the pack.",
            target=target,
            pack=PACK,
        )
    if last is None:
        return say("The bid was made before the first trick: %(needed)s.", **values)
    if deal.evidence.status == "drawn":
        return say(
            "After trick %(trick)s %(side)s has exactly %(low)s card points; %(needed)s, "
            "and by these rules that is a draw.",
            **values,
            low=low,
        )
    if low >= target and whole.evidence.bounds == (low, low):
        return say(
            "After trick %(trick)s %(side)s has %(low)s card points; %(needed)s.",
            **values,
            low=low,
        )
    if low >= target:
        return say(
            "After trick %(trick)s %(side)s has at least %(low)s card points; %(needed)s.",
            **values,
            low=low,
        )
    return say(
        "After trick %(trick)s the others already have %(others)s of the %(pack)s card points, so "
        "%(side)s can reach at most %(high)s; %(needed)s.",
        **values,
        high=high,
        others=PACK - high,
        pack=PACK,
    )


def side(deal: ChiamataDeal) -> Text | str:
    """Name the caller where he is known to have no partner, or else say that it is his side."""
    return side_words(deal.evidence)


def said(deal: ChiamataDeal) -> Text:
    """Say whom the sheet names as the partner."""
    claim = deal.record.claim
    if isinstance(claim.partner, int):
        partner = deal.table.name(claim.partner)
        return say("The sheet says that %(name)s was the partner.", name=partner)
    caller = deal.table.name(claim.caller)
    if deal.table.rules.dead_hand:
        return say("The sheet says that %(name)s had no partner.", name=caller)
    return say("The sheet says that %(name)s was alone.", name=caller)


def laid_aside(deal: ChiamataDeal) -> Text | None:
    """Say who took the card points of the discards; None where nobody is known to have."""
    for seat, points in taken_with_discards(deal.layout):
        return say(
            "The cards laid aside go with the last trick: %(points)s card points for %(name)s.",
            points=points,
            name=deal.table.name(seat),
        )
    return None


def seen(deal: ChiamataDeal, index: int) -> Text | None:
    """Say which card of a trick shows that the call was not allowed, and why."""
    record, caller = deal.record, deal.record.claim.caller
    weaker = record.cards.deck.weaker(record.called)
    for seat, card in deal.layout.plays(index):
        values = {
            "trick": index + 1,
            "name": "" if seat is None else deal.table.name(seat),
            "card": record.cards.say_the_card(card),
            "caller": deal.table.name(caller),
            "called": record.cards.say_the_card(record.called),
        }
        if seat == caller and card == record.called:
            return say(
                "Trick %(trick)s: %(name)s played %(card)s, the called card: after a two "
                "only a card that one doesn't hold may be called.",
                **values,
            )
        if seat not in (None, caller) and card in weaker:
            return say(
                "Trick %(trick)s: %(name)s played %(card)s, so %(caller)s didn't hold it, and "
                "it is lower than %(called)s.",
                **values,
            )
    return None


def taken(deal: ChiamataDeal, index: int) -> Text | None:
    """Say with which card a trick was taken; None where that is not known."""
    return taken_with(deal.layout, index)


def allowed(deal: ChiamataDeal, player: Sequence[Seat]) -> Text:
    """Say what the card points of a player can be, and what the sheet says they are.

    Without a player, those of the caller's side.
    """
    record, evidence = deal.record, deal.evidence
    for seat in player:
        low, rest = evidence.taken[seat], PACK - sum(evidence.taken.values())
        values = {"name": deal.table.name(seat), "said": record.player_points[seat]}
        if record.player_points[seat] < low:
            return say(
                "So %(name)s has at least %(low)s card points; the sheet says %(said)s.",
                **values,
                low=low,
            )
        return say(
            "So %(name)s has at most %(high)s card points; the sheet says %(said)s.",
            **values,
            high=low + max(0, rest),
        )
    low, high = evidence.bounds
    values = {"side": side(deal), "low": low, "high": high, "said": record.claim.card_points}
    if low == high:
        return say(
            "So %(side)s has exactly %(low)s card points; the sheet says %(said)s.", **values
        )
    return say(
        "So %(side)s has from %(low)s to %(high)s card points; the sheet says %(said)s.", **values
    )
