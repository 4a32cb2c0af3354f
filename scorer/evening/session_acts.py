"""What people do to an evening as a whole, each in one place, as `acts` has it for its deals.

A change that reaches back to deals already played rescores each of them in one act: the sheets
stay; dealers, those who sit out and payouts follow.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Annotated, Any, ClassVar
from uuid import UUID

from scorer.errors import ConflictError, InvalidError, Problem, refuse
from scorer.evening.acts import Act, Confirm, Record, W, with_facts
from scorer.evening.deal import Author, Deal, Started, Timer, Version
from scorer.evening.judging import NUMBERS, check_count, read_start
from scorer.evening.terms import TermsChange, check_seats
from scorer.evening.walk import Walk
from scorer.roles import Role
from scorer.rules.cards import Card, Deck, card_name
from scorer.rules.questions import Ask, RulesDocument, join, placed, questions
from scorer.rules.questions import write as written_sheet
from scorer.rules.seats import MOST_SEATS, Seat
from scorer.texts import say
from scorer.typed_text import REASON, one_line, read_name

#: What somebody may bring in at most.
MOST_POINTS = 1_000_000_000
#: The longest turn by the clock.
MOST_MINUTES = 999
#: The fields of a change that say what it is, not who made it when and why.
UNSIGNED = TermsChange._fields.index("phone_id")


class SessionAct(Act):
    """An act on an evening; ``noted`` is its kind in the journal, if it is not in the chain."""

    noted: ClassVar[str] = ""

    @abstractmethod
    def apply(self, evening: W, by: Author) -> W:
        """Return the evening with what the act writes."""


@dataclass(frozen=True, kw_only=True)
class Start(SessionAct):
    """Store the result of the auction, for everybody to see while the deal is played.

    A deal started by another phone is a conflict, unless its key is ``instead_of``.
    """

    name = "start"
    done = say("Deal %(number)s of “%(title)s” was started.")
    noted = "deal-started"
    event = "start"

    key: UUID
    number: int
    sheet: Any
    instead_of: UUID | None = None

    def apply(self, evening: W, by: Author) -> W:
        if evening.has_key(self.key):
            return evening
        Record.check_next(evening, self.number)
        before, table = evening.started, evening.next_table
        replaceable = {self.key, self.instead_of}
        if before and before.phone_id != by.phone_id and before.deal_id not in replaceable:
            raise ConflictError(before.number)
        check_count(evening.game, table)
        start, problems = evening.game.read_start(self.sheet, table)
        if start is None:
            raise InvalidError(problems)
        stored = written_sheet(start, NUMBERS)
        started = Started(self.key, self.number, stored, by.phone_id, by.at)
        return replace(evening, started=started)


@dataclass(frozen=True, kw_only=True)
class Cancel(SessionAct):
    """Cancel the start of the deal under way, unless it was recorded."""

    name = "forget"
    done = say("The start of deal %(number)s of “%(title)s” was cancelled.")
    noted = "deal-forgotten"
    event = "start"

    key: UUID

    def apply(self, evening: W, _by: Author) -> W:
        started = evening.started
        if evening.has_key(self.key) or (started is not None and started.deal_id != self.key):
            raise ConflictError(self.key)
        return evening if started is None else replace(evening, started=None)


@dataclass(frozen=True, kw_only=True)
class Resume(SessionAct):
    """Resume the deal whose start was ``cancelled`` last, with its cards.

    It is a conflict when something else was started, recorded or changed since.
    """

    name = "resume"
    done = say("The start of deal %(number)s of “%(title)s” was brought back.")
    noted = "deal-resumed"
    event = "start"

    key: UUID
    cancelled: Started | None

    def apply(self, evening: W, _by: Author) -> W:
        if evening.started is not None and evening.started.deal_id == self.key:
            return evening
        if not self.is_possible(evening):
            raise ConflictError(self.key)
        return replace(evening, started=self.cancelled)

    def is_possible(self, evening: Walk) -> bool:
        """Whether the deal can still be played as it was started."""
        cancelled, table = self.cancelled, evening.next_table
        if evening.started is not None or evening.over or cancelled is None:
            return False
        if (cancelled.deal_id, cancelled.number) != (self.key, evening.number):
            return False
        try:
            check_count(evening.game, table)
            start = read_start(evening.game, cancelled.stored, table.rules)
        except InvalidError:  # the rules were changed since
            return False
        return not evening.game.start_problems(start, table)


@dataclass(frozen=True, kw_only=True)
class End(SessionAct):
    """End a session: it moves to the past ones, and its result in money to the ledger."""

    name = "end"
    done = say("The session “%(title)s” ended.")
    noted = "ended"
    event = "end"

    def apply(self, evening: W, _by: Author) -> W:
        return evening if evening.over else replace(evening, over=True)


@dataclass(frozen=True, kw_only=True)
class PlayOn(SessionAct):
    """Take up a session that has ended: its next deal can be recorded again."""

    name = "reopen"
    done = say("The session “%(title)s” went on.")
    noted = "taken-up"
    event = "start"

    def apply(self, evening: W, _by: Author) -> W:
        return replace(evening, over=False) if evening.over else evening


@dataclass(frozen=True, kw_only=True)
class Sign(SessionAct):
    """Confirm every deal that nobody has: the other side of the table signs the result.

    It does so on a phone of its own, or as ``signer`` on the one that wrote, which is handed over.
    """

    name = "sign"
    done = say("The result of “%(title)s” was signed.")
    event = "review"
    least = Role.PLAYER
    limit = ("dispute",)

    seen: Annotated[int, Ask("So much was written that was seen")]
    signer: Annotated[str, Ask("Who of the other side signs; left out, whoever has the phone")] = ""

    def apply(self, evening: W, by: Author) -> W:
        waiting = unsigned(evening)
        if not waiting:
            return evening
        if self.seen != evening.written:
            raise ConflictError(waiting[-1].number)
        signer = self.signer or by.written_by
        if signer and signer not in evening.names:
            message = say("%(name)s does not play here.", name=signer)
            raise InvalidError.of("unknown-player", "signer", message)
        for deal in waiting:
            confirm = Confirm(version=deal.version, seen=len(deal.reviews), signer=self.signer)
            evening = confirm.apply(evening, deal, by)
        return evening


def unsigned(evening: Walk) -> list[Deal]:
    """List the deals that count and that nobody has confirmed as they stand."""
    return [deal for deal in evening.deals if not (deal.voided or deal.confirmed)]


class TimerAct(SessionAct):
    """An act on the timer of a turn, which ends nothing by itself."""

    event = "timer"

    def apply(self, evening: W, by: Author) -> W:
        timer = self.next_timer(evening.timer, by)
        return evening if timer == evening.timer else replace(evening, timer=timer)

    @abstractmethod
    def next_timer(self, timer: Timer | None, by: Author) -> Timer | None:
        """Return the timer as it is then, the same one if there is nothing to do."""


@dataclass(frozen=True, kw_only=True)
class StartTimer(TimerAct):
    """Start the timer of a turn, unless one runs or stands."""

    name = "start-timer"
    done = say("The timer of “%(title)s” was started.")
    noted = "timer-started"

    minutes: Annotated[int, Ask("The minutes of the turn", low=1, high=MOST_MINUTES)]

    def next_timer(self, timer: Timer | None, by: Author) -> Timer | None:
        if not 1 <= self.minutes <= MOST_MINUTES:
            message = say("A turn lasts from 1 to 999 minutes.")
            raise InvalidError.of("out-of-range", "minutes", message)
        return Timer(self.minutes, by.at) if timer is None or timer.is_up(by.at) else timer


@dataclass(frozen=True, kw_only=True)
class PauseTimer(TimerAct):
    """Let the timer stand, unless it is up."""

    name = "pause-timer"
    done = say("The timer of “%(title)s” was paused.")
    noted = "timer-paused"

    def next_timer(self, timer: Timer | None, by: Author) -> Timer | None:
        return timer and timer.pause(by.at)


@dataclass(frozen=True, kw_only=True)
class ContinueTimer(TimerAct):
    """Let the timer run again with the time that was left."""

    name = "continue-timer"
    done = say("The timer of “%(title)s” went on.")
    noted = "timer-continued"

    def next_timer(self, timer: Timer | None, by: Author) -> Timer | None:
        return timer and timer.go_on(by.at)


@dataclass(frozen=True, kw_only=True)
class RemoveTimer(TimerAct):
    """Remove the timer: the turn is over, or goes on without it."""

    name = "remove-timer"
    done = say("The timer of “%(title)s” was removed.")
    noted = "timer-removed"

    def next_timer(self, _timer: Timer | None, _by: Author) -> None:
        return None


#: What is done to a timer that is there.
TIMER_ACTS: tuple[type[TimerAct], ...] = (PauseTimer, ContinueTimer, RemoveTimer)
#: All that is done to timers.
TIMED: tuple[type[TimerAct], ...] = (StartTimer, *TIMER_ACTS)


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who joins in the middle of a session, with the balance brought in."""

    name: Annotated[str, Ask("The name")]
    opening: Annotated[int, Ask("The balance brought in")] = 0


