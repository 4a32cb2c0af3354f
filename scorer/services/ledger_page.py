"""The money of a circle as it is shown: who stands how, who hands what to whom, what happened."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Any
from uuid import UUID

from scorer.ledger.money import EXACT, added, fewest_transfers, through_banker
from scorer.services.circles import find
from scorer.services.evening_money import Share
from scorer.services.ledger import MEANS, USUAL_CURRENCY
from scorer.services.sessions import title_of
from scorer.storage import queries
from scorer.storage.models import Player
from scorer.storage.queries import EntryRow, SoughtMoney, UnpostedSession
from scorer.texts import Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    Lines = Sequence[tuple[UUID, int]]

PAGE = 40
__all__ = ["EntryRow", "SoughtMoney"]
#: So many evenings that are not in the ledger are offered at once.
OFFERED = 5


@dataclass(frozen=True, slots=True)
class Account:
    """How somebody stands, in cents: positive for whoever is to get money."""

    player_id: UUID
    name: str
    cents: int


@dataclass(frozen=True, slots=True)
class HandedOver:
    """What somebody is to hand to somebody."""

    payer: Account
    payee: Account
    cents: int


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """An entry of the ledger: what it moves for whom, and of which session it is.

    ``amounts`` has a share for each person, ``first`` and ``second`` are the first two of its
    lines: of a payment who paid and who got it, of a cost who paid it; ``cents`` is how much.
    """

    row: EntryRow
    title: Text | str | None
    amounts: list[Share]
    first: str
    second: str
    second_id: UUID | None
    cents: int

    @property
    def means(self) -> Text | None:
        """How a payment was made, unless it was in cash."""
        return MEANS.get(self.row.means) if self.row.means != "cash" else None


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """The ledger of a circle: all accounts, a proposal that settles them, a page of its entries.

    ``exact`` says whether no proposal has fewer transfers. ``people`` are all who can be chosen.
    """

    accounts: list[Account]
    proposal: list[HandedOver]
    exact: bool
    lines: list[LedgerLine]
    more: bool
    unposted: list[UnpostedSession]
    people: list[Player]

    def account(self, player_id: UUID | None) -> Account | None:
        """Give how somebody stands, who may be nobody."""
        return next((one for one in self.accounts if one.player_id == player_id), None)


def ledger_page(
    circle_id: UUID,
    sought: SoughtMoney,
    *,
    banker: UUID | None = None,
    skip: int = 0,
    zone: tzinfo = UTC,
) -> LedgerPage:
    """Open the ledger of a circle, with a page of the entries that are looked for."""
    people = queries.players(circle_id)
    accounts = _accounts(circle_id, people)
    found = queries.sought_money(circle_id, sought, limit=PAGE + 1, skip=skip)
    return LedgerPage(
        accounts=sorted(accounts.values(), key=lambda one: (-one.cents, one.name.casefold())),
        proposal=_proposal(accounts, next((p for p in people if p.player_id == banker), None)),
        exact=banker is None and sum(1 for one in accounts.values() if one.cents) <= EXACT,
        lines=_lines(circle_id, found[:PAGE], people, zone),
        more=len(found) > PAGE,
        unposted=queries.unposted_sessions(circle_id, limit=OFFERED),
        people=people,
    )


def _accounts(circle_id: UUID, people: Sequence[Player]) -> dict[UUID, Account]:
    """Give the account of everybody who has one, in an order that renaming doesn't change."""
    stand = queries.accounts(circle_id)
    in_order = sorted(people, key=lambda one: (one.created_at, one.player_id))
    return {
        one.player_id: Account(one.player_id, one.name, stand[one.player_id])
        for one in in_order
        if one.player_id in stand
    }


def _proposal(accounts: Mapping[UUID, Account], banker: Player | None) -> list[HandedOver]:
    """Settle accounts, through a banker if there is one, who needs no account."""
    known = dict(accounts)
    if banker:
        known.setdefault(banker.player_id, Account(banker.player_id, banker.name, 0))
    cents = {key: one.cents for key, one in known.items()}
    found = through_banker(cents, banker.player_id) if banker else fewest_transfers(cents)
    return [HandedOver(known[one.payer], known[one.payee], one.cents) for one in found]


def _lines(
    circle_id: UUID, rows: Sequence[EntryRow], people: Sequence[Player], zone: tzinfo
) -> list[LedgerLine]:
    moved = queries.postings(circle_id, [row.entry_id for row in rows])
    sessions = {row.session_id for row in rows if row.session_id}
    titles = {
        one.session_id: title_of(one, zone) for one in queries.sessions_by_key(circle_id, sessions)
    }
    names = {one.player_id: one.name for one in people}
    return [
        _line(
            row,
            moved.get(row.entry_id, []),
            names,
            titles[row.session_id] if row.session_id else None,
        )
        for row in rows
    ]


def _line(
    row: EntryRow, moved: Lines, names: Mapping[UUID, str], title: Text | str | None
) -> LedgerLine:
    first, second = [*(who for who, _ in moved), None, None][:2]
    return LedgerLine(
        row=row,
        title=title,
        amounts=[Share(who, names[who], cents) for who, cents in _each(moved).items()],
        first=names[first] if first else "",
        second=names[second] if second else "",
        second_id=second,
        cents=moved[0][1] if moved else 0,
    )


def _each(moved: Lines) -> dict[UUID, int]:
    """Give one figure for each person, whoever gets most first."""
    sums = added({who: cents} for who, cents in moved)
    return dict(sorted(sums.items(), key=lambda one: -one[1]))


def ledger_document(circle_id: UUID) -> dict[str, Any]:
    """Give the ledger as programs read it: all that counts, oldest first."""
    people = queries.players(circle_id)
    accounts = _accounts(circle_id, people)
    names = {one.player_id: one.name for one in people}
    moved = queries.postings(circle_id)
    entries = [
        {
            "at": f"{row.at:%Y-%m-%dT%H:%M:%SZ}",
            "kind": row.kind,
            "amounts": {names[who]: n for who, n in _each(moved.get(row.entry_id, [])).items()},
            "session": row.session_id and str(row.session_id),
            "note": row.note or None,
        }
        for row in queries.ledger_entries(circle_id)
    ]
    return {
        "currency": find(circle_id).currency or USUAL_CURRENCY,
        "entries": entries,
        "balances": {one.name: one.cents for one in accounts.values()},
        "proposal": [
            {"from": one.payer.name, "to": one.payee.name, "cents": one.cents}
            for one in _proposal(accounts, None)
        ],
    }
