"""A reference model of an evening: what must come of every act, worked out without its class.

People are names. Deals are paid by the operation that scores one deal; everything else, from whose
turn it is to what the balances are, is worked out here from the acts alone, as plainly as can be.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from scorer.operations import score
from tests.games.oracle import carried, is_drawn

PLAYED, PENALTY = "played", "penalty"
#: What became of a deal, and its sheet with the names of the people.
Told = tuple[str, Any]
#: Two more than play have room at a table, and ten on a sheet.
MORE, MOST = 2, 10


class RefusedError(Exception):
    """It can't be done so."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a deal is played: by which rules, in which order, who was chosen to wait and to deal."""

    rules: dict[str, Any]
    order: tuple[str, ...]
    out: tuple[str, ...] | None = None
    dealer: str | None = None

    def playing(self, dealer: str) -> tuple[str, ...]:
        """Who plays when somebody deals: those who have waited longest since they dealt."""
        if self.out is not None:
            return tuple(name for name in self.order if name not in self.out)
        place = self.order.index(dealer) + 1
        waiting = (self.order[place:] + self.order[:place])[: self.rules["players"]]
        return tuple(name for name in self.order if name in waiting)


@dataclass(frozen=True, slots=True)
class Note:
    """What was changed from a deal on, up to another or for good."""

    since: int
    until: int | None
    rules: dict[str, Any] | None = None
    order: tuple[str, ...] = ()
    out: tuple[str, ...] | None = None
    dealer: str | None = None

    def holds_for(self, number: int) -> bool:
        """Whether it is about a deal."""
        return self.since <= number and (self.until is None or number <= self.until)


@dataclass(frozen=True, slots=True)
class Written:
    """What stood on a line after somebody wrote it."""

    act: str
    dealer: str
    out: tuple[str, ...]
    outcome: str
    sheet: dict[str, Any] | None
    paid: dict[str, int]
    voided: bool = False


@dataclass(slots=True)
class Line:
    """A deal: all that was written for it, the last one counts; and what was said of it."""

    number: int
    versions: list[Written]
    moments: list[int]
    said: list[tuple[str, int]] = field(default_factory=list)
    disputed: bool = False

    @property
    def now(self) -> Written:
        """What counts."""
        return self.versions[-1]

    @property
    def amended(self) -> bool:
        """Whether it was ever corrected."""
        return any(version.act == "amend" for version in self.versions)

    @property
    def open_dispute(self) -> bool:
        """Whether it counts and somebody still says that it is wrong."""
        return self.disputed and not self.now.voided


