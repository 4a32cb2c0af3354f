"""What a sheet would pay, said before it is saved: from the same rules, by the same code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorer.errors import InvalidError
from scorer.rules.game import with_times
from scorer.texts import Text, signed
from scorer.web.filters import in_words
from scorer.web.views import SeatAmount, amounts

if TYPE_CHECKING:
    from scorer.rules.game import Table
    from scorer.services.state import SessionState


@dataclass(frozen=True, slots=True)
class Preview:
    """A headline, the band and multipliers in a few words, and everybody's payout."""

    made: bool | None
    headline: Text
    notes: list[Text]
    payouts: list[SeatAmount]

    def as_json(self) -> dict[str, Any]:
        """Write it for the script of the page."""
        return {
            "ok": True,
            "made": self.made,
            "headline": in_words(self.headline),
            "notes": [in_words(note) for note in self.notes],
            "payouts": [
                {"seat": paid.seat, "text": signed(paid.amount)}
                for paid in self.payouts
                if paid.amount is not None
            ],
        }


def preview_of(state: SessionState, table: Table[Any], answers: Any) -> Preview:
    """Pay a sheet without writing anything; raise InvalidError with its problems."""
    game = state.game
    sheet, problems = game.read_sheet(with_times(answers, state.turn.times), table)
    if problems:
        raise InvalidError(problems)
    score = game.score(sheet, table)
    notes = [step.brief for step in score.steps if step.brief]
    paid = amounts(state.names, game.around(table), score.payouts)
    return Preview(score.made, game.headline(sheet, table), notes, paid)
