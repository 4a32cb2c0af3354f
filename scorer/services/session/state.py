"""The state of a session: who sits where, by which rules, whose turn it is; its title and hash."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any
from uuid import UUID

from scorer.errors import InvalidError, Problem, ScorerError, existing
from scorer.evening import NO_TABLE, Deal, Evening, JudgedDeal
from scorer.evening.judging import NUMBERS
from scorer.evening.terms import NOW, Terms, TermsChange, terms_of
from scorer.games import find_game
from scorer.ledger import Standing, standings
from scorer.rules.game import Game, Outcome, PenaltySheet, Table, Turn
from scorer.rules.match import Progress, Tally
from scorer.rules.seats import Seat, Sides, lasting
from scorer.rules.sheet import Reading, read
from scorer.services.base.caching import LRUCache
from scorer.services.circle.players import marks_of
from scorer.storage import chain, models, queries
from scorer.storage.queries.deals import DealRow

StoredDeal = DealRow | models.DealVersion

#: Where it does not matter who dealt.
UNSAID = Turn(Seat(0))


@dataclass(frozen=True, slots=True)
class SessionTerms:
    """A session's row, game, seats and terms: enough to read its deals.

    ``seats`` and ``names`` are those of everybody who ever sat at the table, indexed by seat.
    ``began`` are the first terms, ``changes`` the later changes.
    """

    row: models.CardSession
    game: Game[Any, Any]
    seats: tuple[queries.session.SeatRow, ...]
    names: tuple[str, ...]
    began: Terms
    changes: tuple[TermsChange, ...]

    @property
    def circle_id(self) -> UUID:
        return self.row.circle_id

    @property
    def session_id(self) -> UUID:
        return self.row.session_id

    @property
    def all_rules(self) -> tuple[Any, ...]:
        changed = (change.rules for change in self.changes if change.rules is not None)
        return (self.began.rules, *changed)

    @property
    def opening(self) -> dict[Seat, int]:
        return {Seat(seat.seat): seat.opening for seat in self.seats}

    @property
    def marks(self) -> tuple[int, ...]:
        return marks_of([(seat.joined, seat.place) for seat in self.seats])

    @property
    def borders(self) -> list[int]:
        """The deals from which on other rules or seats may hold than before."""
        return sorted({1, *(number for change in self.changes for number in change.borders)})

    @property
    def sides(self) -> Sides:
        """Return the sides of the standings: seats that win and lose together in every deal."""
        sides = []
        for terms in map(self.terms, self.borders):
            playing = [seat for seat in terms.order if seat not in (terms.sits_out or ())]
            sides.append(self.game.sides(playing, terms.rules))
        return lasting(sides, self.opening)

    def terms(self, number: int, written: int = NOW) -> Terms:
        """Return the rules and order of a deal, by changes with a serial below ``written``."""
        return terms_of(number, self.began, self.changes, written=written)

    def first_deal(self, seat: Seat) -> int:
        """The first deal at which a player sat; for one who has yet to join, the next deal."""
        arrived = (n for n in self.borders if seat in self.terms(n).order)
        return next(arrived, self.row.next_number)

    def table_for(self, deal: StoredDeal, *, with_balances: bool = False) -> Table[Any]:
        """The people at the table of a recorded deal, with their balances if the game needs them.

        Few games need balances, which take a query. Whether a deal after
        number 1 is the first one played stays unknown, as that would take a query, too.
        """
        terms = self.terms(deal.number, deal.serial)
        active = tuple(seat for seat in terms.order if seat not in deal.sits_out)
        first = deal.number == 1 or None
        table = Table(terms.rules, self.names, active, terms.order, first=first)
        if not (with_balances and self.game.balances_count):
            return table
        return replace(table, balances=balances_before(self.row, deal.number))

    def sheet_of(self, deal: StoredDeal) -> Any:
        """Read the stored sheet of a deal; None if it was not played.

        Raise InvalidError if its rules don't allow it: it is damaged, or other rules are being
        tried.
        """
        if deal.outcome != Outcome.PLAYED:
            return None
        rules = self.terms(deal.number, deal.serial).rules
        return self._read(self.game.sheet_type, deal.stored, rules)

    def start_of(self, stored: Mapping[str, Any], rules: Any) -> Any:
        """Read the start of a deal under way; raise InvalidError if the rules don't allow it."""
        return self._read(existing(self.game.start_type), stored, rules)

    def _read(self, kind: type[Any], stored: object, rules: Any) -> Any:
        reading = self._reading(rules)
        sheet = read(kind, stored, reading, "sheet")
        if sheet is None:
            raise InvalidError(reading.problems)
        return sheet

    def _reading(self, rules: Any) -> Reading:
        return Reading(NUMBERS, self.game.deck(rules))

    def written_sheet(self, stored: object, rules: Any) -> Any:
        """Read a stored sheet by some rules; None if they don't allow it."""
        return read(self.game.sheet_type, stored, self._reading(rules), "sheet")

    def evening(self, *more: TermsChange) -> Evening:
        """The session before its first deal, with all changes of it, and ``more``."""
        changes, first = [*self.changes, *more], Seat(self.row.first_dealer)
        return Evening(self.game, self.names, self.began, self.opening, first, changes)

    def entry_of(self, deal: StoredDeal) -> JudgedDeal:
        sheet, outcome = self.sheet_of(deal), Outcome(deal.outcome)
        if outcome is Outcome.PENALTY and deal.stored:
            sheet = PenaltySheet(Seat(int(deal.stored["offender"])))
        paid, made = paid_by(deal), getattr(deal, "made", None)
        return JudgedDeal(self.game, outcome, self.table_for(deal), sheet, paid, made)

    def deal_of(self, deal: DealRow) -> Deal:
        return Deal(deal.number, Turn(Seat(deal.dealer)), self.entry_of(deal), deal.voided)

    def answers_of(self, deal: StoredDeal) -> dict[str, Any] | None:
        """Return a deal's stored answers with the players' names."""
        return self.entry_of(deal).answers(self.names)


