"""What a page asks about a deal: whether it is right, or what to do about a dispute."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorer.services.reviews import DISPUTE, is_other_side
from scorer.texts import say
from scorer.web.access import current_holder, may
from scorer.web.forms.deals import ReviewForm
from scorer.web.views import phone_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorer.rules.game import Fact
    from scorer.services.deal_report import DealReport
    from scorer.services.state import SessionState
    from scorer.storage.queries import DealRow, DisputeRow, ReviewRow
    from scorer.texts import Text
    from scorer.web.forms.deals import VersionForm


class AskView(NamedTuple):
    """The question whether a deal is right, and the quick answers to what is wrong.

    ``confirms`` says whether it waits to be confirmed, and this phone may do that.
    """

    number: int
    writer: Text | str
    confirms: bool
    answers: list[Text]
    form: VersionForm


class DisputeView(NamedTuple):
    """A dispute that nobody has settled: of which deal, by whom, and why."""

    number: int
    by: Text | str
    reason: str | None


def somebody(said: DealRow | DisputeRow | ReviewRow) -> Text | str:
    """Name who wrote or said something, or the phone it was done on."""
    return said.written_by or phone_words(said.phone) or say("Somebody")


def ask_about(
    state: SessionState,
    deal: DealRow,
    facts: Iterable[Fact],
    *,
    seen: int,
    waits: bool,
    form: VersionForm | None = None,
) -> AskView | None:
    """Ask this phone about a deal that others wrote, when its holder may answer.

    ``waits`` says that nobody has confirmed the deal yet; ``form`` is what was sent and refused.
    """
    by = current_holder()
    if not may("deals.dispute") or deal.phone_id == by.phone_id:
        return None
    if deal.voided or deal.disputed:
        return None
    return AskView(
        number=deal.number,
        writer=somebody(deal),
        confirms=waits and is_other_side(state, deal, by),
        answers=[fact.label for fact in facts],
        form=form or ReviewForm(version=deal.version, seen=seen),
    )


def dispute_view(report: DealReport) -> DisputeView | None:
    """Tell the newest dispute of a deal that is disputed."""
    if not report.deal.disputed:
        return None
    newest = [one for one in report.reviews if one.kind == DISPUTE][-1]
    return DisputeView(report.deal.number, somebody(newest), newest.reason)


def dispute_views(disputes: Iterable[DisputeRow]) -> list[DisputeView]:
    """Tell the disputes of a session."""
    return [DisputeView(one.number, somebody(one), one.reason) for one in disputes]
