"""A circle with a row in each of its tables, for tests that need rows to look at."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import Column

from scorer.roles import Role
from scorer.storage import in_transaction, models, queries, write
from scorer.storage.models import Base

FRIDAY = datetime(2026, 11, 20, 20, 30, tzinfo=UTC)
NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio")
PAYOUTS = (2, -1, -1, 1, -1)
#: What a column holds that a row says nothing of: by its name, or else by its type.
FILLED: dict[Any, Any] = {
    "role": Role.SCOREKEEPER,
    "game": "briscola-chiamata",
    "rules": {"slug": "classic"},
    "stored": {"caller": "0", "bid": "2@70", "partner": "3", "card_points": 71},
    "sits_out": [],
    "outcome": "played",
    "act": "record",
    "kind": "evening",
    bool: False,
    bytes: b"photo",
    int: 1,
    date: FRIDAY.date(),
    datetime: FRIDAY,
    object: {},
}
Columns = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Evening:
    """The keys of what was written; every name that was written starts with the mark."""

    mark: str
    known: dict[str, UUID]
    older_id: UUID
    player_ids: tuple[UUID, ...]
    deal_ids: tuple[UUID, ...]

    @property
    def circle_id(self) -> UUID:
        return self.known["circle_id"]

    @property
    def session_id(self) -> UUID:
        """The newer session."""
        return self.known["session_id"]

    @property
    def keys(self) -> tuple[UUID, UUID]:
        """The keys of the newer session."""
        return self.circle_id, self.session_id

    @property
    def every_key(self) -> set[UUID]:
        return {*self.known.values(), self.older_id, *self.player_ids, *self.deal_ids}

    @property
    def deals(self) -> list[models.DealRow]:
        """The deals that are stored."""
        return queries.journal.stored(*self.keys, models.DealRow, models.DealRow.number)

    def row(self, model: type[Base], **said: Any) -> Base:
        """Make a row of the circle, with whatever nobody says filled in if it has to be."""
        columns = [
            one for one in Base.metadata.tables[model.__tablename__].c if one.name not in said
        ]
        return model(**said, **{one.name: self._filling(one) for one in columns if _is_wanted(one)})

    def _filling(self, column: Column[Any]) -> Any:
        if column.name == "written_by":
            return f"{self.mark}Ada"
        kind = column.type.python_type
        for filled in (self.known, FILLED):
            if column.name in filled:
                return filled[column.name]
        return f"{self.mark}{column.name}" if kind is str else FILLED[kind]


def _is_wanted(column: Column[Any]) -> bool:
    if column.name in {"phone_id", "role", "stored", "written_by"}:
        return True
    return not (column.nullable or column.default or column.server_default)


def write_evening(mark: str = "", deals: int = 3) -> Evening:
    """Write a circle, its newer session with deals played and a deal under way, an older one."""
    named = {column.name for table in Base.metadata.sorted_tables for column in table.c}
    deal_ids, player_ids = ([uuid4() for _ in range(count)] for count in (deals, len(NAMES)))
    known = {name: uuid4() for name in named if name.endswith("_id")}
    known |= dict(zip(("player_id", "deal_id"), (player_ids[0], *deal_ids[:1]), strict=False))
    evening = Evening(mark, known, uuid4(), (*player_ids,), (*deal_ids,))
    in_transaction(lambda: _write_all(evening))
    return evening


def _write_all(evening: Evening) -> None:
    """Write a row of each table, or those that are said of it, in the order of the keys."""
    of_tables = {mapper.local_table: mapper.class_ for mapper in Base.registry.mappers}
    said = _said(evening)
    for table in Base.metadata.sorted_tables:
        if "circle_id" in table.c:
            model = of_tables[table]
            write(*(evening.row(model, **columns) for columns in said.get(model, [{}])))


def _said(evening: Evening) -> dict[type[Base], list[Columns]]:
    """The newer session has balances brought in; the older one is a table of a tournament.

    The one phone came by the link and is the first player's, who is to get from the second. Deal 1
    was confirmed and then disputed, twice; the others were confirmed.
    """
    mark, older = evening.mark, {"session_id": evening.older_id}
    people = [*zip(evening.player_ids, NAMES, strict=True)]
    deals = [{"deal_id": key, "number": n, "dealer": n % 5}
             for n, key in enumerate(evening.deal_ids, 1)]  # fmt: skip
    return {
        models.Circle: [{"name": f"{mark}Friday"}],
        models.Player: [{"player_id": key, "name": f"{mark}{name}"} for key, name in people],
        models.Phone: [
            {name: evening.known[name] for name in ("link_id", "player_id")}
            | {"name": f"{mark}Phone 1"}
        ],
        models.RuleSetVersion: [{"version": version} for version in (1, 2)],
        models.CardSession: [
            {"title": f"{mark}newer", "next_number": len(deals) + 1, "first_dealer": 4},
            {
                **older,
                "title": f"{mark}older",
                "started_at": FRIDAY - timedelta(days=7),
                "ended_at": FRIDAY - timedelta(days=6),
            },
        ],
        models.Seat: [
            {"session_id": key, "seat": seat, "player_id": player_id, "opening": 10 * seat}
            for key in (evening.session_id, evening.older_id)
            for seat, player_id in enumerate(evening.player_ids)
        ],
        models.DealRow: [{**deal, "disputed": deal["number"] == 1} for deal in deals],
        models.DealVersion: [
            {**deal, "payouts": {str(seat): paid for seat, paid in enumerate(PAYOUTS)}}
            for deal in deals
        ],
        models.Payout: [
            {"number": deal["number"], "seat": seat, "amount": paid}
            for deal in deals
            for seat, paid in enumerate(PAYOUTS)
        ],
        models.ReviewRow: [
            {"deal_id": deal["deal_id"], "number": deal["number"], "review": review, "kind": kind}
            for deal in deals
            for review, kind in enumerate(("confirm", "dispute", "dispute"), 1)
            if review == 1 or deal["number"] == 1
        ],
        models.Play: [{"deal_id": key} for key in evening.deal_ids[:1]],
        models.SessionChange: [{"serial": 1, "rules": FILLED["rules"]}],
        models.StartedDeal: [{"deal_id": uuid4(), "number": len(deals) + 1}],
        models.LedgerEntry: [{"session_id": evening.session_id, "way": "points"}],
        models.Posting: [
            {"line": line, "player_id": evening.player_ids[line], "cents": cents}
            for line, cents in enumerate((50, -50))
        ],
        models.PublicPage: [{"session_id": evening.session_id}],
        models.TournamentEntry: [{"entry": entry} for entry in (1, 2)],
        models.TournamentPlayer: [
            {"entry": entry, "place": 0, "player_id": evening.player_ids[entry - 1]}
            for entry in (1, 2)
        ],
        models.TournamentTable: [{**older, "scores": [2, 1]}],
        models.TablePhone: [older],
    }