@dataclass(frozen=True, slots=True)
class SessionState(SessionTerms):
    """A session with what its next deal depends on.

    ``now`` is the evening before the next deal, not to be written in; its balances are known in
    games where whoever has too many points is out. ``started`` is the deal under way, read-only:
    load it again with `queries.find` to change it.
    """

    now: Evening
    started: models.StartedDeal | None

    @property
    def rules(self) -> Any:
        return self.now.terms.rules

    @property
    def order(self) -> tuple[Seat, ...]:
        """Return all at the table of the next deal, in order of play."""
        return self.now.terms.order

    @property
    def out(self) -> tuple[Seat, ...]:
        """Return those at the table who are out, in games that eliminate."""
        return tuple(seat for seat in self.order if seat not in self.now.here.order)

    @property
    def lowest_leads(self) -> bool:
        """Whether the lowest balance leads by the rules of the next deal."""
        return self.game.leads_lowest(self.rules)

    @property
    def counted(self) -> bool:
        """Whether points are counted up, not won from each other: then none has a plus."""
        return self.lowest_leads or not self.game.adds_up(self.rules)

    @property
    def can_go_on(self) -> bool:
        """Whether enough are left for another deal."""
        return len(self.table().active) in self.game.seating(self.rules).playing

    def table(self) -> Table[Any]:
        return self.now.table(self.now.turn.dealer)


def load_state(circle_id: UUID, session_id: UUID, journal: str = "") -> SessionState:
    """Load a session; seats and names are cached by the hash of the ``journal``, if it is given."""
    stored = existing(queries.session.session_and_started(circle_id, session_id))
    return state_of(*stored, journal=journal)


@contextmanager
def lock_row(circle_id: UUID, session_id: UUID) -> Iterator[models.CardSession]:
    """Load the row of a session, locked against other writers until the commit.

    Increase ``row.version`` whenever you change the row: it is saved only then, when the block
    ends.
    """
    row = existing(queries.session.session_for_update(circle_id, session_id))
    before = dict(vars(row))
    yield row
    if row.version != before["version"]:
        queries.session.save_session(row, before)


@contextmanager
def lock_state(
    circle_id: UUID, session_id: UUID, loaded: SessionState | None = None
) -> Iterator[SessionState]:
    """Load a session, locked against other writers until the commit.

    ``loaded`` is its state as read before the lock; it is reused if nothing was written since.
    The row is saved as by `lock_row`: only if ``row.version`` was increased.
    """
    with lock_row(circle_id, session_id) as row:
        if loaded is not None and loaded.row.version == row.version:
            yield replace(loaded, row=row)
        else:
            yield state_of(row, queries.find(models.StartedDeal, circle_id, session_id))