@dataclass(slots=True)
class ReferenceModel:
    """The session: how it began, what was changed, its lines."""

    names: list[str]
    opening: dict[str, int]
    first_dealer: str
    began: Terms
    notes: list[Note] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    started: tuple[str, str] | None = None
    ended: bool = False
    moment: int = 0
    recorded: int = 0

    # What can be read off it

    @property
    def following(self) -> int:
        """The number of the next deal."""
        return len(self.lines) + 1

    def standing(self, before: int | None = None) -> list[Line]:
        """The lines that count, up to a number."""
        last = self.following if before is None else before
        return [line for line in self.lines if line.number < last and not line.now.voided]

    def terms(self, number: int, after: int | None = None) -> Terms:
        """How a deal is played; whoever was chosen to deal one that was struck out deals on."""
        terms, last = self.began, number - 1 if after is None else after
        for note in self.notes:
            if note.holds_for(number) and note.rules is not None:
                terms = replace(terms, rules=note.rules)
            elif note.holds_for(number):
                dealer = note.dealer if last < note.since else None
                terms = replace(terms, order=note.order, out=note.out, dealer=dealer)
        return terms

    def dealer(self, number: int, dealt: dict[int, str] | None = None) -> str:
        """Whose deal it is; ``dealt`` says who dealt where that is about to change."""
        before = self.standing(number)
        if not before:
            terms = self.terms(number, after=0)
            return terms.dealer or here_or_after(self.first_dealer, self.began.order, terms.order)
        last = before[-1]
        terms, then = self.terms(number, after=last.number), self.terms(last.number)
        dealer = (dealt or {}).get(last.number, last.now.dealer)
        if terms.dealer:
            return terms.dealer
        if dealer in terms.order and moves_on(last.now.outcome, then.rules):
            return terms.order[(terms.order.index(dealer) + 1) % len(terms.order)]
        return here_or_after(dealer, then.order, terms.order)

    def times(self, number: int) -> int:
        """How many times a deal counts: by what came to nothing since the last one that paid."""
        times = 1
        for line in self.standing():
            rules, sheet = self.terms(line.number).rules, line.now.sheet or {}
            more = {
                "thrown-in": (rules["throw_in"] or {}).get("times", 1),
                "all-passed": rules["auction"].get("all_pass_times", 1),
            }.get(line.now.outcome, 1)
            if line.now.outcome == PLAYED:
                times = 1
                if line.number < number and is_drawn(sheet, rules):
                    times = carried(sheet["times"], rules["draw"]["times"], rules)
            elif line.number < number:
                times = carried(times, more, rules)
        return times

    def turn(self) -> tuple[Terms, str]:
        """How the next deal is played, and who deals it."""
        before, number = self.standing(), self.following
        return self.terms(number, before[-1].number if before else 0), self.dealer(number)

    def balances(self, until: int | None = None) -> dict[str, int]:
        """What everybody has."""
        totals = {name: self.opening.get(name, 0) for name in self.names}
        for line in self.standing(None if until is None else until + 1):
            for name, amount in line.now.paid.items():
                totals[name] += amount
        return totals

    def finished(self) -> int | None:
        """The first deal at which the rules of that deal say that it is over."""
        played = 0
        for line in self.standing():
            played += line.now.outcome == PLAYED
            totals = sorted(self.balances(line.number).values())
            end = self.terms(line.number).rules["session"]
            reached = {
                "target": totals[-1] >= (end["target"] or 0),
                "deals": played >= (end["deals"] or 0),
            }
            level = totals[-1] == totals[-2] and end["tie"] == "play-on"
            if reached.get(end["end"]) and not level:
                return line.number
        return None

    def unconfirmed(self) -> set[int]:
        """The deals written since the last one was recorded that nobody has confirmed."""
        return {
            line.number
            for line in self.standing()
            if not self.ended
            and not line.disputed
            and line.moments[-1] >= self.recorded
            and ("confirm", len(line.versions)) not in line.said
        }

    # What is done to it

    def write(
        self, number: int, dealer: str, out: tuple[str, ...], told: Told, times: int = 1
    ) -> Written:
        """Work out what a deal pays; raise RefusedError where it can't have been played so."""
        terms, (outcome, sheet) = self.terms(number), told
        playing = [name for name in terms.order if name not in out]
        require(len(playing) == terms.rules["players"])
        if outcome == PENALTY:
            require(sheet["offender"] in playing)
            paid = {name: 1 - (name == sheet["offender"]) * len(playing) for name in playing}
            return Written("", dealer, out, outcome, sheet, paid)
        if outcome != PLAYED:
            return Written("", dealer, out, outcome, None, {})
        sheet = {"times": times, **sheet}
        asked = {"game": "briscola-chiamata", "rules": alone(terms.rules), "seats": playing}
        answer = score(asked | {"sheet": sheet})
        require(answer["ok"])
        return Written("", dealer, out, outcome, sheet, answer["payouts"])

    def record(self, told: Told) -> None:
        """Write the next deal."""
        require(not self.ended)
        terms, dealer = self.turn()
        out = tuple(name for name in terms.order if name not in terms.playing(dealer))
        times = self.times(self.following)
        written = self.write(self.following, dealer, out, told, times)
        self.lines.append(Line(self.following, [], []))
        self._put(self.lines[-1], replace(written, act="record"))
        self.recorded, self.started = self.moment, None

    def amend(self, number: int, told: Told) -> None:
        """Write a line anew."""
        line = self.lines[number - 1]
        old = line.now
        carried = old.sheet.get("times", 1) if old.sheet and old.outcome == PLAYED else None
        times = self.times(number) if carried is None else carried
        written = self.write(number, old.dealer, old.out, told, times)
        self._put(line, replace(written, act="amend", voided=old.voided))
        line.disputed = False

    def void(self, number: int) -> None:
        """Strike a line through, or let it count again."""
        line = self.lines[number - 1]
        act = "restore" if line.now.voided else "void"
        self._put(line, replace(line.now, act=act, voided=not line.now.voided))

    def say(self, kind: str, number: int) -> None:
        """Say something of a line."""
        line = self.lines[number - 1]
        said = (kind, len(line.versions))
        if kind == "confirm" and said in line.said:
            return
        require(not line.now.voided)
        require({"dispute": True, "confirm": not line.disputed, "uphold": line.disputed}[kind])
        line.said.append(said)
        self.moment += 1
        line.disputed = kind == "dispute"

    def start(self, caller: str, bid: str) -> None:
        """Write down who called, and at what."""
        require(not self.ended)
        self.started = caller, bid
        self._check_start()

    def _check_start(self) -> None:
        """Require that the deal under way can be played: its caller, and a bid of K or 75."""
        if self.started is None:
            return
        (caller, bid), (terms, dealer) = self.started, self.turn()
        playing, rules = terms.playing(dealer), terms.rules
        require(len(playing) == rules["players"] and caller in playing)
        require(rules["floor"] > 0 if bid == "K" else int(bid) <= rules["auction"]["maximum"])

    def change_rules(self, since: int, until: int | None, rules: dict[str, Any]) -> None:
        """Play by other rules from a deal on."""
        self._note(Note(since, until, rules=rules))
        self._write_anew(since, until, {}, None)

    def change_seats(self, note: Note, guests: dict[str, int], *, by_place: bool) -> None:
        """Let other people sit in another order from a deal on."""
        room = self.terms(note.since).rules["players"] + MORE
        require(0 < len(note.order) <= room and len(self.names) + len(guests) <= MOST)
        before = {line.number: self.terms(line.number) for line in self.lines}
        chosen = self._chosen(note, before, by_place=by_place) if note.out is None else []
        self.names += guests
        self.opening |= guests
        self.notes += [note, *chosen]
        self.moment += 1 + len(chosen)
        dealt: dict[int, str] = {}
        for line in self.lines:
            if note.holds_for(line.number):
                dealt[line.number] = self.dealer(line.number, dealt)
        self._write_anew(note.since, note.until, dealt, before if by_place else None)

    def _note(self, note: Note) -> None:
        self.notes.append(note)
        self.moment += 1

    def _chosen(self, note: Note, before: dict[int, Terms], *, by_place: bool) -> list[Note]:
        """Whoever waited not by the rules but because he was chosen, waits in the new order too."""
        notes = []
        for line in self.lines:
            if not note.holds_for(line.number):
                continue
            old, now = before[line.number], line.now
            by_rules = set(old.order) - set(replace(old, out=None).playing(now.dealer))
            if set(now.out) == by_rules:
                continue
            moved = dict(zip(old.order, note.order, strict=False)) if by_place else {}
            waiting = {moved.get(name, name) for name in now.out}
            if waiting and waiting <= set(note.order):
                out = tuple(name for name in note.order if name in waiting)
                dealer = note.dealer if line.number == note.since else None
                notes.append(Note(line.number, line.number, None, note.order, out, dealer))
        return notes

    def _write_anew(
        self, since: int, until: int | None, dealt: dict[int, str], before: dict[int, Terms] | None
    ) -> None:
        """Write every line that a change holds for once more."""
        terms, dealer = self.turn()
        require(len(terms.playing(dealer)) == terms.rules["players"])
        for line in self.lines:
            if since <= line.number and (until is None or line.number <= until):
                self._put(line, self._anew(line, dealt, before))
        self._check_start()

    def _anew(self, line: Line, dealt: dict[int, str], before: dict[int, Terms] | None) -> Written:
        now, terms = line.now, self.terms(line.number)
        dealer = dealt.get(line.number, now.dealer)
        out, sheet = now.out, now.sheet
        if dealt:
            out = tuple(name for name in terms.order if name not in terms.playing(dealer))
        if before is not None:
            old = before[line.number].order
            require(len(old) == len(terms.order))
            sheet = renamed(sheet, dict(zip(old, terms.order, strict=True)))
        written = self.write(line.number, dealer, out, (now.outcome, sheet))
        return replace(written, act="amend", voided=now.voided)

    def _put(self, line: Line, written: Written) -> None:
        self.moment += 1
        line.versions.append(written)
        line.moments.append(self.moment)


