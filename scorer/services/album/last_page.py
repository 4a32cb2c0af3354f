"""The last page of an evening, with its titles and who pays whom, and the public page of it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Annotated, Any, NamedTuple
from uuid import UUID, uuid4

from scorer.errors import ConflictError, InvalidError, NotFoundError, existing
from scorer.ledger import Transfer
from scorer.ledger.money import added, difference, fewest_transfers
from scorer.ledger.titles import NAMES, TitledEvening, titles
from scorer.rules.questions import Ask
from scorer.rules.seats import Seat
from scorer.services.base import journal
from scorer.services.base.clock import now
from scorer.services.base.journal import Author
from scorer.services.circle.circles import (
    derived_secrets,
    digest,
    insert_with_secret,
    locked_circle,
)
from scorer.services.deals.score_sheet import ScoreSheet, score_sheet
from scorer.services.figures.figures import (
    CircleFigures,
    EveningFigures,
    SessionFigures,
    circle_figures,
)
from scorer.services.figures.standings import Ranked, bid_heights, ranked
from scorer.services.session.settling import is_for_money, still_to_post
from scorer.services.session.state import load_state, lock_state
from scorer.storage import models, queries, transaction
from scorer.storage.models import CardSession
from scorer.storage.queries.base import grouped
from scorer.texts import Text, joined, say

FULL_NAMES = Ask("Whether it shows full names instead of initials")
Transfers = tuple[Transfer[str], ...]


class TitleLine(NamedTuple):
    """A title, its holders by seat and name, and the deals that earned it.

    ``deal_text`` is the line of the deal, where there is only one.
    """

    name: Text
    holders: tuple[tuple[int, str], ...]
    figure: Text | None
    deals: tuple[int, ...]
    deal_text: Text | None


class PersonLine(NamedTuple):
    """A player before and after an evening, in the game that was played.

    ``last`` is what the evening before paid the player, None if absent. ``now`` has all evenings up
    to this one, None if none of them counts. ``before`` is the place before this evening, None for
    a new player.
    """

    seat: Seat
    name: str
    balance: int
    last: int | None
    now: Ranked[UUID] | None
    before: int | None


class GameMatches(NamedTuple):
    """The matches of one game on an evening, and how each player stands, best first.

    ``score`` has the matches that each of two sides won, if the same two played all of them.
    """

    game: Text
    by_balance: bool
    score: tuple[tuple[Text, int], ...]
    people: tuple[tuple[str, Ranked[UUID]], ...]
    matches: tuple[CardSession, ...]


class LastPage(NamedTuple):
    """The content of the last page of a session.

    ``people`` are in the order of the standings. ``by_balance`` says whether evenings of the game
    are added up, or else those won are counted. ``together`` has all matches of the evening, game
    by game; it is empty if this was the only one. ``hands`` settles all of them in cents; it is
    None without money. ``carried`` settles all open accounts of the circle; it is None if only the
    evening is open. ``waits`` says that a match is decided but has not ended, so that it is not in
    the ledger yet.
    """

    sheet: ScoreSheet
    titles: tuple[TitleLine, ...]
    people: tuple[PersonLine, ...]
    by_balance: bool
    last_day: date | None
    together: tuple[GameMatches, ...]
    hands: tuple[Transfer[str], ...] | None
    carried: tuple[Transfer[str], ...] | None
    waits: bool


def last_page(circle_id: UUID, session_id: UUID) -> LastPage:
    """Return the last page of a session; raise ConflictError if it isn't over.

    A game that is not installed has none: nobody can tell who won.
    """
    sheet = score_sheet(load_state(circle_id, session_id))
    if not is_over(sheet.state.row) or sheet.state.game.missing:
        raise ConflictError(session_id)
    figures = circle_figures(circle_id)
    shown = figures.sessions[session_id]
    evening = _evening(figures, shown)
    sessions = queries.session.sessions_by_key(
        circle_id, [session.session_id for session in evening]
    )
    rows = {row.session_id: row for row in sessions}
    mine = [
        session
        for session in evening
        if session.game == shown.game and session.started_at <= shown.started_at
    ]
    before = _before(figures, shown, evening)
    hands, carried, waits = _money(circle_id, evening, rows, figures.names)
    return LastPage(
        sheet=sheet,
        titles=_titles(sheet, shown),
        people=_people(sheet, before, mine, figures),
        by_balance=figures.by_balance(shown.game),
        last_day=before[-1].day if before else None,
        together=_together(evening, figures, rows),
        hands=hands,
        carried=carried,
        waits=waits,
    )


def is_over(row: CardSession) -> bool:
    """Whether a session has deals and has ended, by the rules or by hand."""
    ended = row.ended_at is not None or row.finished_number is not None
    return ended and row.next_number > 1


def _titles(sheet: ScoreSheet, shown: SessionFigures) -> tuple[TitleLine, ...]:
    state = sheet.state
    deals = queries.deals.paid_deals(state.circle_id, [state.session_id]).get(state.session_id, [])
    opening = {int(side[0]): state.opening[side[0]] for side in sheet.state.sides}
    won = {contest.number: contest.won for contest in shown.contests}
    heights = bid_heights(state.game.slug)
    evening = TitledEvening(deals, opening, heights, won, state.lowest_leads, state.counted)
    evening_titles = titles(evening)
    numbers = [title.deals[0] for title in evening_titles if len(title.deals) == 1]
    lines = {number: state.evening.deal(number).entry.text for number in numbers}
    partners = {side[0]: side for side in sheet.state.sides}
    return tuple(
        TitleLine(
            name=NAMES[title.kind],
            holders=tuple(
                (seat, state.names[seat])
                for first in title.seats
                for seat in partners.get(Seat(first), (Seat(first),))
            ),
            figure=title.figure,
            deals=title.deals,
            deal_text=lines.get(title.deals[0]) if len(title.deals) == 1 else None,
        )
        for title in evening_titles
    )


def _evening(figures: CircleFigures, shown: SessionFigures) -> list[SessionFigures]:
    """Return the sessions of an evening in their order: each went on from the one before."""
    after = {session.went_on_from: session for session in figures.sessions.values()}
    first = shown
    while before := first.went_on_from and figures.sessions.get(first.went_on_from):
        first = before
    evening = [first]
    while following := after.get(evening[-1].session_id):
        evening.append(following)
    return [session for session in evening if session.records or session is shown]


def _before(
    figures: CircleFigures, shown: SessionFigures, evening: Sequence[SessionFigures]
) -> list[SessionFigures]:
    """Return the earlier sessions of the game in which somebody was paid."""
    first = min(session.started_at for session in evening)
    return [session for session in figures.of_game(shown.game) if session.started_at < first]


def _people(
    sheet: ScoreSheet,
    before: Sequence[SessionFigures],
    mine: Sequence[SessionFigures],
    figures: CircleFigures,
) -> tuple[PersonLine, ...]:
    earlier, own = list(map(_evenings, before)), map(_evenings, mine)
    last, then = _ranked(before[-1:], earlier[-1:], figures), _ranked(before, earlier, figures)
    now = _ranked([*before, *mine], [*earlier, *own], figures)
    sides = {side[0]: side for side in sheet.state.sides}
    people = [
        (seat, sheet.state.seats[seat]) for row in sheet.state.ranked for seat in sides[row.seat]
    ]
    return tuple(
        PersonLine(
            seat=seat,
            name=person.name,
            balance=sheet.state.evening.totals[seat],
            last=last[person.player_id].points if person.player_id in last else None,
            now=now.get(person.player_id),
            before=then[person.player_id].place if person.player_id in then else None,
        )
        for seat, person in people
    )


def _evenings(session: SessionFigures) -> list[tuple[UUID, EveningFigures]]:
    return [(session.seats[seat], session.evening(seat)) for seat in session.records]


def _ranked(
    sessions: Sequence[SessionFigures],
    played: Iterable[Iterable[tuple[UUID, EveningFigures]]],
    figures: CircleFigures,
) -> dict[UUID, Ranked[UUID]]:
    """Rank the players of some sessions of one game, as the standings of the circle do."""
    rows = ranked(
        grouped(chain.from_iterable(played)).items(),
        by_balance=all(figures.by_balance(session.game) for session in sessions),
        lowest_leads=all(session.lowest_leads for session in sessions),
    )
    return {row.player: row for row in rows}


def _together(
    evening: Sequence[SessionFigures], figures: CircleFigures, rows: Mapping[UUID, CardSession]
) -> tuple[GameMatches, ...]:
    if len(evening) == 1:
        return ()
    games = []
    for name in {str(session.game_name): session.game_name for session in evening}.values():
        sessions = [session for session in evening if session.game_name == name]
        of_game = _ranked(sessions, map(_evenings, sessions), figures).items()
        games.append(
            GameMatches(
                game=name,
                by_balance=figures.by_balance(sessions[0].game),
                score=_score(sessions, figures.names),
                people=tuple((figures.names[who], row) for who, row in of_game),
                matches=tuple(rows[session.session_id] for session in sessions),
            )
        )
    return tuple(games)


def _score(
    sessions: Sequence[SessionFigures], names: Mapping[UUID, str]
) -> tuple[tuple[Text, int], ...]:
    """Return the matches won by each of two sides; nothing for one match, or other sides."""
    won = Counter[frozenset[UUID]]()
    for session in sessions:
        people, places = session.seats, session.places
        first = frozenset(people[seat] for seat, place in places.items() if place == 1)
        won.update({first: bool(places), frozenset(people.values()) - first: 0})
    if len(won) != 2 or sum(won.values()) < 2 or frozenset() in won:
        return ()
    return tuple(
        (joined([name for who, name in names.items() if who in side]), count)
        for side, count in won.most_common()
    )


def _money(
    circle_id: UUID,
    evening: Sequence[SessionFigures],
    rows: Mapping[UUID, CardSession],
    names: Mapping[UUID, str],
) -> tuple[Transfers | None, Transfers | None, bool]:
    """Settle the decided matches of an evening, and all open accounts of the circle.

    The last value is whether a decided session has not ended, so that it isn't posted yet.
    """
    if not any(
        is_for_money(rows[session.session_id], lowest_leads=session.lowest_leads)
        for session in evening
    ):
        return None, None, False

    def settled(*owed: Mapping[UUID, int]) -> Transfers:
        cents = added(owed)
        return tuple(fewest_transfers({names[who]: cents[who] for who in names if who in cents}))

    over = [row for row in rows.values() if is_over(row)]
    posted = queries.money.posted(circle_id, list(rows))
    accounts = queries.money.accounts(circle_id)
    waiting = added(map(still_to_post, over))
    carried = settled(accounts, waiting) if difference(accounts, posted) else None
    return settled(posted, waiting), carried, any(row.ended_at is None for row in over)


@transaction
def publish(
    circle_id: UUID,
    session_id: UUID,
    *,
    names: Annotated[bool, FULL_NAMES],
    money: Annotated[bool, Ask("Whether it shows who pays whom")] = False,
    by: Author = None,
) -> None:
    """Make a public page of a session that is over, unless there is one that shows the same.

    Raise InvalidError.
    """
    with lock_state(circle_id, session_id) as state:
        standing = standing_pages(circle_id, session_id)
        if any((page.names, page.money) == (names, money) for page in standing):
            return
        if not is_over(state.row):
            raise InvalidError.of("session-open", "", say("End the session first."))
        _open(by, circle_id=circle_id, session_id=session_id, names=names, money=money)


@transaction
def publish_tournament(
    circle_id: UUID,
    tournament_id: UUID,
    *,
    names: Annotated[bool, FULL_NAMES] = False,
    by: Author = None,
) -> None:
    """Make a public page of a tournament, unless there is one that shows the same."""
    locked_circle(circle_id)
    existing(queries.find(models.TournamentRow, circle_id, tournament_id))
    if all(page.names != names for page in standing_pages(circle_id, tournament_id)):
        _open(by, circle_id=circle_id, tournament_id=tournament_id, names=names, money=False)


def _open(by: Author, **columns: Any) -> None:
    """Write a public page, and of its secret only the hash."""
    page_id = uuid4()
    page = models.PublicPage(page_id=page_id, created_at=now(), **columns)
    insert_with_secret(journal.Kind.PAGE_PUBLISHED, page, page_id, secrets_of(page_id)[0], by)


def secrets_of(page_id: UUID) -> list[str]:
    """Return the secrets of a public page, one by each key of the server, newest first.

    They are derived from the page's key and the server's, so that its address can be shown again.
    """
    return derived_secrets(f"public page {page_id.hex}")


@transaction
def revoke(circle_id: UUID, subject_id: UUID, page_id: UUID, *, by: Author = None) -> None:
    """Revoke a public page of a session or a tournament; raise NotFoundError."""
    pages = {page.page_id: page for page in queries.circle.public_pages(circle_id, subject_id)}
    page = existing(pages.get(page_id))
    if page.revoked_at is None:
        journal.change(journal.Kind.PAGE_REVOKED, page, by, revoked_at=now())


def standing_pages(circle_id: UUID, subject_id: UUID) -> list[models.PublicPage]:
    """List the public pages of a session or a tournament that are not revoked."""
    return [
        page
        for page in queries.circle.public_pages(circle_id, subject_id)
        if page.revoked_at is None
    ]


def open_page(secret: str) -> models.PublicPage:
    """Find the public page that a secret opens; raise NotFoundError for any other secret."""
    page = queries.circle.public_page_by_secret(digest(secret))
    if page is None or page.revoked_at is not None:
        raise NotFoundError
    return page


def opens(secret: str, page_id: UUID) -> bool:
    page = queries.circle.public_page_by_secret(digest(secret))
    return page is not None and page.page_id == page_id