@contextmanager
def assumed_state(loaded: SessionState) -> Iterator[SessionState]:
    """Change a session as it was loaded, without reading it again.

    If anything was written since, `in_transaction` runs the work once more.
    """
    state = replace(loaded, row=queries.session.copied_session(loaded.row))
    yield state
    queries.session.save_session(state.row, vars(loaded.row))


def find_deal(state: SessionState, number: int) -> tuple[models.Deal, DealRow]:
    """Find a deal by its number, to be changed, and as it stands; raise NotFoundError."""
    key = state.circle_id, state.session_id, number
    return existing(queries.deals.deal_to_change(*key)), existing(queries.deals.deal(*key))


_seats: LRUCache[Sequence[queries.session.SeatRow]] = LRUCache(256)


def state_of(
    row: models.CardSession, started: models.StartedDeal | None = None, *, journal: str = ""
) -> SessionState:
    key = row.circle_id, row.session_id
    changes = queries.session.session_changes(*key) if row.changes else ()
    seats = partial(queries.session.seats, *key)
    terms = _terms_of(row, _seats.get((*key, journal), seats) if journal else seats(), changes)
    balances = balances_before(row, row.next_number) if terms.game.balances_count else None
    return SessionState(
        row,
        terms.game,
        terms.seats,
        terms.names,
        terms.began,
        terms.changes,
        now=evening_at(terms, row.next_number, balances),
        started=started,
    )


def evening_at(
    terms: SessionTerms, number: int, balances: Mapping[Seat, int] | None = None
) -> Evening:
    """Return the evening before a deal; without ``balances`` nobody is out.

    For a deal before the last one played the multiplier is 1, as that one has used it.
    """
    now = replace(terms.evening(), totals=balances or {})
    deals = queries.deals.deals_since_last_played(terms.circle_id, terms.session_id)
    for earlier, outcome, dealer, stored in deals:
        if earlier < number:
            now.go_to(earlier)
            turn, sheet = now.turn._replace(dealer=Seat(dealer)), None
            if outcome == Outcome.PLAYED:
                sheet = terms.written_sheet(stored, now.terms.rules)
            now.pass_over(turn, Outcome(outcome), sheet)
    now.go_to(number)
    return now


def paid_deals(terms: SessionTerms) -> Iterator[Deal]:
    """Yield the standing deals with their payouts, and their sheets if the end depends on them."""
    key, sheets = (terms.circle_id, terms.session_id), {}
    if terms.game.last_sheet_counts:
        sheets = {deal.number: terms.sheet_of(deal) for deal in queries.deals.all_deals(*key)}
    payouts = queries.session.payout_matrix(*key)
    for number, outcome in queries.deals.standing_outcomes(*key):
        paid = payouts.get(number, {})
        entry = JudgedDeal(terms.game, Outcome(outcome), NO_TABLE, sheets.get(number), paid)
        yield Deal(number, UNSAID, entry)


def put_out(sessions: Collection[SessionTerms]) -> dict[UUID, dict[Seat, int]]:
    """Return who is out of each session of a circle, with the last deal that put them out."""
    out: dict[UUID, dict[Seat, int]] = {terms.session_id: {} for terms in sessions}
    eliminating = [terms for terms in sessions if terms.game.eliminates]
    keys = [terms.session_id for terms in eliminating]
    deals = queries.deals.paid_deals(eliminating[0].circle_id, keys) if keys else {}
    for terms in eliminating:
        evening = terms.evening()
        for deal in deals.get(terms.session_id, ()):
            evening.go_to(deal.number)
            paid = {Seat(seat): amount for seat, amount in deal.payouts.items()}
            evening.book(JudgedDeal(terms.game, Outcome.PLAYED, NO_TABLE, paid=paid), UNSAID)
        evening.go_to(terms.row.next_number)
        out[terms.session_id] = evening.out
    return out


def ranked(state: SessionState, totals: Mapping[Seat, int]) -> list[Standing]:
    """Return the places of the sides, each by its first seat, the leader first."""
    firsts = {side[0]: totals[side[0]] for side in state.sides}
    out = put_out([state])[state.session_id]
    return standings(firsts, lowest_first=state.lowest_leads, out=out)


def new_end(state: SessionState) -> int | None:
    """Return the number of the deal that ends the session, computed from all payouts."""
    if not any(state.game.can_end(rules) for rules in state.all_rules):
        return None
    evening = state.evening()
    for _ in evening.again(paid_deals(state)):
        if evening.ended is not None:
            break
    return evening.ended


