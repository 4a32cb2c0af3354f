"""A *play*: the cards of a deal as they are kept beside its sheet (contract.md, session files).

It is the called card, the tricks, and whatever else was written down of the cards. Who called and
what the deal came to is the sheet's affair; both together are a record to examine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorer.rules.sheet import write
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart
    from scorer.rules.sheet import Reading

    Play = Mapping[str, Any]
    Sheet = ChiamataSheet | ChiamataStart

OF_PLAY = ("auction", "hands", "discards", "tricks")
OF_SHEET = ("caller", "bid", "called_card", "partner", "card_points", "made", "cappotto")


def with_sheet(play: Play, sheet: Sheet, reading: Reading) -> dict[str, Any]:
    """Put a play and its sheet together as the body of a record, for people of the same names.

    Without a called card there is no claim; then no trick can be read, which goes to the reading.
    """
    body = {"tricks": [], **{key: play[key] for key in OF_PLAY if key in play}}
    claim = _claim(sheet, reading.names, play.get("called_card"))
    if claim["called_card"] is not None:
        return {**body, "claim": claim}
    if body["tricks"] or body.get("discards"):
        reading.fault("missing-key", "called_card", say("Which card was called?"))
    return body


def _claim(sheet: Sheet, names: Sequence[str], called: object) -> dict[str, Any]:
    """What a sheet says that the cards can be compared with; a partner is said, or that none is."""
    answers = write(sheet, names)
    said = {key: answers[key] for key in OF_SHEET if answers.get(key) is not None}
    partner = {"partner": answers["partner"]} if "partner" in answers else {}
    card = answers["called_card"] if called is None else called
    return {**said, **partner, "called_card": card}