@dataclass(frozen=True, kw_only=True)
class Change(SessionAct):
    """Other rules or seats from a deal on, by default the next one.

    ``next_number`` is the next deal as the phone knows it. ``seen`` is what was ``written`` that
    the phone saw; with None only ``next_number`` is checked. ``rule_set`` is the key and version of
    rules that are the circle's. At most ``most`` people get a seat: a guest has the number after
    the last one. Without ``seats`` the order stays, if ``sits_out`` or ``dealer`` is chosen;
    earlier choices for played deals stay. With ``by_place`` the answers of a sheet belong to the
    places at the table, not to the players.
    """

    name = "change"
    event = "rules"
    limit = ("what-if",)

    seen: Annotated[int | None, Ask("What the table was read with")] = None
    next_number: Annotated[int, Ask("The number of the next deal, as it was read")]
    from_number: Annotated[int | None, Ask("The first deal; left out, the next one")] = None
    until_number: Annotated[int | None, Ask("The last deal, if it is not for good")] = None
    seats: Annotated[tuple[Seat, ...] | None, Ask("All in order of play, guests too")] = None
    sits_out: Annotated[tuple[Seat, ...] | None, Ask("Who sits out; null: by the rules")] = None
    dealer: Annotated[Seat | None, Ask("Who deals first; null where the rules decide")] = None
    guests: Annotated[tuple[Guest, ...], Ask("Who joins")] = ()
    by_place: Annotated[
        bool, Ask("Whether what was written down was for places instead of people")
    ] = False
    rules: RulesDocument = None
    rule_set: tuple[UUID, int] | None = field(default=None, metadata={"page": True})
    reason: Annotated[str, Ask("Why", typed=REASON)] = ""
    most: int = field(default=MOST_SEATS, metadata={"page": True})

    @property
    def first(self) -> int:
        return self.next_number if self.from_number is None else self.from_number

    @property
    def moves(self) -> bool:
        """Whether it changes who sits where, who sits out or who deals."""
        return (self.seats, self.sits_out, self.dealer) != (None, None, None)

    def holds_for(self, number: int) -> bool:
        return self.first <= number <= (self.until_number or number)

    def apply(self, evening: W, by: Author) -> W:
        """Return the evening with every deal that the change holds for rescored.

        The same change by the same phone, with the same ``seen``, was done before. Raise
        InvalidError when the rules or seats have problems, or a recorded deal is impossible with
        them.
        """
        if self._is_repeat(evening, by):
            return evening
        self.check_seen(evening)
        start, facts = self._begun(evening, by)
        check_next(replace(start, changes=(*start.changes, *facts)))
        versions = self._rescored(evening, start, facts, by)
        after = with_facts(start, self.first, *facts, *versions)
        if evening.started is not None:
            _check_started(evening, after, evening.started)
        return after

    def check_seen(self, evening: Walk) -> None:
        """Raise ConflictError when more than reviews and cards was written since."""
        seen = evening.written if self.seen is None else self.seen
        as_seen = 0 <= seen <= evening.written and not evening.decided_since(seen)
        if not as_seen or self.next_number != evening.number:
            raise ConflictError(self.next_number)

    def next_terms(self, evening: W, by: Author) -> W:
        """Return the evening with the change from its next deal on, whoever can play that."""
        start, facts = self._begun(evening, by)
        return start.take(*facts)

    def _is_repeat(self, evening: Walk, by: Author) -> bool:
        """Whether the first write since the phone looked is this same change, by the same phone."""
        if self.seen is None or not 0 <= self.seen < evening.written:
            return False
        wanted = [fact[1:UNSIGNED] for fact in self._asked(evening, Author())]
        since = evening.decided_since(self.seen)[: len(wanted)]
        made = [fact for fact in evening.changes if fact.serial in since]
        phones = {fact.phone_id for fact in made}
        return [fact[1:UNSIGNED] for fact in made] == wanted and phones == {by.phone_id}

    def _begun(self, evening: W, by: Author) -> tuple[W, list[TermsChange]]:
        """Return the evening with the guests, and what is changed; raise InvalidError."""
        last = self.until_number or self.first
        if not 1 <= self.first <= last <= evening.number:
            raise InvalidError.of("out-of-range", "from_number", say("There is no such deal yet."))
        REASON.read(self.reason, "reason")
        facts = self._asked(evening, by)
        if not self.moves:
            return evening, facts
        self._check_seats(evening, facts[-1].order or (), facts[0].rules)
        if self.sits_out is None:
            facts += self._still_chosen(evening, facts[-1])
        return _with_guests(evening, self.guests), facts

    def _asked(self, evening: Walk, by: Author) -> list[TermsChange]:
        """Return what is changed for all its deals: the rules first, then the seats."""
        facts, serial = list[TermsChange](), evening.written + 1
        signed = by._asdict() | {"reason": one_line(self.reason) or None}
        blank = TermsChange(serial, self.first, self.until_number, **signed)
        if self.rules is not None:
            rules, problems = evening.game.rules_from(self.rules)
            refuse(problems)
            facts.append(blank._replace(rules=rules, rule_set=self.rule_set))
        if self.moves:
            chosen = self.sits_out
            order = evening.terms.order if self.seats is None else _seats(self.seats)
            out = None if chosen is None else tuple(seat for seat in order if seat in chosen)
            serial += len(facts)
            facts.append(
                blank._replace(serial=serial, order=order, sits_out=out, dealer=self.dealer)
            )
        return facts

    def _check_seats(self, evening: Walk, order: Sequence[int], rules: Any) -> None:
        by, at_next = evening.terms_of(self.first), self.first == evening.number
        known = len(evening.names) + len(self.guests)
        check_seats(
            order,
            known=known,
            fits=known <= self.most and len(order) <= evening.game.seating(rules or by.rules).most,
            sits_out=self.sits_out,
            dealer=self.dealer,
            out=evening.resting if at_next else (),
        )

    def _still_chosen(self, evening: Walk, seats: TermsChange) -> Iterator[TermsChange]:
        """Keep the players chosen to sit out a played deal, in the new order too."""
        serials = count(seats.serial + 1)
        for deal in evening.deals[self.first - 1 : self.until_number]:
            chosen, terms = deal.current.sits_out, evening.terms_of(deal.number)
            if set(chosen) == set(terms.by_turn(evening.game, deal.turn.dealer)):
                continue
            if self.by_place:
                there = dict(zip(terms.order, seats.order, strict=False))
                chosen = tuple(there.get(Seat(seat), Seat(seat)) for seat in chosen)
            out = tuple(seat for seat in seats.order if seat in chosen)
            if out and len(out) == len(chosen):
                yield seats._replace(
                    serial=next(serials),
                    from_number=deal.number,
                    until_number=deal.number,
                    sits_out=out,
                    dealer=seats.dealer if deal.number == self.first else None,
                )

    def _rescored(
        self, evening: Walk, start: Walk, facts: Sequence[TermsChange], by: Author
    ) -> list[Version]:
        """Return a new version of every deal that the change holds for.

        With other seats each dealer follows from the deal before; otherwise dealers and those who
        sit out stay. Raise InvalidError with the problems of all of them.
        """
        versions, problems = list[Version](), list[Problem]()
        if self.first == evening.number:
            return versions
        serials, then = count(facts[-1].serial + 1), start.begun(*facts)
        again = then.again(
            evening.deals,
            self.holds_for,
            follow=self.moves,
            names=lambda number: self._names(evening, then, number),
        )
        for old, (deal, wrong) in zip(evening.deals, again, strict=True):
            problems += _in_deal(deal.number, wrong)
            if self.holds_for(deal.number) and not wrong:
                version = start.version_of(
                    deal.entry,
                    "amend",
                    by,
                    deal=old,
                    dealer=deal.turn.dealer,
                    reason=self.reason,
                    change=facts[0].serial,
                )
                versions.append(version._replace(serial=next(serials)))
        refuse(problems)
        return versions

    def _names(self, before: Walk, after: Walk, number: int) -> tuple[str, ...]:
        """Name each seat; by place, it is whoever now sits where its player sat at that deal."""
        if not self.by_place:
            return after.names
        old, new = before.terms_of(number).order, after.terms.order
        if len(old) != len(new):
            message = say(
                "Here %(before)s were at the table and now %(now)s: "
                "what was written can't go with the places.",
                before=len(old),
                now=len(new),
            )
            raise InvalidError.of("by-place", "by_place", message)
        there = dict(zip(old, new, strict=True))
        return tuple(after.names[there.get(Seat(seat), seat)] for seat in range(len(after.names)))


