"""An evening as a Python object, which uses the players' names."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Self

from scorer.errors import InvalidError, refuse
from scorer.evening.acts import Amend, DealAct, Restore, Void
from scorer.evening.deal import Author, Deal
from scorer.evening.document import (
    READ_OUTCOME,
    Reader,
    read_document,
    read_opening,
    write_document,
)
from scorer.evening.judging import WITH_SHEET, unexpected_sheet
from scorer.evening.session_acts import Change, Guest
from scorer.evening.setting import read_names, read_player, read_seats, read_setting, rules_of
from scorer.evening.terms import NOW, Terms, TermsChange
from scorer.evening.walk import Walk
from scorer.rules.game import Outcome
from scorer.rules.questions import Reading
from scorer.rules.seats import MOST_SEATS, Seat, all_seats, wrong_count
from scorer.texts import say


class EveningProgress(NamedTuple):
    """Whether an evening has come to its end by the rules, and the names of who won it."""

    finished: bool
    winners: tuple[str, ...]


class Evening(Walk):
    """A session of cards in Python: its methods use the players' names.

    Wrong input raises InvalidError with every problem, and changes nothing.
    """

    __slots__ = ()

    @classmethod
    def begin(
        cls,
        game: str,
        names: Sequence[str],
        rules: Any = None,
        *,
        dealer: str | None = None,
        opening: Mapping[str, int] | None = None,
    ) -> Self:
        """Begin an evening of a game among these people, in order of play.

        ``rules`` are a preset's slug or an object; ``opening`` are balances brought in.
        """
        given = plain({"game": game, "seats": names, "rules": rules}, "")
        reading = Reading()
        setting = read_setting(given, reading, most=MOST_SEATS)
        if setting is None:
            raise InvalidError(reading.problems)
        wrong = wrong_count(len(setting.seats), setting.game.seating(setting.rules).for_session)
        reading.problems += [wrong] if wrong else []
        totals = read_opening(plain(opening, "opening"), setting, reading)
        first: Seat | None = Seat(0)
        if dealer is not None:
            first = read_player(dealer, setting.seats, reading, "dealer")
        refuse(reading.problems)
        began = Terms(setting.rules, all_seats(len(setting.seats)))
        return cls(setting.game, setting.seats, began, totals, first)

    @classmethod
    def read(cls, document: object) -> Self:
        """Read a session file (contract.md)."""
        reading = Reading()
        reader = read_document(plain(document, ""), reading, cls)
        if reader is None or reading.problems:
            raise InvalidError(reading.problems)
        return reader.evening

    def document(self) -> dict[str, Any]:
        """Return the session file, without voided deals."""
        names = self.names
        opening = {names[seat]: balance for seat, balance in self.begun().totals.items()}
        plays = {deal.number: deal.play for deal in self.deals if deal.play is not None}
        return write_document(self, self.deals, opening, plays)

    def record(
        self,
        answers: Any = None,
        outcome: str = Outcome.PLAYED,
        *,
        dealer: str | None = None,
        sits_out: Sequence[str] | None = None,
    ) -> Deal:
        """Record the next deal; if nobody is named, the turn decides who deals and sits out."""
        became, reader = read_outcome(outcome), Reader(self, Reading())
        turn = reader.read_turn(dealer, "dealer")
        out = reader.read_sits_out(plain(sits_out, "sits_out"), "sits_out")
        refuse(reader.reading.problems)
        entry = self.judge(turn, read_answers(answers, became), became, out)
        return self.write(entry, turn)

    def amend(self, number: int, answers: Any, outcome: str = Outcome.PLAYED) -> Deal:
        """Replace the answers of a deal; later deals stay as they were recorded.

        It keeps its multiplier, unless the answers have one.
        """
        became, version = read_outcome(outcome), self._deal(number).version
        given = read_answers(answers, became)
        return self._do(number, Amend(version=version, outcome=became, sheet=given))

    def void(self, number: int) -> Deal:
        """Strike a deal through: it keeps its line and counts for nothing."""
        deal = self._deal(number)
        return deal if deal.voided else self._do(number, Void(version=deal.version))

    def restore(self, number: int) -> Deal:
        deal = self._deal(number)
        return self._do(number, Restore(version=deal.version)) if deal.voided else deal

    def _do(self, number: int, act: DealAct) -> Deal:
        self._become(act.apply(self, self.deal(number), Author()))
        return self.deals[number - 1]

    def change(
        self,
        *,
        rules: Any = None,
        order: Sequence[str] = (),
        sits_out: Sequence[str] | None = None,
        dealer: str | None = None,
    ) -> None:
        """Change rules or seats from the next deal on.

        ``order`` has all at the table in order of play; a new name joins with balance 0. The rules
        decide who deals and sits out if nobody is named; without an order earlier choices stay.
        """
        reading = Reading()
        given, chosen = plain(order, "order"), plain(sits_out, "sits_out")
        named = read_seats(given, reading, "order") if given not in (None, []) else ()
        guests = [name for name in named if name not in self.names]
        names = (*self.names, *guests)
        out = read_names(chosen, names, reading, "sits_out") if chosen else None
        deals = None if dealer is None else read_player(dealer, names, reading, "dealer")
        new_rules = None if rules is None else plain(rules, "rules")
        reading.problems += [] if rules is None else rules_of(self.game, new_rules)[1]
        refuse(reading.problems)
        now, change = self.terms, Change(next_number=self.number, rules=new_rules)
        if named or chosen is not None or dealer is not None:
            change = replace(
                change,
                seats=tuple(Seat(names.index(name)) for name in named) or now.order,
                sits_out=now.sits_out if not named and chosen is None else tuple(out or ()) or None,
                dealer=now.dealer if not named and deals is None else deals,
                guests=tuple(Guest(name) for name in guests),
            )
        if change.moves or rules is not None:
            self._become(change.apply(self, Author()))

    def what_if(self, rules: Any, since: int = 1) -> Self:
        """Return the evening by other rules from a deal on; impossible deals keep their payouts."""
        check_number(since, len(self.deals) + 1, "since")
        new_rules, problems = rules_of(self.game, plain(rules, "rules"))
        refuse(problems)
        other = self.begun(TermsChange(NOW - 1, since, None, new_rules))
        other.book_again(self.deals, lambda number: number >= since)
        return other

    def _deal(self, number: int) -> Deal:
        check_number(number, len(self.deals), "number")
        return self.deals[number - 1]

    def _become(self, other: Self) -> None:
        for name in Walk.__slots__:
            setattr(self, name, getattr(other, name))

    @property
    def balances(self) -> dict[str, int]:
        return {self.names[seat]: balance for seat, balance in self.totals.items()}

    @property
    def dealer(self) -> str:
        """The name of whose turn it is to deal."""
        return self.names[self.turn.dealer]

    @property
    def progress(self) -> EveningProgress:
        """Whether the evening reached its end, and who won then, whatever was played later."""
        winners = tuple(self.names[seat] for seat in self.result.winners)
        return EveningProgress(self.result.finished, winners)

    def standings(self) -> list[tuple[int, str, int]]:
        """Return everybody's place and balance, the leader first."""
        return [(place, self.names[seat], balance) for place, seat, balance in self.ranked()]

    def why(self, number: int) -> list[str]:
        """Return the reasons for a deal's payouts, step by step."""
        return [str(step.text) for step in self._deal(number).entry.score.steps]


def plain(given: object, field: str) -> Any:
    """Convert a value to JSON types, tuples to lists; raise InvalidError if impossible."""
    try:
        return json.loads(json.dumps(given))
    except (TypeError, ValueError, RecursionError):
        raise InvalidError.of("malformed-json", field, say("This is not JSON.")) from None


def read_answers(answers: object, outcome: Outcome) -> Any:
    """Return answers as JSON types; raise InvalidError for those of a deal that was not played."""
    given = plain(answers, "sheet")
    if given is not None and outcome not in WITH_SHEET:
        raise InvalidError([unexpected_sheet("sheet")])
    return given


def read_outcome(given: object) -> Outcome:
    """Read the outcome of a deal; raise InvalidError."""
    reading = Reading()
    outcome: Outcome | None = READ_OUTCOME(given, reading, "outcome")
    if outcome is None:
        raise InvalidError(reading.problems)
    return outcome


def check_number(number: object, last: int, field: str) -> None:
    """Raise InvalidError unless something is the number of a deal up to the last one."""
    if type(number) is not int or not 1 <= number <= last:
        raise InvalidError.of("out-of-range", field, say("There is no such deal yet."))
