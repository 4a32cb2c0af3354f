"""A session's own page: standings, the next deal, the chart, the score sheet; the big screen."""

from functools import partial
from http import HTTPStatus
from typing import Self
from uuid import UUID, uuid4

from flask import jsonify, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict

from scorer.cards.games import supports_cards
from scorer.evening.session_acts import StartTimer
from scorer.roles import Role
from scorer.rules.game import Outcome
from scorer.rules.questions import body_of
from scorer.services.circle.phones import lacks_link_for_good, needs_another_way_in
from scorer.services.deals.deals import under_way
from scorer.services.deals.report import DealQuestion, DealReport, session_changes, signing
from scorer.services.deals.score_sheet import (
    BuyInOffer,
    ScoreSheet,
    buy_in_offers,
    next_deal,
    penalty_text,
    score_sheet,
    ways_not_played,
)
from scorer.services.live.events import latest, session_mark
from scorer.services.session import sessions
from scorer.services.session.seating import sitting_out
from scorer.services.session.state import SessionState, load_state, offered_minutes
from scorer.services.session.writing import do
from scorer.services.tournament.page import SeatNow, seats_now
from scorer.web.album.last_page import ending_view
from scorer.web.base.access import RECOVERY, WHO, current_holder, is_dismissed, may
from scorer.web.base.addresses import may_change
from scorer.web.base.fields import WholeField
from scorer.web.base.forms import MOST_DEALS, BodyForm
from scorer.web.base.pages import (
    SESSION,
    odd_texts,
    offered_start,
    offered_undo,
    pages,
    place,
    session_url,
)
from scorer.web.deals.entry_forms import deal_form
from scorer.web.deals.forms import OutcomeForm, VersionForm
from scorer.web.deals.outcomes import agreed_values, agreeing
from scorer.web.live import passed_to, who_is_here
from scorer.web.session.choosing import warn_of_openings
from scorer.web.session.seating import SitOutForm


class TermsForm(BodyForm):
    """The title of a session, the stake, the minutes of a turn, each sent by its own button."""

    body_type = body_of("Terms", sessions.rename_session, sessions.set_stake)
    minutes = WholeField(lazy_gettext("Minutes"))

    @classmethod
    def of(cls, state: SessionState, sent: MultiDict[str, str] | None = None) -> Self:
        """Fill in how the session is, but for what was sent."""
        title, stake, minutes = state.row.title, state.row.stake_cents, offered_minutes(state)
        return cls(sent, title=title, stake=stake, minutes=minutes)


#: So many deals of an evening are much to lose.
MANY_DEALS = 10


@pages.get(f"{SESSION}/", least=Role.SPECTATOR, kept=True)
def show(circle_id: UUID, session_id: UUID) -> str:
    number = request.args.get("before", 0, type=int)
    before = number if 0 < number <= MOST_DEALS else None
    return _session_page(load_state(circle_id, session_id), before)


def _question(sheet: ScoreSheet) -> DealQuestion | None:
    """Return the question whether the newest deal is right, as it is put to this phone."""
    newest = sheet.newest
    if newest is None or newest.number not in sheet.state.evening.waiting:
        return None
    return DealReport(sheet.state, newest).question(current_holder())


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
    state: SessionState, before: int | None = None, sent: TermsForm | None = None
) -> str:
    """Show a session: standings, the next deal, the chart, the sheet.

    A form that was ``sent`` is shown again with its problems.
    """
    shown = place(state)
    row, sheet, upcoming = state.row, score_sheet(state, before), next_deal(state)
    table = state.game.describe(state.rules)
    standings, seats, ending = sheet.standing_rows, state.table().active, ending_view(sheet)
    question = _question(sheet) if may("deals.dispute") else None
    resting, new_key = None if row.ended_at else sitting_out(state), str(uuid4())
    company = who_is_here(state)
    return render_template(
        "session/session.html",
        **shown,
        role=current_holder().role,
        sheet=sheet,
        standings=standings,
        columns=sorted(standings, key=lambda row: row.seat),
        names=state.names,
        table=table,
        rule_set=state.evening.terms.rule_set,
        odd=odd_texts(table),
        end_text=state.game.end_text(state.rules),
        upcoming=upcoming,
        resting=resting,
        sit_out=resting and SitOutForm(number=row.next_number, seen=row.written),
        under_way=under_way(state, state.started) if state.started else None,
        card_by_card=supports_cards(state.game, len(seats), state.rules),
        outcomes=ways_not_played(state) if upcoming else [],
        has_caller="caller" in state.game.role_names(state.rules),
        has_auction=state.game.has_auction,
        penalty=penalty_text(state) if upcoming else "",
        buy_ins=_buy_in_forms(state) if may("deals.amend") else [],
        fee=state.game.buy_in_fee(state.rules),
        question=question,
        dispute=question
        and VersionForm(version=question.deal.version, seen=len(question.deal.reviews)),
        founders_names=_founders_names(sheet),
        offers_recovery=_offers_recovery(sheet),
        undo=offered_undo(sheet) if may("deals.undo") else None,
        cancelled=offered_start(state) if may("deals.resume_start") else None,
        ending=ending,
        following=sessions.next_match(state) if ending else None,
        seats=seats,
        agreed=OutcomeForm(key=new_key, number=row.next_number),
        agreeing=agreeing(state, state.table()),
        changes=session_changes(state),
        show="balances" if request.args.get("show") == "balances" else "payouts",
        before=before,
        witness=state.letters,
        form=sent or TermsForm.of(state),
        offered_minutes=offered_minutes(state),
        company=company,
        passed=passed_to(state.session_id, company),
        new_key=new_key,
        tournament=state.place,
        seats_next=_seats_next(state) if state.place else [],
        signing=signing(state, current_holder()) if state.place and may("sessions.sign") else None,
    )


