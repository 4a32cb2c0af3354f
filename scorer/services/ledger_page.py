"""The money of a circle as it is shown: accounts, a proposal that settles them, entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any
from uuid import UUID

from scorer.ledger.money import EXACT, Transfer, fewest_transfers, through_banker
from scorer.services.circles import find
from scorer.services.evening_money import Amount
from scorer.services.journal import Kind
from scorer.services.ledger import MEANS, USUAL_CURRENCY
from scorer.services.sessions import title_of
from scorer.storage import queries
from scorer.storage.models import Player
from scorer.storage.queries import EntryRow, SoughtMoney, UnpostedSession
from scorer.texts import Text

PAGE = 40
__all__ = ["EntryRow", "SoughtMoney"]
#: So many evenings that are not in the ledger are offered at once.
OFFERED = 5


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """An entry of the ledger, the title of its session, and its postings.

    The first posting of a payment or a cost is that of the payer, the second one of a payment that
    of the payee; ``amounts`` adds them up by player. ``vouched_for`` is a payment that an owner
    confirmed for the payee.
    """

    row: EntryRow
    title: Text | str | None
    postings: list[Amount]
    amounts: list[Amount]
    vouched_for: bool

    @property
    def means(self) -> Text | None:
        """How a payment was made, unless it was in cash."""
        return MEANS.get(self.row.means) if self.row.means != "cash" else None


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """The accounts of a circle, a proposal that settles them, and a page of entries.

    ``exact`` says whether no proposal has fewer transfers. ``people`` are all players.
    """

    accounts: list[Amount]
    proposal: list[Transfer[Amount]]
    exact: bool
    lines: list[LedgerLine]
    more: bool
    unposted: list[UnpostedSession]
    people: list[Player]

    def account(self, player_id: UUID | None) -> Amount | None:
        """Return the account of a player, if there is one."""
        return next((one for one in self.accounts if one.player_id == player_id), None)


def ledger_page(
    circle_id: UUID,
    sought: SoughtMoney,
    *,
    banker: UUID | None = None,
    skip: int = 0,
    zone: tzinfo = UTC,
) -> LedgerPage:
    """Return the money of a circle, with a page of the entries that are looked for."""
    people = queries.players(circle_id)
    accounts = _accounts(circle_id, people)
    found = queries.sought_money(circle_id, sought, limit=PAGE + 1, skip=skip)
    return LedgerPage(
        accounts=sorted(accounts, key=lambda one: (-one.cents, one.name.casefold())),
        proposal=_proposal(accounts, next((p for p in people if p.player_id == banker), None)),
        exact=banker is None and sum(1 for one in accounts if one.cents) <= EXACT,
        lines=_lines(circle_id, found[:PAGE], people, zone),
        more=len(found) > PAGE,
        unposted=queries.unposted_sessions(circle_id, limit=OFFERED),
        people=people,
    )


def _accounts(circle_id: UUID, people: Sequence[Player]) -> list[Amount]:
    """List the accounts in the order in which players were created."""
    stand = queries.accounts(circle_id)
    in_order = sorted(people, key=lambda one: (one.created_at, one.player_id))
    return [
        Amount(one.player_id, one.name, stand[one.player_id])
        for one in in_order
        if one.player_id in stand
    ]


def _proposal(accounts: Sequence[Amount], banker: Player | None) -> list[Transfer[Amount]]:
    """Settle accounts, through a banker if there is one, who may have no account."""
    cents = {one: one.cents for one in accounts}
    if banker is None:
        return fewest_transfers(cents)
    known = {one.player_id: one for one in accounts}
    nothing = Amount(banker.player_id, banker.name, 0)
    return through_banker(cents, known.get(banker.player_id, nothing))


def _lines(
    circle_id: UUID, rows: Sequence[EntryRow], people: Sequence[Player], zone: tzinfo
) -> list[LedgerLine]:
    moved = queries.postings(circle_id, [row.entry_id for row in rows])
    sessions = {row.session_id for row in rows if row.session_id}
    titles = {
        one.session_id: title_of(one, zone) for one in queries.sessions_by_key(circle_id, sessions)
    }
    names = {one.player_id: one.name for one in people}
    confirmed = [row.entry_id for row in rows if row.confirmed_at]
    vouched_for = (
        queries.last_entries(circle_id, Kind.PAYMENT_VOUCHED_FOR, "ledger_entry", confirmed)
        if confirmed
        else {}
    )
    return [
        LedgerLine(
            row=row,
            title=titles[row.session_id] if row.session_id else None,
            postings=[Amount(who, names[who], cents) for who, cents in moved[row.entry_id]],
            amounts=_amounts(moved[row.entry_id], names),
            vouched_for=row.entry_id in vouched_for,
        )
        for row in rows
    ]


def _amounts(moved: Sequence[tuple[UUID, int]], names: Mapping[UUID, str]) -> list[Amount]:
    """Add up the postings of each player, the highest amount first."""
    sums: Counter[UUID] = Counter()
    for who, cents in moved:
        sums[who] += cents
    return [Amount(who, names[who], cents) for who, cents in sums.most_common()]


def ledger_document(circle_id: UUID) -> dict[str, Any]:
    """Return the ledger as JSON: entries that are not voided, oldest first."""
    people = queries.players(circle_id)
    accounts = _accounts(circle_id, people)
    names = {one.player_id: one.name for one in people}
    moved = queries.postings(circle_id)
    entries = [
        {
            "at": f"{row.at:%Y-%m-%dT%H:%M:%SZ}",
            "kind": row.kind,
            "amounts": {one.name: one.cents for one in _amounts(moved[row.entry_id], names)},
            "session": row.session_id and str(row.session_id),
            "note": row.note or None,
        }
        for row in queries.ledger_entries(circle_id)
    ]
    return {
        "currency": find(circle_id).currency or USUAL_CURRENCY,
        "entries": entries,
        "balances": {one.name: one.cents for one in accounts},
        "proposal": [
            {"from": one.payer.name, "to": one.payee.name, "cents": one.cents}
            for one in _proposal(accounts, None)
        ],
    }