def check_next(after: Walk) -> None:
    """Raise InvalidError when the next deal has too many or too few players for its rules."""
    check_count(after.game, after.next_table, "seats")


def _seats(numbers: Iterable[int]) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in numbers)


def _with_guests(evening: W, guests: Sequence[Guest]) -> W:
    """Return the evening with a seat for each guest; raise InvalidError."""
    names = list(evening.names)
    for guest in guests:
        if abs(guest.opening) > MOST_POINTS:
            message = say("This balance is too large to be brought in.")
            raise InvalidError.of("out-of-range", "opening", message)
        names.append(read_name(guest.name, names, "guest"))
    new = names[len(evening.names) :]
    brought = {name: guest.opening for name, guest in zip(new, guests, strict=True)}
    return evening.joined(brought) if brought else evening


def _in_deal(number: int, problems: Iterable[Problem]) -> Iterator[Problem]:
    for problem in problems:
        message = say("Deal %(number)s: %(what)s", number=number, what=problem.message)
        yield Problem(problem.code, f"deals.{number}", message)


def _check_started(before: Walk, after: Walk, started: Started) -> None:
    """Raise InvalidError if the deal under way can't be played so."""
    game, old, new = before.game, before.terms.rules, after.terms.rules
    try:
        start = read_start(game, started.stored, old)
        problems = list(_lost_cards(game.deck(old), game.deck(new), start))
        if not problems:
            start = read_start(game, started.stored, new)
            problems = placed(game.start_problems(start, after.next_table), "sheet")
    except InvalidError as error:
        problems = list(error.problems)
    refuse(_in_deal(started.number, problems))


def _lost_cards(old: Deck | None, new: Deck | None, start: Any) -> Iterator[Problem]:
    """Find the cards that a deck with other suits lacks; C is cups in one and clubs in another."""
    if old is None or new is None or old.italian == new.italian:
        return
    for question in questions(type(start)):
        if isinstance(card := getattr(start, question.name), Card):
            message = say("There is no card %(card)s in this deck.", card=card_name(card, old))
            yield Problem("card-not-in-deck", join("sheet", question.name), message)


_ALL: tuple[type[SessionAct], ...] = (
    *(Start, Cancel, Resume, Change, End, PlayOn, Sign),
    *TIMED,
)
#: The acts on an evening, by name.
SESSION_ACTS = {act.name: act for act in _ALL}