def _seats_next(state: SessionState) -> list[SeatNow]:
    """List where whoever holds this phone sits now, unless it is here."""
    seats = seats_now(state.circle_id, current_holder().player_id)
    return [seat for seat in seats if seat.session_id != state.session_id]


def _buy_in_forms(state: SessionState) -> list[tuple[BuyInOffer, dict[str, object]]]:
    """Return who may come back in, or stay out, with the values that amend the deal to that."""
    return [
        (
            offer,
            {
                **(
                    agreed_values(offer.sheet)
                    if offer.deal.outcome is Outcome.AGREED
                    else deal_form(state.game).values(offer.sheet)
                ),
                "key": offer.deal.deal_id,
                "number": offer.deal.number,
                "version": offer.deal.version,
                "seen": len(offer.deal.reviews),
                "back": "session",
            },
        )
        for offer in buy_in_offers(state)
    ]


@pages.get(f"{SESSION}/tv", least=Role.SPECTATOR, kept=True)
def tv(circle_id: UUID, session_id: UUID) -> str:
    """Show the standings for a television, a projector or a tablet on the table."""
    state = load_state(circle_id, session_id)
    sheet = score_sheet(state)
    last = sheet.rows[0] if sheet.rows else None
    return render_template(
        "live/tv.html",
        **place(state),
        theme="dark",
        sheet=sheet,
        upcoming=next_deal(state),
        under_way=under_way(state, state.started) if state.started else None,
        last=last,
        paid={cell.seat: cell for cell in last.cells if not last.deal.voided} if last else {},
        ending=ending_view(sheet),
        company=who_is_here(state),
    )


@pages.get(f"{SESSION}/version", least=Role.SPECTATOR)
def version(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Return the session's version, for the page to poll.

    A page that names an older version also gets the last write, and the phone's role, which may
    have changed.
    """
    known, mark = request.args.get("after", type=int), session_mark(circle_id, session_id)
    answer: dict[str, object] = {"version": mark.version}
    if known not in (None, mark.version):
        answer = latest(circle_id, mark).data()
    return jsonify(**answer, role=current_holder().role)


@pages.post(f"{SESSION}/rename", least=Role.SCOREKEEPER)
def rename(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    state = load_state(circle_id, session_id)
    form = TermsForm.of(state, request.form)
    title, by = form.answers["title"], current_holder()
    if not form.attempt(sessions.rename_session, circle_id, session_id, title, by=by):
        return _session_page(state, sent=form), HTTPStatus.UNPROCESSABLE_ENTITY
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{SESSION}/stake", least=Role.SCOREKEEPER)
def set_stake(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    state = load_state(circle_id, session_id)
    form = TermsForm.of(state, request.form)
    cents, by = form.answers["stake"], current_holder()
    change = partial(sessions.set_stake, circle_id, session_id, cents, by=by)
    if not (form.validate() and form.attempt(change)):
        return _session_page(state, sent=form), HTTPStatus.UNPROCESSABLE_ENTITY
    warn_of_openings(state.opening.values(), cents, lowest_leads=state.lowest_leads)
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{SESSION}/{StartTimer.name}", least=StartTimer.least)
def start_timer(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    state = load_state(circle_id, session_id)
    form = TermsForm.of(state, request.form)
    act, by = StartTimer(minutes=form.minutes.data or 0), current_holder()
    if not (form.validate() and form.attempt(do, circle_id, session_id, act, by=by)):
        return _session_page(state, sent=form), HTTPStatus.UNPROCESSABLE_ENTITY
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
