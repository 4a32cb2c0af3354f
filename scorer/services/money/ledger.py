"""The money of a circle beside its evenings: payments, shared costs, the currency.

An entry changes in two ways only: the payee confirms it, and it is voided.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Annotated, NamedTuple
from uuid import UUID

from scorer.errors import InvalidError, NotFoundError, Problem, RefusedError, existing
from scorer.ledger.money import EXACT, Transfer, cost, fewest_transfers, through_banker
from scorer.roles import Holder, Role
from scorer.rules.questions import Ask, SentKey
from scorer.services.base import journal
from scorer.services.base.clock import noon_of, now, zone_called
from scorer.services.base.journal import Author, Kind, authored, may_void
from scorer.services.circle import phones
from scorer.services.circle.circles import find, locked_circle
from scorer.services.circle.names import title_of
from scorer.services.circle.players import as_they_came
from scorer.services.money.evenings import Amount
from scorer.services.session import settling
from scorer.storage import models, queries, transaction
from scorer.storage.models import LedgerEntry, Player
from scorer.storage.queries.circle import SessionName
from scorer.texts import Text, say
from scorer.typed_text import TypedText, one_line

CURRENCIES = (
    *("EUR", "CHF", "GBP", "USD", "CAD", "AUD", "BRL", "ARS", "SEK", "NOK", "DKK", "PLN"),
    *("CZK", "HUF", "RON", "ALL", "TRY", "TND", "MAD", "JPY"),
)
MEANS = {"cash": say("cash"), "bank": say("bank or app"), "other": say("another way")}
MOST_PARTS = 99
NOTE = TypedText(200, say("A note has at most 200 letters."), "too-long")

WHO = say("choose")
Payer = Annotated[UUID | None, Ask(say("Who paid?"), none=WHO, needed=True, player=True)]
Cents = Annotated[
    int | None, Ask(say("Amount"), low=1, high=settling.MOST_CENTS, needed=True, cents=True)
]
PaidOn = Annotated[date | None, Ask(say("When? Today, if left empty"))]


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment in cents, by default today in cash."""

    key: SentKey
    payer: Payer
    payee: Annotated[UUID | None, Ask(say("Who got it?"), none=WHO, needed=True, player=True)]
    amount: Cents
    day: PaidOn = None
    means: Annotated[str | None, Ask(say("How?"))] = "cash"
    note: Annotated[str, Ask(say("Note"), typed=NOTE)] = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost in cents, and how many parts each has of it who shares it."""

    key: SentKey
    payer: Payer
    amount: Cents
    among: Annotated[Mapping[UUID, int], Ask(say("For whom?"), player=True)]
    note: Annotated[str, Ask(say("What for?"), typed=NOTE)]
    day: PaidOn = None


def note_payment(
    circle_id: UUID, payment: Payment, *, by: Author = None, tournament_id: UUID | None = None
) -> None:
    """Write down a payment, once for each key, confirmed if the phone speaks for the payee.

    That of a fee is about its tournament.
    """
    named = {"payer": payment.payer, "payee": payment.payee}
    problems = [*_paid_problems(circle_id, payment), *_known(circle_id, named)]
    if payment.payer is not None and payment.payer == payment.payee:
        message = say("Somebody pays somebody else: choose another name.")
        problems.append(Problem("same-player", "payee", message))
    if payment.means not in {*MEANS, None}:
        problems.append(Problem("unknown-means", "means", say("Choose one of these.")))
    if problems or payment.amount is None or payment.payer is None or payment.payee is None:
        raise InvalidError(problems)
    _check_own(by, (payment.payer, payment.payee))
    entry = _entry(circle_id, "payment", payment, by, tournament_id)
    entry.means = payment.means or ""
    if by and by.player_id == payment.payee and phones.speaks_for_player(by):
        entry.confirmed_at = None if _was_of(by, payment.payer) else now()
    lines = [(payment.payer, payment.amount), (payment.payee, -payment.amount)]
    _write(Kind.PAYMENT_NOTED, entry, lines, by)


def share_cost(
    circle_id: UUID, shared: Cost, *, by: Author = None, tournament_id: UUID | None = None
) -> None:
    """Write down a shared cost, or the fee of a tournament, once for each key.

    Raise InvalidError.
    """
    parts = {who: part for who, part in shared.among.items() if part}
    named = {"payer": shared.payer} | {f"among-{who}": who for who in parts}
    problems = [*_paid_problems(circle_id, shared), *_known(circle_id, named)]
    if not parts:
        problems.append(Problem("nobody", "among", say("Tick who shares it.")))
    if not all(0 <= part <= MOST_PARTS for part in shared.among.values()):
        problems.append(Problem("out-of-range", "among", say("From 0 to 99 parts.")))
    if not one_line(shared.note):
        problems.append(Problem("bad-name", "note", say("Say what it was for.")))
    if problems or shared.amount is None or shared.payer is None:
        raise InvalidError(problems)
    _check_own(by, (shared.payer,))
    entry = _entry(circle_id, "cost", shared, by, tournament_id)
    _write(Kind.COST_SHARED, entry, cost(shared.payer, shared.amount, parts, shared.key), by)


def _paid_problems(circle_id: UUID, paid: Payment | Cost) -> Iterator[Problem]:
    wanted = say("An amount from %(least)s to %(most)s.")
    yield from settling.amount_problems(circle_id, "amount", paid.amount or 0, wanted)
    yield from NOTE.problems(paid.note, "note")
    if paid.day is not None and paid.day > _today(circle_id):
        yield Problem("bad-date", "day", say("That day has not come yet."))


def _today(circle_id: UUID) -> date:
    return now().astimezone(zone_called(find(circle_id).zone)).date()


def _known(circle_id: UUID, people: Mapping[str, UUID | None]) -> Iterator[Problem]:
    known = queries.circle.player_names(circle_id)
    for path, who in people.items():
        if who not in known:
            yield Problem("unknown-player", path, say("Choose a player."))


def _check_own(by: Author, people: Collection[UUID]) -> None:
    """Raise RefusedError if a phone without the pen records what others paid."""
    if by and not by.role.reaches(Role.SCOREKEEPER) and by.player_id not in people:
        message = say("Without the pen you may only write down what you paid or got yourself.")
        raise RefusedError(message)


def _entry(
    circle_id: UUID, kind: str, paid: Payment | Cost, by: Author, tournament_id: UUID | None
) -> models.LedgerEntry:
    """Return an entry at noon of its day, or of now."""
    zone = zone_called(find(circle_id).zone)
    at = noon_of(paid.day, zone) if paid.day and paid.day < _today(circle_id) else None
    return models.LedgerEntry(
        circle_id=circle_id,
        entry_id=paid.key,
        kind=kind,
        tournament_id=tournament_id,
        note=one_line(paid.note),
        **authored(by, at),
    )


@transaction
def _write(
    kind: Kind, entry: models.LedgerEntry, lines: Sequence[tuple[UUID, int]], by: Author
) -> None:
    locked_circle(entry.circle_id)
    if queries.find(models.LedgerEntry, entry.circle_id, entry.entry_id) is None:
        journal.post(kind, entry, lines, by)


@transaction
def confirm_payment(circle_id: UUID, entry_id: UUID, *, by: Holder) -> None:
    """Confirm a payment, on the phone that speaks for its payee; raise RefusedError.

    An owner vouches for a payment of others.
    """
    entry = _found(circle_id, entry_id)
    if entry.kind != "payment" or entry.voided_at is not None:
        raise NotFoundError
    (payer, _), (payee, _) = queries.money.postings(circle_id, [entry_id])[entry_id]
    if by.player_id != payee and by.role is not Role.OWNER:
        raise RefusedError(ONLY_PAYEE)
    if by.player_id == payee and not phones.speaks_for_player(by):
        raise RefusedError(HELD_LONGER)
    if _was_of(by, payer):
        raise RefusedError(OF_PAYER)
    kind = Kind.PAYMENT_CONFIRMED if by.player_id == payee else Kind.PAYMENT_VOUCHED_FOR
    journal.change(kind, entry, by, confirmed_at=entry.confirmed_at or now())


ONLY_PAYEE = say("Only whoever got the money, or an owner of the circle, can say so.")
HELD_LONGER = say(
    "Another phone has been yours for longer: confirm it there, or ask an owner of the circle."
)
OF_PAYER = say("This phone has been the payer’s: the money is confirmed on another one.")


def may_confirm(by: Holder, payer: UUID, payee: UUID) -> bool:
    """Whether a phone is the payee's, or that of an owner who did not pay."""
    return by.player_id == payee or (by.role is Role.OWNER and by.player_id != payer)


