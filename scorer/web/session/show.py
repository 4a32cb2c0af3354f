"""A session's own page: standings, the next deal, the chart, the score sheet; the big screen."""

from collections.abc import Hashable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple
from uuid import UUID

from flask import jsonify, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext
from markupsafe import Markup
from wtforms import StringField

from scorer.cards.games import supports_cards
from scorer.roles import Role
from scorer.services.circle.phones import lacks_link_for_good, needs_another_way_in
from scorer.services.deals.deals import DealUnderWay, under_way
from scorer.services.deals.report import DealQuestion, session_changes
from scorer.services.deals.sheet import (
    BuyInOffer,
    ScoreSheet,
    buy_in_offers,
    next_deal,
    penalty_text,
    ways_not_played,
)
from scorer.services.live.events import latest
from scorer.services.live.marks import MarkedSheet, marked_sheet, session_mark
from scorer.services.session import sessions
from scorer.services.session.seating import sitting_out
from scorer.services.session.state import SessionState
from scorer.web.album.last_page import ending_view
from scorer.web.base.access import RECOVERY, WHO, current_holder, is_dismissed, may, page_mark
from scorer.web.base.addresses import may_change
from scorer.web.base.fields import AmountField
from scorer.web.base.filters import called
from scorer.web.base.forms import MOST_DEALS, PageForm
from scorer.web.base.page_cache import cached_page, personal_page
from scorer.web.base.pages import (
    SESSION,
    Undo,
    odd_texts,
    offered_start,
    offered_undo,
    pages,
    place,
    session_url,
)
from scorer.web.deals.entry_forms import deal_form
from scorer.web.deals.forms import VersionForm
from scorer.web.live.pages import presence_part
from scorer.web.session.choosing import warn_of_openings
from scorer.web.session.seating import SitOutForm


class TermsForm(PageForm):
    """The title of a session and the stake, each sent by its own button."""

    title = StringField(lazy_gettext("Title"), default="")
    stake = AmountField(
        lazy_gettext("What a point is worth; leave it empty if you don’t play for money")
    )


#: So many deals of an evening are much to lose.
MANY_DEALS = 10