def here_or_after(name: str, before: tuple[str, ...], order: tuple[str, ...]) -> str:
    """Somebody, or whoever sat next to him and is still here."""
    if name in order:
        return name
    place = before.index(name) if name in before else 0
    stayed = [other for other in before[place:] + before[:place] if other in order]
    return stayed[0] if stayed and name in before else order[0]


def moves_on(outcome: str, rules: dict[str, Any]) -> bool:
    """Whether the next one deals after this."""
    if outcome == "all-passed":
        return bool(rules["auction"]["all_pass"] == "next-dealer")
    if outcome == "thrown-in" and rules["throw_in"]:
        return not rules["throw_in"]["same_dealer"]
    return outcome == PLAYED


def renamed(sheet: dict[str, Any] | None, who: dict[str, str]) -> dict[str, Any] | None:
    """Tell a sheet of other people."""
    if sheet is None:
        return None
    people = {
        key: who.get(sheet[key], sheet[key])
        for key in ("caller", "partner", "offender")
        if key in sheet
    }
    return sheet | people


def alone(rules: dict[str, Any]) -> dict[str, Any]:
    """Give rules as they are for those who play, whoever else is at the table."""
    return {**rules, "preset": rules["slug"], "sits_out": None}


def require(condition: bool) -> None:  # noqa: FBT001  # it reads as a sentence
    """Refuse what does not hold."""
    if not condition:
        raise RefusedError