def _was_of(by: Holder, player_id: UUID) -> bool:
    """Whether a phone is or was a player's, so that no payer confirms under another name."""
    return queries.journal.was_held(by.circle_id, Kind.HELD, by.phone_id, player_id) is not None


@transaction
def void_entry(circle_id: UUID, entry_id: UUID, *, by: Author = None) -> None:
    """Void a payment or a cost; raise RefusedError.

    The phone that recorded it may do so, and any with the pen. Evenings can't be voided, only paid
    another way.
    """
    entry = _found(circle_id, entry_id)
    if entry.kind not in {"payment", "cost"}:
        raise NotFoundError
    if not may_void(by, entry.phone_id):
        raise RefusedError(say("Only whoever wrote it down, or has the pen, can take it back."))
    journal.change(Kind.MONEY_VOIDED, entry, by, voided_at=entry.voided_at or now())


def _found(circle_id: UUID, entry_id: UUID) -> models.LedgerEntry:
    """Find an entry, with the circle locked until the commit; raise NotFoundError."""
    locked_circle(circle_id)
    return existing(queries.find(models.LedgerEntry, circle_id, entry_id))


@transaction
def choose_currency(
    circle_id: UUID,
    currency: Annotated[str, Ask("The currency of a circle by its ISO code")],
    *,
    by: Author = None,
) -> None:
    """Choose the currency of a circle, for good; raise InvalidError."""
    if currency not in CURRENCIES:
        raise InvalidError.of("unknown-currency", "currency", say("Choose one of these."))
    circle = locked_circle(circle_id)
    if circle.currency and circle.currency != currency:
        message = say("The currency was chosen already: amounts don’t change theirs.")
        raise InvalidError.of("currency-chosen", "currency", message)
    journal.change(Kind.CURRENCY_CHOSEN, circle, by, currency=currency)


