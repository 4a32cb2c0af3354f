"""What somebody says of a deal on a phone: disputed, confirmed, upheld, and what is proposed."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import flash, redirect
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError, RefusedError
from scorer.services import deals, reviews
from scorer.services.deal_report import deal_report
from scorer.services.deals import DealChange
from scorer.services.reviews import Saying
from scorer.web.access import current_holder
from scorer.web.deals.pages import DEAL, deal_url, flash_changed, pages, session_url
from scorer.web.deals.report import report_page
from scorer.web.filters import in_words
from scorer.web.forms.deals import ReviewForm

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.circles import Holder

    Say = Callable[[UUID, Saying, Holder], bool]


@pages.post(f"{DEAL}/dispute")
def dispute(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Dispute a deal."""
    return _say(circle_id, session_id, number, reviews.dispute_deal)


@pages.post(f"{DEAL}/confirm")
def confirm(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Confirm a deal."""
    return _say(circle_id, session_id, number, reviews.confirm_deal)


@pages.post(f"{DEAL}/uphold")
def uphold(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Uphold a disputed deal as it stands."""
    return _say(circle_id, session_id, number, reviews.uphold_deal)


@pages.post(f"{DEAL}/withdraw")
def withdraw(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Take one's own dispute back."""
    return _say(circle_id, session_id, number, reviews.withdraw_dispute)


@pages.post(f"{DEAL}/accept")
def accept(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Amend a disputed deal to what is proposed."""
    form = ReviewForm.sent()
    change = DealChange(number, form.version.data or 0, seen=form.seen.data or 0)
    try:
        deals.accept_proposal(session_id, change, current_holder())
        flash(gettext("Deal %(number)s is amended as proposed.", number=number), "ok")
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    except ConflictError:
        flash_changed(number)
    return redirect(deal_url(circle_id, session_id, number), HTTPStatus.SEE_OTHER)


def _say(circle_id: UUID, session_id: UUID, number: int, say: Say) -> ResponseReturnValue:
    """Write the review and go back to the page that sent it."""
    form = ReviewForm.sent()
    saying = Saying(
        number=number,
        version=form.version.data or 0,
        seen=form.seen.data or 0,
        reason=form.said,
        right=form.right.data,
    )
    try:
        say(session_id, saying, current_holder())
    except InvalidError as error:
        form.refuse(error.problems)
        report = deal_report(circle_id, session_id, number)
        upheld = say is reviews.uphold_deal
        page = report_page(report, uphold=form) if upheld else report_page(report, dispute=form)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        flash_changed(number)
    except RefusedError as error:
        flash(in_words(error.message), "problem")
    if form.back.data == "session":
        return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
    return redirect(deal_url(circle_id, session_id, number), HTTPStatus.SEE_OTHER)
