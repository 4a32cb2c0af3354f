"""What the cards of a deal say of its sheet: where they differ, and the sheet as it should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorer.cards.chiamata.evidence import counts_tricks
from scorer.cards.chiamata.notation_reader import parse
from scorer.errors import InvalidError, Problem
from scorer.rules.cards import card_name
from scorer.rules.findings import Finding
from scorer.rules.sheet import write
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorer.cards.chiamata.deal import CardDeal
    from scorer.cards.chiamata.record_reader import Sheet


def leaves_call_open(sheet: Sheet) -> bool:
    """Whether a sheet leaves open which card was called."""
    return sheet.called_card is None


def differences(deal: CardDeal, sheet: Sheet) -> list[Finding]:
    """Every difference between what was written on the sheet and what the cards prove."""
    found, evidence = list[Finding](), deal.evidence
    said, called = sheet.called_card, deal.record.claim.called_card
    if said is not None and said != called:
        card = card_name(said, deal.table.rules.cards)
        message = say("The sheet says that the %(card)s was called.", card=card)
        found.append(Finding("other-call", {"claim": "called_card"}, message))
    found += [one for one in deal.examined.problems if "claim" in one.where]
    tricks = getattr(sheet, "tricks_won", None)
    if tricks is not None and evidence.settled and tricks != evidence.tricks_won:
        message = say("The caller's side took %(count)s tricks.", count=evidence.tricks_won)
        found.append(Finding("tricks-total", {"claim": "tricks_won"}, message))
    return found


def proved_sheet(deal: CardDeal, sheet: Sheet, names: Sequence[str]) -> dict[str, Any] | None:
    """Give the sheet as the cards prove it, with names; None where they leave something open."""
    if deal.claim is None or not deal.evidence.settled:
        return None
    evidence, partner = deal.evidence, deal.evidence.side.partner
    written = write(sheet, names)
    with_tricks = written.get("tricks_won") is not None or counts_tricks(deal.layout.game)
    return {
        **{key: written[key] for key in ("caller", "bid", "blind", "times") if key in written},
        "called_card": str(deal.claim.called_card),
        "partner": None if partner is None else names[partner],
        "card_points": evidence.bounds[0],
        "shown": deal.shown,
        **({"tricks_won": evidence.tricks_won} if with_tricks else {}),
    }


def parse_beside(text: str, deal: CardDeal, sheet: Sheet) -> CardDeal:
    """Read a text of a deal that has a sheet; raise InvalidError for the text of another deal."""
    read = parse(text, deal)
    if read.claim is not None and (read.claim.caller, read.claim.bid) != (sheet.caller, sheet.bid):
        message = say(
            "This text is of another deal: there %(name)s bid %(bid)s.",
            name=read.table.name(read.claim.caller),
            bid=str(read.claim.bid),
        )
        raise InvalidError([Problem("other-deal", "text", message)])
    return read