#: So many entries a program gets at once, and so many are on the page, of which a phone shows ten.
PAGE, SHOWN = 40, 20
#: Maximum of evenings outside the ledger that are offered at once.
OFFERED = 5


class LedgerLine(NamedTuple):
    """An entry of the ledger, the title of its session, and its postings.

    The first posting of a payment or a cost is the payer's, the second one of a payment the
    payee's. ``vouched_for`` says that an owner confirmed a payment for the payee.
    """

    row: LedgerEntry
    title: Text | str | None
    postings: list[Amount]
    vouched_for: bool

    @property
    def amounts(self) -> list[Amount]:
        """What each player got or paid, the highest amount first."""
        sums: Counter[tuple[UUID, str]] = Counter()
        for who, name, cents in self.postings:
            sums[who, name] += cents
        return [Amount(*who, cents) for who, cents in sums.most_common()]

    @property
    def means(self) -> Text | None:
        return MEANS.get(self.row.means) if self.row.means != "cash" else None


class LedgerPage(NamedTuple):
    """All accounts, a proposal to settle them (``exact`` if none is shorter), a page of entries."""

    accounts: list[Amount]
    proposal: list[Transfer[Amount]]
    exact: bool
    lines: list[LedgerLine]
    more: bool
    unposted: list[SessionName]
    people: list[Player]

    def account(self, player_id: UUID | None) -> Amount | None:
        return next((account for account in self.accounts if account.player_id == player_id), None)


