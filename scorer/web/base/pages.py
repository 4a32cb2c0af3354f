"""What the pages of a session share: blueprint, addresses, values, the offer to undo."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import UUID

from flask import after_this_request, flash, g, request, url_for
from flask import session as cookie
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError, RefusedError
from scorer.evening.deal import Deal
from scorer.routes import Routes
from scorer.rules.options import Description
from scorer.rules.seats import Seat, Sides, gathered, named
from scorer.services.base.clock import now
from scorer.services.deals.deals import DealUnderWay, Done, cancelled_start, under_way
from scorer.services.deals.score_sheet import ScoreSheet
from scorer.services.session.state import SessionState, not_installed, shown_timer
from scorer.texts import Text
from scorer.web.base.access import may, set_cookie
from scorer.web.base.filters import in_words

CIRCLE = "/circles/<uuid:circle_id>"
SESSION = f"{CIRCLE}/sessions/<uuid:session_id>"
UNDO_SECONDS = 20

pages = Routes("sessions", __name__)


def session_url(circle_id: UUID, session_id: UUID) -> str:
    return url_for("sessions.show", circle_id=circle_id, session_id=session_id)


def last_page_url(circle_id: UUID, session_id: UUID) -> str:
    return url_for("sessions.last_page", circle_id=circle_id, session_id=session_id)


def deal_url(circle_id: UUID, session_id: UUID, number: int) -> str:
    return url_for("deals.show", circle_id=circle_id, session_id=session_id, number=number)


def rule_set_url(circle_id: UUID, rule_set_id: UUID) -> str:
    return url_for("rule_sets.show", circle_id=circle_id, rule_set_id=rule_set_id)


def place(state: SessionState) -> dict[str, Any]:
    """Return what every page of a session shows: its row, its game and its timer.

    ``here`` are the keys of its addresses. The marks of its seats go to ``g``, for ``ui.mark``, and
    whether it can only be read, for ``may``. Raise RefusedError if the page is for more than that.
    """
    g.marks, g.read_only = state.marks, state.game.missing
    if g.read_only and not may(str(request.endpoint)):
        raise not_installed(state)
    return {
        "here": {"circle_id": state.circle_id, "session_id": state.session_id},
        "card_session": state.row,
        "session_game": state.game,
        "burden": state.lowest_leads,
        "counted": state.counted,
        "timer": shown_timer(state),
    }


def wants_json() -> bool:
    """Whether a script sent the request and shows problems itself."""
    return request.accept_mimetypes.best == "application/json"


def keep_undo(session_id: UUID, recorded: Done) -> None:
    """Have the browser remember for a moment that it recorded the deal just now.

    The cookie is not signed: only the offer to void the deal depends on it.
    """
    _set_undo(_undo_mark(session_id, recorded.number, recorded.version), UNDO_SECONDS)


def _undo_mark(session_id: UUID, number: int, version: int) -> str:
    return f"{session_id.hex}-{number}-{version}"


def _set_undo(mark: str, seconds: int) -> None:
    after_this_request(lambda response: set_cookie(response, "undo", mark, seconds))


def offered_undo(sheet: ScoreSheet) -> Deal | None:
    """Offer to void the last deal, if this phone recorded it just now and nobody changed it."""
    state, mark = sheet.state, request.cookies.get("undo")
    deal: Deal | None = next(reversed(state.deals), None) if mark else None
    if not deal or deal.voided or mark != _undo_mark(state.session_id, deal.number, deal.version):
        return None
    return deal


def keep_cancelled(session_id: UUID, key: UUID) -> None:
    """Remember in the cookie that this phone cancelled the start of a deal just now."""
    cookie["cancelled"] = [session_id.hex, key.hex, int(now().timestamp())]


def offered_start(state: SessionState) -> DealUnderWay | None:
    """Offer to resume the deal whose start this phone cancelled just now."""
    session, key, moment = cookie.get("cancelled", ("", "", 0))
    if session != state.session_id.hex or now().timestamp() - moment > UNDO_SECONDS:
        return None
    cancelled = cancelled_start(state, UUID(key))
    return under_way(state, cancelled) if cancelled else None


def forget_undo() -> None:
    _set_undo("", 0)


@contextmanager
def flashing() -> Iterator[None]:
    """Do an act whose form stands on another page: there it is said if it could not be done."""
    try:
        yield
    except RefusedError as error:
        flash(in_words(error.message), "problem")
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    except ConflictError:
        flash(gettext("Something was written meanwhile. Look before you go on."), "problem")


class SeatView(NamedTuple):
    """A seat, or the first seat of a side, which decides the colour and the mark.

    The ``amount`` of a list of amounts is None for who sat out.
    """

    seat: int
    name: Text | str
    amount: int | None = None


def seat_views(names: Sequence[str], seats: Iterable[int]) -> list[SeatView]:
    return [SeatView(seat, names[seat]) for seat in seats]


def side_views(names: Sequence[str], sides: Sides) -> list[SeatView]:
    return [SeatView(min(side), named(side, names)) for side in sides]


def amounts(names: Sequence[str], sides: Sides, paid: Mapping[Seat, int]) -> list[SeatView]:
    return [
        SeatView(min(side), named(side, names), amount) for side, amount in gathered(sides, paid)
    ]


def odd_texts(table: Description) -> list[Text]:
    """Describe what is unusual about a table: not zero-sum, or not symmetric."""
    return [check.text for check in table.checks if not check.holds]
