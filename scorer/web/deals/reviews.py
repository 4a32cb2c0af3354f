"""What somebody says of a deal on a phone: disputed, confirmed, upheld, and what is proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import flash
from flask_babel import gettext

from scorer.services import deals, reviews
from scorer.services.deal_report import deal_report
from scorer.services.deals import DealChange
from scorer.services.reviews import Saying
from scorer.web.access import current_holder
from scorer.web.deals.conflict import overtaken_page
from scorer.web.deals.pages import DEAL, carry_out, deal_url, pages, session_url
from scorer.web.deals.report import report_page
from scorer.web.forms.deals import ReviewForm

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.deals import Recorded
    from scorer.services.roles import Holder

    Say = Callable[[UUID, Saying, Holder], bool]


@pages.post(f"{DEAL}/dispute")
def dispute(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Dispute a deal."""
    return _say(circle_id, session_id, number, "dispute", reviews.dispute_deal)


@pages.post(f"{DEAL}/confirm")
def confirm(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Confirm a deal."""
    return _say(circle_id, session_id, number, "confirm", reviews.confirm_deal)


@pages.post(f"{DEAL}/uphold")
def uphold(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Uphold a disputed deal as it stands."""
    return _say(circle_id, session_id, number, "uphold", reviews.uphold_deal)


@pages.post(f"{DEAL}/withdraw")
def withdraw(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Take one's own dispute back."""
    return _say(circle_id, session_id, number, "withdraw", reviews.withdraw_dispute)


@pages.post(f"{DEAL}/accept")
def accept(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Amend a disputed deal to what is proposed."""
    form = ReviewForm.sent()
    change = DealChange(number, form.version.data or 0, seen=form.seen.data or 0)

    def accepted() -> Recorded:
        recorded = deals.accept_proposal(session_id, change, current_holder())
        flash(gettext("Deal %(number)s is amended as proposed.", number=number), "ok")
        return recorded

    return carry_out(
        accepted,
        form,
        following=deal_url(circle_id, session_id, number),
        overtaken=lambda: overtaken_page(circle_id, session_id, number, "accept", form),
    )


def _say(circle_id: UUID, session_id: UUID, number: int, act: str, say: Say) -> ResponseReturnValue:
    """Write the review and go back to the page that sent it."""
    form = ReviewForm.sent()
    saying = Saying(
        number=number,
        version=form.version.data or 0,
        seen=form.seen.data or 0,
        reason=form.said,
        right=form.right.data,
    )
    upheld = act == "uphold"

    def refused() -> str:
        report = deal_report(circle_id, session_id, number)
        return report_page(report, uphold=form) if upheld else report_page(report, dispute=form)

    in_session = form.back.data == "session"
    return carry_out(
        lambda: say(session_id, saying, current_holder()),
        form,
        following=session_url(circle_id, session_id)
        if in_session
        else deal_url(circle_id, session_id, number),
        refused=refused,
        overtaken=lambda: overtaken_page(circle_id, session_id, number, act, form),
    )