def ledger_page(
    circle_id: UUID,
    *,
    player: UUID | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    banker: UUID | None = None,
    skip: int = 0,
    zone: tzinfo = UTC,
) -> LedgerPage:
    people = queries.circle.players(circle_id)
    accounts = _accounts(circle_id, people)
    rows = queries.money.find_entries(
        circle_id, player=player, since=since, until=until, limit=SHOWN + 1, skip=skip
    )
    return LedgerPage(
        accounts=sorted(accounts, key=lambda account: (-account.cents, account.name.casefold())),
        proposal=_proposal(accounts, next((p for p in people if p.player_id == banker), None)),
        exact=banker is None and sum(1 for account in accounts if account.cents) <= EXACT,
        lines=_lines(circle_id, rows[:SHOWN], people, zone),
        more=len(rows) > SHOWN,
        unposted=queries.money.unposted_sessions(circle_id, limit=OFFERED),
        people=people,
    )


def entry_page(circle_id: UUID, before: UUID | None = None) -> tuple[list[LedgerLine], bool]:
    """Return a page of all entries, newest first, after an entry; and whether there are more."""
    last = existing(queries.find(models.LedgerEntry, circle_id, before)) if before else None
    rows = queries.money.find_entries(circle_id, limit=PAGE + 1, after=last)
    lines = _lines(circle_id, rows[:PAGE], queries.circle.players(circle_id), UTC)
    return lines, len(rows) > PAGE


def _accounts(circle_id: UUID, people: Sequence[Player]) -> list[Amount]:
    """List the accounts in the order in which players were created."""
    stand = queries.money.accounts(circle_id)
    return [
        Amount(player.player_id, player.name, stand[player.player_id])
        for player in as_they_came(people)
        if player.player_id in stand
    ]


def _proposal(accounts: Sequence[Amount], banker: Player | None) -> list[Transfer[Amount]]:
    """Settle accounts, through a banker if there is one, who may have no account."""
    cents = {account: account.cents for account in accounts}
    if banker is None:
        return fewest_transfers(cents)
    known = {account.player_id: account for account in accounts}
    nothing = Amount(banker.player_id, banker.name, 0)
    return through_banker(cents, known.get(banker.player_id, nothing))


def _lines(
    circle_id: UUID, rows: Sequence[LedgerEntry], people: Sequence[Player], zone: tzinfo
) -> list[LedgerLine]:
    moved = queries.money.postings(circle_id, [row.entry_id for row in rows])
    sessions = {row.session_id for row in rows if row.session_id}
    titles = {
        row.session_id: title_of(row, zone)
        for row in queries.session.sessions_by_key(circle_id, sessions)
    }
    names = {player.player_id: player.name for player in people}
    confirmed = [row.entry_id for row in rows if row.confirmed_at]
    vouched_for = (
        queries.journal.last_entries(circle_id, Kind.PAYMENT_VOUCHED_FOR, "ledger_entry", confirmed)
        if confirmed
        else {}
    )
    return [
        LedgerLine(
            row=row,
            title=titles[row.session_id] if row.session_id else None,
            postings=[Amount(who, names[who], cents) for who, cents in moved[row.entry_id]],
            vouched_for=row.entry_id in vouched_for,
        )
        for row in rows
    ]


class WholeLedger(NamedTuple):
    """The entries that are not voided, oldest first, the accounts, and what would settle them."""

    currency: str
    entries: list[LedgerLine]
    accounts: list[Amount]
    proposal: list[Transfer[Amount]]


def whole_ledger(circle_id: UUID) -> WholeLedger:
    """Return the money of the circle: entries, balances, and payments that would settle them."""
    people = queries.circle.players(circle_id)
    accounts = _accounts(circle_id, people)
    return WholeLedger(
        currency=find(circle_id).currency or settling.USUAL_CURRENCY,
        entries=_lines(circle_id, queries.money.ledger_entries(circle_id), people, UTC),
        accounts=accounts,
        proposal=_proposal(accounts, None),
    )