def paid_by(deal: StoredDeal) -> dict[Seat, int]:
    return {Seat(int(seat)): amount for seat, amount in deal.payouts.items()}


def balances_before(row: models.CardSession, number: int) -> dict[Seat, int]:
    return queries.session.balances(row.circle_id, row.session_id, until=number - 1)


def session_terms(circle_id: UUID, session_ids: Collection[UUID]) -> dict[UUID, SessionTerms]:
    """Load the terms of several sessions of the circle; keys that are not there are left out."""
    rows = queries.session.sessions_by_key(circle_id, session_ids)
    seats = queries.session.seats_by_session(circle_id, session_ids)
    changed = [row.session_id for row in rows if row.changes]
    changes = queries.session.changes_by_session(circle_id, changed) if changed else {}
    return {
        row.session_id: _terms_of(row, seats[row.session_id], changes.get(row.session_id, ()))
        for row in rows
    }


def _terms_of(
    row: models.CardSession,
    seats: Sequence[queries.session.SeatRow],
    changes: Sequence[models.SessionChange],
) -> SessionTerms:
    game, order = find_game(row.game), tuple(Seat(seat.seat) for seat in seats if not seat.joined)
    began = Terms(stored_rules(game, row.rules), order, rule_set=_rule_set(row))
    names = tuple(seat.name for seat in seats)
    changed = tuple(read_change(game, change) for change in changes)
    return SessionTerms(row, game, tuple(seats), names, began, changed)


def read_change(game: Game[Any, Any], change: models.SessionChange) -> TermsChange:
    return TermsChange(
        serial=change.serial,
        from_number=change.from_number,
        until_number=change.until_number,
        rules=None if change.rules is None else stored_rules(game, change.rules),
        order=seats_of(change.seats or ()),
        sits_out=None if change.sits_out is None else seats_of(change.sits_out),
        dealer=None if change.dealer is None else Seat(change.dealer),
        rule_set=_rule_set(change),
    )


def _rule_set(row: models.CardSession | models.SessionChange) -> tuple[UUID, int] | None:
    if row.rule_set_id is None or row.rule_set_version is None:
        return None
    return row.rule_set_id, row.rule_set_version


def seats_of(numbers: Sequence[int]) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in numbers)


def stored_rules(game: Game[Any, Any], rules: dict[str, Any]) -> Any:
    """Read stored rules; raise ScorerError if they are invalid."""
    read_rules, problems = _read_rules(game, json.dumps(rules))
    if problems:
        faults = "; ".join(f"{problem.field}: {problem.message}" for problem in problems)
        raise ScorerError(f"stored rules of {game.slug}: {faults}")
    return read_rules


def listed_rules(game: Game[Any, Any], rules: dict[str, Any]) -> Any:
    """Read stored rules; the game's first preset replaces invalid ones."""
    return _read_rules(game, json.dumps(rules))[0]


@lru_cache(maxsize=256)
def _read_rules(game: Game[Any, Any], document: str) -> tuple[Any, list[Problem]]:
    return game.rules_from(json.loads(document))


def progress(state: SessionState) -> Progress:
    """Return whether the session has reached its end, and who won.

    The balances after the deal that reached the end decide, not later deals.
    """
    if state.row.finished_number is None:
        return Progress(finished=False)
    return progress_after(state, state.row.finished_number)


def progress_after(state: SessionState, number: int) -> Progress:
    row = state.row
    totals = balances_before(row, number + 1)
    played = queries.deals.played_count(row.circle_id, row.session_id, until=number)
    terms = state.terms(number)
    last = None
    if state.game.last_sheet_counts:
        deal = queries.deals.deal(row.circle_id, row.session_id, number)
        last = state.sheet_of(deal) if deal and not deal.voided else None
    return state.game.progress(Tally(totals, played, last, terms.order), terms.rules)


_decided: LRUCache[str] = LRUCache(256)


def witness(row: models.CardSession, journal: str = "") -> str:
    """Return the hash of everything that decides a session.

    The chain has the deals; the journal has the title, the stake, the end, and the openings of
    guests; its part is cached by the hash of the ``journal``, if given.
    """

    def decided() -> str:
        return queries.journal.deciding_chain(row.circle_id, row.session_id) or ""

    last = _decided.get((row.circle_id, row.session_id, journal), decided) if journal else decided()
    return chain.link(row.chain, last) if last else row.chain


def letters(row: models.CardSession, journal: str = "") -> str:
    return chain.short(witness(row, journal))
