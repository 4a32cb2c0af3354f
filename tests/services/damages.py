"""What may go wrong with stored rows: each kind of damage, done behind the program's back."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Table, delete, insert, update

from scorer.rules.game import Outcome
from scorer.services.book.writing import DealChange
from scorer.services.deals import deals, reviews
from scorer.services.record.verify import verify
from scorer.storage import queries
from scorer.storage.models import Base
from tests.services.evenings import Evening, sheet, start

Damage = Callable[[Evening, Connection], None]

TABLES = Base.metadata.tables
DEALS, VERSIONS, PAYOUTS = TABLES["deal"], TABLES["deal_version"], TABLES["payout"]
REVIEWS = TABLES["review"]
SESSIONS, SEATS, STARTED = TABLES["card_session"], TABLES["seat"], TABLES["started_deal"]
ODD = {"0": 3, "1": 1, "2": -1, "3": -1, "4": -1}


def findings() -> list[str]:
    """List what `scorer verify` finds."""
    found: list[str] = []
    verify(found.append)
    return found


def an_evening() -> Evening:
    """Play seven deals: 2 is amended, 3 voided, 4 a misdeal, 5 a penalty, 6 restored.

    1 is disputed, 2 was before it was amended and was upheld after that, 3 was when it was voided.
    """
    evening = start({"preset": "classic", "session": {"end": "target", "target": 4}})
    for _ in range(3):
        evening.record(sheet())
    evening.record(None, Outcome.MISDEAL)
    evening.record({"offender": "Dora"}, Outcome.PENALTY)
    evening.record(sheet("Bea", None))
    say(evening, "dispute", 2)
    evening.amend(2, sheet("Ada", "Ezio"))
    for kind, number in (("dispute", 2), ("uphold", 2), ("dispute", 3), ("dispute", 1)):
        say(evening, kind, number)
    for number in (3, 6):
        evening.void(number)
    evening.restore(6)
    deals.start_deal(evening.session_id, evening.entry({"caller": "Ada", "bid": 61}), evening.by)
    return evening


def say(evening: Evening, kind: str, number: int) -> None:
    """Say something of a deal as it stands."""
    deal = evening.deal(number)
    seen = len(queries.deals.reviews(evening.circle_id, deal.deal_id))
    act = {"dispute": reviews.dispute_deal, "uphold": reviews.uphold_deal}[kind]
    act(evening.session_id, DealChange(number, deal.version, "Ciro was alone", seen), evening.by)


def change(
    table: Table, number: int | None = None, version: int | None = None, /, **values: Any
) -> Damage:
    """Overwrite columns in the rows of a session, of one deal, or of one version."""

    def damage(evening: Evening, connection: Connection) -> None:
        changed = update(table).values(**values).where(table.c.circle_id == evening.circle_id)
        if version is not None:
            changed = changed.where(table.c.version == version)
        if number is not None and "number" in table.c:
            changed = changed.where(table.c.number == number)
        elif number is not None:
            changed = changed.where(table.c.deal_id == evening.deal(number).deal_id)
        assert connection.execute(changed).rowcount

    return damage


def gone(table: Table, **where: Any) -> Damage:
    """Delete rows of a session."""

    def damage(evening: Evening, connection: Connection) -> None:
        dropped = delete(table).where(table.c.circle_id == evening.circle_id)
        for name, value in where.items():
            dropped = dropped.where(table.c[name] == value)
        assert connection.execute(dropped).rowcount

    return damage


def paid_too(number: int) -> Damage:
    """Pay a deal that pays nobody."""

    def damage(evening: Evening, connection: Connection) -> None:
        row = {"circle_id": evening.circle_id, "session_id": evening.session_id}
        connection.execute(insert(PAYOUTS).values(**row, number=number, seat=0, amount=1))

    return damage


def sheet_of_first(**answers: Any) -> Damage:
    """Overwrite answers on the sheet of deal 1."""

    def damage(evening: Evening, connection: Connection) -> None:
        stored = {**(evening.deal(1).stored or {}), **answers}
        change(VERSIONS, 1, stored=stored)(evening, connection)

    return damage


def first_version_gone(evening: Evening, connection: Connection) -> None:
    key = evening.deal(2).deal_id
    connection.execute(delete(VERSIONS).where(VERSIONS.c.deal_id == key, VERSIONS.c.version == 1))


def foreign_secret(_: Evening, connection: Connection) -> None:
    row = {"secret_hash": "x", "circle_id": uuid4(), "link_id": uuid4()}
    connection.execute(insert(TABLES["link_secret"]).values(**row))


UNREADABLE = "the rules cannot be read"
DAMAGES: dict[str, tuple[Damage, str]] = {
    "amount of a payout": (change(PAYOUTS, 1, amount=5), "deal 1: counts Ada +5"),
    "payouts missing": (gone(PAYOUTS, number=1), "deal 1: counts nobody"),
    "payout missing": (gone(PAYOUTS, number=1, seat=0), "deal 1: counts Bea +1"),
    "voided deal paid": (paid_too(3), "deal 3: counts Ada +1, but pays nobody"),
    "misdeal paid": (paid_too(4), "deal 4: counts Ada +1, but pays nobody"),
    "old payouts": (change(VERSIONS, 2, 1, payouts=ODD), "deal 2: version 1 pays Ada +3"),
    "no zero sum": (change(VERSIONS, 2, 1, payouts=ODD), "2: version 1 does not sum to zero"),
    "balances": (gone(PAYOUTS, number=1), "balances are Ada +2, Bea +4, Ciro −1, Dora −6, Ezio +1"),
    "card points": (sheet_of_first(card_points=40), "but by its rules Ada −2, Bea −1, Ciro +1"),
    "unlawful sheet": (sheet_of_first(partner="0"), "deal 1: version 1 breaks the rules"),
    "unknown answer": (sheet_of_first(mood="good"), "version 1 breaks the rules: sheet.mood"),
    "no sheet": (change(VERSIONS, 1, stored=None), "deal 1: version 1 breaks the rules"),
    "no object": (change(VERSIONS, 1, stored=[]), "deal 1: version 1 breaks the rules"),
    "misdeal with a sheet": (change(VERSIONS, 4, stored={}), "deal 4: version 1 breaks the rules"),
    "penalty of nobody": (
        change(VERSIONS, 5, stored={"offender": "7"}), "deal 5: version 1 breaks the rules",
    ),
    "one too few": (change(VERSIONS, 1, sits_out=[0]), "deal 1: version 1 has 4 players"),
    "deal missing": (gone(DEALS, number=2), "the deals are numbered [1, 3, 4, 5, 6]"),
    "next number": (change(SESSIONS, next_number=9), "deal 9 is stored as the next of 6"),
    "under way": (change(STARTED, number=6), "deal 6: is under way, but the next is 7"),
    "old one stands": (change(DEALS, 2, version=1), "deal 2: version 1 is stored as current"),
    "version missing": (first_version_gone, "deal 2: its versions are numbered [2]"),
    "versions missing": (gone(VERSIONS, version=1), "deal 1: its versions are numbered []"),
    "voided": (change(DEALS, 1, voided=True), "deal 1: voided is True, but False"),
    "outcome": (change(DEALS, 1, outcome="redeal"), "deal 1: outcome is redeal, but played"),
    "dealer": (change(DEALS, 1, dealer=2), "deal 1: dealer is 2, but 4"),
    "amended": (change(DEALS, 1, amended=True), "deal 1: amended is True"),
    "not amended": (change(DEALS, 2, amended=False), "deal 2: amended is False"),
    "amended first": (change(VERSIONS, 1, act="amend"), "1: version 1 cannot be an act amend"),
    "restored while it stood": (
        change(VERSIONS, 3, 2, act="restore"), "deal 3: version 2 cannot be an act restore",
    ),
    "recorded twice": (
        change(VERSIONS, 6, 2, act="record"), "deal 6: version 2 cannot be an act record",
    ),
    "voided by an amendment": (
        change(VERSIONS, 2, 2, voided=True), "deal 2: version 2 cannot be an act amend",
    ),
    "changed by a void": (
        change(VERSIONS, 3, 2, payouts=ODD), "deal 3: version 2 changes more than void can",
    ),
    "another dealer": (change(VERSIONS, 2, 2, dealer=3), "deal 2: version 2 has another dealer"),
    "another end": (
        change(SESSIONS, finished_number=1), "deal 1 is stored as the last, but replayed deal 2",
    ),
    "no end": (change(SESSIONS, finished_number=None), "deal None is stored as the last"),
    "disputed": (change(DEALS, 2, disputed=True), "deal 2: disputed is True, but its reviews"),
    "not disputed": (change(DEALS, 1, disputed=False), "deal 1: disputed is False, but its"),
    "upheld": (change(REVIEWS, 1, kind="uphold"), "deal 1: disputed is True, but its reviews"),
    "review missing": (gone(REVIEWS, review=1), "deal 2: its reviews are numbered [2, 3]"),
    "review of nothing": (
        change(REVIEWS, 1, version=7), "deal 1: review 1 is of version 7, which is not there",
    ),
    "review of a voided one": (
        change(REVIEWS, 3, version=2), "deal 3: review 1 is of version 2, which was voided",
    ),
    "review of an older one": (
        change(REVIEWS, 2, 1, version=3), "deal 2: review 2 is of an older version than the one",
    ),
    "dispute without a reason": (
        change(REVIEWS, 1, reason=None), "deal 1: review 1 disputes it without a reason",
    ),
    "unknown preset": (change(SESSIONS, rules={"preset": "x"}), UNREADABLE),
    "unlawful rules": (change(SESSIONS, rules={"floor": "high"}), UNREADABLE),
    "no rules": (change(SESSIONS, rules=[1]), UNREADABLE),
    "unknown game": (change(SESSIONS, game="poker"), UNREADABLE),
    "seat missing": (gone(SEATS, seat=4), f"{UNREADABLE}: ValueError('4 seats')"),
    "seat between missing": (gone(SEATS, seat=1), "ValueError('seats [0, 2, 3, 4]')"),
    "list of payouts": (change(VERSIONS, 1, payouts=[1]), "deal 1: cannot be read"),
    "payouts by name": (change(VERSIONS, 1, payouts={"Ada": 1}), "deal 1: cannot be read"),
    "odd sitting out": (change(VERSIONS, 1, sits_out="x"), "deal 1: cannot be read"),
    "secret of no circle": (foreign_secret, "rows of link_secret name a circle that is not"),
}  # fmt: skip