@pages.get(f"{SESSION}/", least=Role.SPECTATOR, kept=True)
def show(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    number = request.args.get("before", 0, type=int)
    before = number if 0 < number <= MOST_DEALS else None
    cached = marked_sheet(circle_id, session_id, before, page_mark())
    personal, presence = _personal_parts(cached), presence_part(cached)
    render = partial(_session_page, cached, before, personal)
    if personal.undo or personal.cancelled:
        return personal_page(render, presence)
    return cached_page((circle_id, cached.mark, before, personal.key), render, presence)


class PersonalParts(NamedTuple):
    """The parts of a session's page that differ by phone within a role."""

    question: DealQuestion | None
    founders_names: dict[UUID, str]
    offers_recovery: str | None
    undo: Undo | None
    cancelled: DealUnderWay | None

    @property
    def key(self) -> Hashable:
        """Return the cache key of these parts, on pages that offer no undo."""
        asks = self.question and self.question.confirms
        return asks, tuple(self.founders_names.items()), self.offers_recovery


def _personal_parts(cached: MarkedSheet) -> PersonalParts:
    return PersonalParts(
        question=cached.question(current_holder()) if may("deals.dispute") else None,
        founders_names=_founders_names(cached.sheet),
        offers_recovery=_offers_recovery(cached.sheet),
        undo=offered_undo(cached.sheet) if may("deals.undo") else None,
        cancelled=offered_start(cached.sheet.state) if may("deals.resume_start") else None,
    )


def _founders_names(sheet: ScoreSheet) -> dict[UUID, str]:
    """Return the players to choose from if the founder still has to say who she is, else none.

    Everybody else joined by a link, where the page asks.
    """
    here = current_holder()
    unknown_founder = here.is_first and here.role is Role.OWNER and here.player_id is None
    if not unknown_founder or not sheet.deal_count or is_dismissed(WHO, here.circle_id):
        return {}
    return {seat.player_id: seat.name for seat in sheet.state.seats}


def _offers_recovery(sheet: ScoreSheet) -> str | None:
    """Return the reason to offer an owner a recovery link: a lost phone, or address.

    The first is offered after an evening, the second also during one with many deals.
    """
    here = current_holder()
    over = sheet.state.row.ended_at is not None
    if not (over or sheet.deal_count >= MANY_DEALS) or is_dismissed(RECOVERY, here.circle_id):
        return None
    if may_change() and lacks_link_for_good(here):
        return "address"
    return "phone" if over and needs_another_way_in(here) else None


def _session_page(
    cached: MarkedSheet,
    before: int | None,
    personal: PersonalParts,
    fresh: Mapping[str, Any],
    sent: TermsForm | None = None,
) -> str:
    """Show a session: standings, the next deal, the chart, the sheet.

    ``fresh`` are the values of forms that are new in every answer; a form that was ``sent`` is
    shown again with its problems, on a page without cached parts.
    """
    fresh = {**fresh, "seen_by": None} if sent else fresh
    sheet, state, question = cached.sheet, cached.sheet.state, personal.question
    table = state.game.describe(state.rules)
    standings, seats, ending = sheet.standing_rows, state.table().active, ending_view(sheet)
    resting = None if state.row.ended_at else sitting_out(state)
    return render_template(
        "session/session.html",
        **place(state),
        role=current_holder().role,
        sheet=sheet,
        standings=standings,
        columns=sorted(standings, key=lambda row: row.seat),
        seating_key=(cached.mark.journal, state.changes),
        names=state.names,
        table=table,
        rule_set=state.evening.terms.rule_set,
        odd=odd_texts(table),
        end_text=state.game.end_text(state.rules),
        upcoming=next_deal(state),
        resting=resting,
        sit_out=resting and SitOutForm(number=state.row.next_number, seen=state.row.written),
        under_way=under_way(state, state.started) if state.started else None,
        card_by_card=supports_cards(state.game, len(seats)),
        outcomes=partial(ways_not_played, state),
        has_caller="caller" in state.game.role_names(state.rules),
        has_auction=state.game.has_auction,
        penalty=partial(penalty_text, state),
        buy_ins=_buy_in_forms(state) if may("deals.amend") else [],
        fee=state.game.buy_in_fee(state.rules),
        **personal._asdict(),
        dispute=VersionForm(version=question.deal.version, seen=question.seen)
        if question
        else None,
        ending=ending,
        following=sessions.next_match(state) if ending else None,
        seats=seats,
        changes=session_changes(state),
        show="balances" if request.args.get("show") == "balances" else "payouts",
        before=before,
        witness=cached.letters,
        terms=partial(_terms_part, state, sent, fresh),
        problems=sent and sent.problems,
        **fresh,
    )


def _buy_in_forms(state: SessionState) -> list[tuple[BuyInOffer, dict[str, object]]]:
    """Return who may come back in, or stay out, with the values that amend the deal to that."""
    return [
        (
            offer,
            {
                **deal_form(state.game).values(offer.sheet),
                "key": offer.deal.deal_id,
                "number": offer.deal.number,
                "version": offer.deal.version,
                "seen": offer.seen,
                "back": "session",
            },
        )
        for offer in buy_in_offers(state)
    ]


def _terms_part(state: SessionState, sent: TermsForm | None, fresh: Mapping[str, Any]) -> Markup:
    """Show title, stake and rules, and the form that changes them."""
    row = state.row
    page = render_template(
        "session/_terms.html",
        here={"circle_id": state.circle_id, "session_id": state.session_id},
        called=called(row),
        begun=row.next_number > 1,
        goes_on=next_deal(state) is not None,
        stake=row.stake_cents,
        form=sent or TermsForm(title=row.title, stake=row.stake_cents),
        **fresh,
    )
    return Markup(page)  # noqa: S704  # a template made it


@pages.get(f"{SESSION}/tv", least=Role.SPECTATOR, kept=True)
def tv(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show the standings for a television, a projector or a tablet on the table."""
    cached = marked_sheet(circle_id, session_id)
    presence = presence_part(cached, "live/_writing.html")
    return cached_page((circle_id, cached.mark, "tv"), partial(_tv_page, cached.sheet), presence)


def _tv_page(sheet: ScoreSheet, fresh: Mapping[str, Any]) -> str:
    state, last = sheet.state, sheet.rows[0] if sheet.rows else None
    return render_template(
        "live/tv.html",
        **place(state),
        theme="dark",
        sheet=sheet,
        upcoming=next_deal(state),
        under_way=under_way(state, state.started) if state.started else None,
        last=last,
        paid={cell.seat: cell for cell in last.cells if not last.voided} if last else {},
        ending=ending_view(sheet),
        **fresh,
    )


@pages.get(f"{SESSION}/version", least=Role.SPECTATOR)
def version(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Return the session's version, for the page to poll.

    A page that names an older version also gets the last write, and the phone's role, which may
    have changed.
    """
    known, mark = request.args.get("after", type=int), page_mark()
    mark = mark or session_mark(circle_id, session_id)
    answer: dict[str, object] = {"version": mark.version}
    if known not in (None, mark.version):
        answer = latest(circle_id, mark).data()
    return jsonify(**answer, role=current_holder().role)


@pages.post(f"{SESSION}/rename", least=Role.SCOREKEEPER)
def rename(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    cached = marked_sheet(circle_id, session_id)
    form = TermsForm(request.form, stake=cached.sheet.state.row.stake_cents)
    title, by = form.title.data or "", current_holder()
    if not form.attempt(sessions.rename_session, circle_id, session_id, title, by=by):
        return _refused(cached, form)
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{SESSION}/stake", least=Role.SCOREKEEPER)
def set_stake(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    cached = marked_sheet(circle_id, session_id)
    state = cached.sheet.state
    form = TermsForm(request.form, title=state.row.title)
    cents, by = form.stake.data, current_holder()
    change = partial(sessions.set_stake, circle_id, session_id, cents, by=by)
    if not (form.validate() and form.attempt(change)):
        return _refused(cached, form)
    warn_of_openings(state.opening.values(), cents, lowest_leads=state.lowest_leads)
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


def _refused(cached: MarkedSheet, form: TermsForm) -> ResponseReturnValue:
    render = partial(_session_page, cached, None, _personal_parts(cached), sent=form)
    return personal_page(render, presence_part(cached)), HTTPStatus.UNPROCESSABLE_ENTITY
