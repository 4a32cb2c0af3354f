"""The cards of a deal beside its sheet: what is kept of them is read again as the same deal."""

from dataclasses import replace

from hypothesis import given

from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart
from scorer.rules.sheet import Reading, Unanswered
from tests.cards.card_deals import MONTE_RECORD, value_of, values
from tests.data.rows import rows
from tests.data.strategies import examples
from tests.samples import RECORD


def sheet_of(deal: ChiamataDeal) -> ChiamataSheet:
    """The sheet as far as the deal tells it; a sheet always says whether there was a partner."""
    claim = deal.call
    return ChiamataSheet(
        claim.caller,
        claim.bid,
        None if isinstance(claim.partner, Unanswered) else claim.partner,
        None,
        card_points=claim.card_points,
        made=claim.made,
        cappotto=claim.cappotto,
    )


def reading_of(deal: ChiamataDeal) -> Reading:
    return Reading(deal.table.seats, deal.table.rules.cards)


@examples(100)
@given(values())
def test_cards_are_kept_without_loss(deal: ChiamataDeal) -> None:
    play, begun = deal.write_play(deal.table.seats), ChiamataDeal(deal.table, deal.dealer)

    again = begun.with_play(play, sheet_of(deal), reading_of(deal))

    assert again is not None
    assert again.write_play(deal.table.seats) == play
    assert (again.auction, again.hands) == (deal.auction, deal.hands)
    assert (again.discards, again.tricks) == (deal.discards, deal.tricks)
    assert again.call == replace(deal.call, partner=sheet_of(deal).partner)


MONTE = value_of({**MONTE_RECORD, "tricks": [["KC"]]})


def test_card_that_was_shown_is_kept_until_a_sheet_says_who_the_partner_was() -> None:
    shown, claim = MONTE.show(), MONTE.call
    play, begun = shown.write_play(MONTE.table.seats), ChiamataDeal.begun(MONTE.table, MONTE.dealer)
    start = ChiamataStart(claim.caller, claim.bid, claim.called_card)

    assert play["shown"] is True
    assert begun.with_play(play, start, reading_of(MONTE)) == shown
    told = begun.with_play(play, sheet_of(MONTE), reading_of(MONTE))
    assert told is not None
    assert told.evidence.side.alone is True
    assert "shown" not in told.write_play(MONTE.table.seats)
    assert (
        begun.with_play(
            {"shown": True, "tricks": []}, replace(start, called_card=None), reading_of(MONTE)
        )
        == begun
    )


@rows(__file__, "before the call")
def test_without_a_called_card_only_what_came_before_it_can_be_read(
    play: dict[str, object], fields: list[str]
) -> None:
    deal = value_of(RECORD)
    reading, begun = reading_of(deal), ChiamataDeal(deal.table, deal.dealer)

    read = begun.with_play(play, sheet_of(deal), reading)

    assert [problem.field for problem in reading.problems] == fields
    assert (read is None) is bool(fields)
    assert read is None or read.claim is None
