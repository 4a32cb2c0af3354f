"""What is done to a deal: void, restore, review, undo, accept what is proposed."""

from collections.abc import Callable
from functools import partial, update_wrapper
from uuid import UUID

from flask import flash
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorer.services.base.roles import Holder, Role
from scorer.services.book.writing import DealChange
from scorer.services.deals import deals, reviews
from scorer.services.deals.deals import Recorded
from scorer.services.deals.report import deal_report
from scorer.web.base.access import current_holder
from scorer.web.base.addresses import deal_url, session_url
from scorer.web.base.pages import forget_undo
from scorer.web.deals.conflict import overtaken_page
from scorer.web.deals.forms import VersionForm
from scorer.web.deals.pages import DEAL, carry_out, pages
from scorer.web.deals.report import report_page

Do = Callable[[UUID, DealChange, Holder], Recorded | bool]

#: What a form of a deal's page does, who may do it, and the form of that page which shows its
#: problems.
ACTS: dict[str, tuple[Do, Role, str]] = {
    "void": (deals.void_deal, Role.SCOREKEEPER, "void"),
    "restore": (deals.restore_deal, Role.SCOREKEEPER, "void"),
    "dispute": (reviews.dispute_deal, Role.PLAYER, "dispute"),
    "confirm": (reviews.confirm_deal, Role.PLAYER, "dispute"),
    "uphold": (reviews.uphold_deal, Role.SCOREKEEPER, "uphold"),
    "withdraw": (reviews.withdraw_dispute, Role.PLAYER, "dispute"),
}


def act(name: str, circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Do to a deal what a form says, and go back to the page that sent it."""
    form, (do, _, shown) = VersionForm.sent(), ACTS[name]
    change = DealChange(
        number=number,
        version=form.version.data or 0,
        reason=form.full_reason,
        seen=None if shown == "void" else form.seen.data,
        proposed_form=form.right.data,
    )
    if shown == "void":
        forget_undo()
    in_session = form.back.data == "session"
    return carry_out(
        lambda: do(session_id, change, current_holder()),
        form,
        following=session_url(circle_id, session_id)
        if in_session
        else deal_url(circle_id, session_id, number),
        refused=lambda: report_page(deal_report(circle_id, session_id, number), **{shown: form}),
        overtaken=lambda: overtaken_page(circle_id, session_id, number, name, form),
    )


for _name, (_, _least, _shown) in ACTS.items():
    # The check of tokens reads the __name__ of a view, which a partial has not.
    _view = update_wrapper(partial(act, _name), act)
    _limit = "dispute" if _name == "dispute" else ()
    pages.post(f"{DEAL}/{_name}", endpoint=_name, least=_least, limit=_limit)(_view)


@pages.post(f"{DEAL}/undo", least=Role.SCOREKEEPER)
def undo(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Void the deal that this phone recorded a moment ago."""
    form = VersionForm.sent()
    form.reason.data = gettext("Taken back right after saving")

    def void() -> None:
        change = DealChange(number, form.version.data or 0, form.full_reason)
        deals.void_deal(session_id, change, current_holder())
        flash(gettext("Deal %(number)s no longer counts.", number=number), "ok")

    forget_undo()
    return carry_out(
        void,
        form,
        following=session_url(circle_id, session_id),
        overtaken=lambda: overtaken_page(circle_id, session_id, number, "void", form),
    )


@pages.post(f"{DEAL}/accept", least=Role.SCOREKEEPER)
def accept(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Amend a disputed deal to what is proposed."""
    form = VersionForm.sent()
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
