"""Pages of the history: the evenings of a circle, and its deals by what somebody looks for."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from flask import Blueprint, redirect, render_template, request

from scorer.services import history
from scorer.services.history import Cursor, FoundDeals
from scorer.web.circles import card
from scorer.web.searching import (
    KINDS,
    PARTS,
    RESULTS,
    ROLES,
    STATES,
    chips,
    choices,
    read_search,
    search_url,
)
from scorer.web.views import by_field, circle_view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from flask.typing import ResponseReturnValue

    from scorer.services.history import FoundDeal
    from scorer.texts import Text
    from scorer.web.circles import SessionCard
    from scorer.web.searching import Choices, Search

NOTHING = FoundDeals((), None, 0)

pages = Blueprint("history", __name__, url_prefix="/circles/<uuid:circle_id>")


class EveningView(NamedTuple):
    """An evening: its day, and the sessions of it, whatever was played."""

    day: datetime
    sessions: list[SessionCard]


class DealLine(NamedTuple):
    """A deal in a list."""

    number: int
    text: Text
    made: bool | None
    voided: bool
    amended: bool
    disputed: bool
    amount: int | None


class DealGroup(NamedTuple):
    """The deals in a list that follow each other in one session."""

    session_id: UUID
    title: str
    day: datetime
    deals: list[DealLine]


@pages.get("/evenings/")
def evenings(circle_id: UUID) -> ResponseReturnValue:
    """List the evenings of a circle, newest first, all games of a day together."""
    before = request.args.get("before", type=UUID)
    grouped, more = history.evenings(circle_id, before)
    return render_template(
        "history/evenings.html",
        circle=circle_view(circle_id),
        evenings=[EveningView(rows[0].started_at, [card(row) for row in rows]) for rows in grouped],
        older=grouped[-1][-1].session_id if more else None,
        newer=before is not None,
    )


@pages.get("/deals/")
def deals(circle_id: UUID) -> ResponseReturnValue:
    """List the deals of a circle that are looked for, newest first."""
    known = choices(circle_id)
    search = read_search(request.args, known)
    before = _cursor(request.args.get("before", ""))
    if "" in request.args.values():
        return redirect(search_url(circle_id, **search.asked), HTTPStatus.SEE_OTHER)
    found = NOTHING if search.problems else history.find_deals(circle_id, search.sought, before)
    page = render_template(
        "history/deals.html",
        circle=circle_view(circle_id),
        found=found,
        groups=_groups(found.lines),
        search=search,
        chips=list(chips(search, known)),
        problems=by_field(search.problems, {}),
        older=_older(circle_id, search, found.older),
        newest=search_url(circle_id, **search.asked) if before else None,
        **_pairs(known),
    )
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if search.problems else HTTPStatus.OK


def _pairs(known: Choices) -> dict[str, list[tuple[str, Text | str]]]:
    """Give the codes that may be chosen, each with its words."""
    words: dict[str, Mapping[str, Text]] = {
        "games": known.games,
        "roles": ROLES,
        "parts": PARTS,
        "results": RESULTS,
        "kinds": KINDS,
        "states": STATES,
    }
    return {
        "people": [(key, player.name) for key, player in known.players.items()],
        "bids": [(code, level.name) for code, level in known.levels.items()],
        **{name: list(choices.items()) for name, choices in words.items()},
    }


def _cursor(text: str) -> Cursor | None:
    session, _, number = text.partition(".")
    try:
        return Cursor(UUID(session), int(number)) if len(number) < 8 else None
    except ValueError:
        return None


def _older(circle_id: UUID, search: Search, cursor: Cursor | None) -> str | None:
    if cursor is None:
        return None
    return search_url(circle_id, **search.asked, before=f"{cursor.session_id}.{cursor.number}")


def _groups(lines: Sequence[FoundDeal]) -> list[DealGroup]:
    groups: list[DealGroup] = []
    for line in lines:
        row = line.session.row
        if not groups or groups[-1].session_id != row.session_id:
            groups.append(DealGroup(row.session_id, row.title, row.started_at, []))
        groups[-1].deals.append(_deal_line(line))
    return groups


def _deal_line(line: FoundDeal) -> DealLine:
    deal = line.deal
    return DealLine(
        deal.number, line.text, deal.made, deal.voided, deal.amended, deal.disputed, line.amount
    )
