"""Read a tournament document, and report every problem with its code and the path of its field."""

from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any, Literal

from scorer.errors import UnknownGameError
from scorer.games import find_game
from scorer.rules.bands import FOUR_DEALS, THREE_DEALS, VictoryPoints
from scorer.rules.questions import (
    Ask,
    Reader,
    Reading,
    choice_reader,
    join,
    line_reader,
    missing,
    number_reader,
    read,
    read_object,
)
from scorer.shapes import GameSlug, RulesChoice, Shape, gives, keys
from scorer.texts import about, did_you_mean, say
from scorer.tournaments.facts import (
    MOST_POINTS,
    MOST_TURNS,
    Entry,
    Plan,
    PlanKind,
    Points,
    PointsKind,
    Side,
    Sides,
    TieBreak,
    Tournament,
    TurnDrawn,
    TurnTable,
)

FORMAT = "scorer-tournament/1"
MOST_ENTRIES, LONGEST_NAME = 200, 200
MOST_LISTED = 20_000


class FiledEntry(Shape):
    """A person, a pair or a team."""

    id: str = gives("Its id.")
    name: str = gives("Its name.", unsaid=True)
    club: str | None = gives("Its club: two of one are kept apart at first.", unsaid=True)
    first: int | None = gives("The first turn of a late entry.", unsaid=True, called="from")
    withdrawn: int | None = gives("The turn before which it left.", unsaid=True)


class FiledPoints(Shape):
    """What a table is worth."""

    kind: PointsKind = gives("What counts.", unsaid=True)
    win: int = gives("Points of who wins.", unsaid=True)
    draw: int = gives("Points of a draw.", unsaid=True)
    loss: int = gives("Points of who loses.", unsaid=True)
    values: list[int] | None = gives("Points by place.", unsaid=True)
    table: str | list[list[int]] = gives(
        "Of victory points: three-deals, four-deals, or [largest difference, points] rows.",
        unsaid=True,
    )


class FiledTable(Shape):
    """A table of a turn; a side is an entry, or two partners of an individual tournament."""

    table: int | None = gives("Its number.", unsaid=True)
    sides: list[str | list[str]] = gives("The sides.")
    scores: list[int] | None = gives("One a side; null while the table plays.", unsaid=True)
    forfeit: str | None = gives("Who gives the table up.", unsaid=True)
    session: str | None = gives("The session of the table; nobody reads it.", unsaid=True)


class FiledRound(Shape):
    """A turn."""

    round: int | None = gives("Its number.", unsaid=True)
    tables: list[FiledTable] = gives("The tables.", unsaid=True)
    byes: list[str] = gives("The entries that rest.", unsaid=True)
    penalty: Mapping[str, int] | None = gives("Points that entries lose.", unsaid=True)


class Bye(Shape):
    """What a turn is worth to who rests."""

    points: int = gives("The points.", unsaid=True)


class TournamentFile(Shape):
    """A tournament as it was written down."""

    format: Literal["scorer-tournament/1"] = gives("The format.", unsaid=True)
    id: str | None = gives("Its key.", unsaid=True)
    name: str | None = gives("Its name.", unsaid=True)
    game: GameSlug | None = gives("The game.", unsaid=True)
    rules: RulesChoice = gives("The rules of each session.", unsaid=True)
    entries: list[FiledEntry] = gives("Who takes part.")
    plan: Plan = gives("How they are seated.")
    apart: list[list[str]] = gives("Pairs of entries that should not meet.", unsaid=True)
    bye: Bye | None = gives("What resting is worth.", unsaid=True)
    seed: str = gives("What lots are drawn by.", unsaid=True)
    points: FiledPoints | None = gives("What a table is worth.", unsaid=True)
    ties: list[TieBreak] = gives("What orders who is level, in this order.", unsaid=True)
    rounds: list[FiledRound] = gives("The turns so far.", unsaid=True)


KEYS, ENTRY_KEYS, POINTS_KEYS = keys(TournamentFile), keys(FiledEntry), keys(FiledPoints)
ROUND_KEYS, TABLE_KEYS = keys(FiledRound), keys(FiledTable)
NAMED_TABLES = {"three-deals": THREE_DEALS.rows, "four-deals": FOUR_DEALS.rows}

READ_TURN = number_reader(Ask("Turn", low=1, high=MOST_TURNS))
READ_POINTS = number_reader(Ask("Points", low=-MOST_POINTS, high=MOST_POINTS))
READ_COUNT = number_reader(Ask("Points", low=0, high=MOST_POINTS))
READ_NAME = line_reader(LONGEST_NAME)
READ_POINTS_KIND = choice_reader(PointsKind)
READ_TIE = choice_reader(TieBreak)


def read_tournament(document: object, reading: Reading) -> Tournament | None:
    """Read a document; None if there is no plan."""
    data = read_object(document, KEYS, reading)
    if data is None:
        return None
    _check_heading(data, reading)
    entries = _entries(data, reading)
    plan = _plan(data, reading)
    points = _points(data.get("points"), plan, reading)
    ids = {entry.id for entry in entries}
    bye = read_object(data.get("bye") or {}, {"points"}, reading, "bye") or {}
    seed = data.get("seed", "")
    if not isinstance(seed, str):
        reading.fault("wrong-type", "seed", say("A text is needed."))
    ties = _each(data, "ties", READ_TIE, reading)
    apart = _apart(data, ids, reading)
    bye_points = READ_POINTS(bye.get("points", 0), reading, "bye.points")
    turns = RoundReader(entries, plan, reading).read(data)
    if plan is None:
        return None
    return Tournament(
        entries=tuple(entries),
        plan=plan,
        points=points,
        ties=tuple(filter(None, ties)),
        apart=apart,
        bye_points=bye_points or 0,
        seed=str(seed),
        turns=tuple(turns),
    )


def _check_heading(data: dict[str, Any], reading: Reading) -> None:
    if data.get("format", FORMAT) != FORMAT:
        message = say("Only files of the format %(format)s can be read.", format=FORMAT)
        reading.fault("unknown-format", "format", message)
    READ_NAME(data.get("name") or "", reading, "name")
    game, rules = data.get("game"), data.get("rules")
    if not isinstance(rules, dict | str | None):
        message = say("The rules are the name of a preset, or an object of options.")
        reading.fault("wrong-type", "rules", message)
    if not isinstance(game, str | None):
        reading.fault("wrong-type", "game", say("The name of a game is needed."))
    elif game is not None:
        try:
            find_game(game)
        except UnknownGameError:
            message = say("There is no game %(slug)s.", slug=game)
            reading.fault("unknown-game", "game", about(game, message))


def _listed(data: dict[str, Any], key: str, reading: Reading, path: str = "") -> list[Any]:
    """Return a list of an object; an empty one if it is left out or null."""
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        reading.fault("wrong-type", join(path, key), say("A list is needed."))
        return []
    if len(value) > MOST_LISTED:
        reading.fault("too-long", join(path, key), say("The list is too long."))
        return []
    return value


def _each(
    data: dict[str, Any], key: str, reader: Reader, reading: Reading, path: str = ""
) -> list[Any]:
    """Read each of a list of an object."""
    given = enumerate(_listed(data, key, reading, path))
    return [reader(value, reading, f"{join(path, key)}[{number}]") for number, value in given]


def _entries(data: dict[str, Any], reading: Reading) -> list[Entry]:
    """Read the entries: each id and name once."""
    if "entries" not in data:
        reading.fault("missing-key", "entries", missing("entries"))
    given = _listed(data, "entries", reading)
    if len(given) > MOST_ENTRIES:
        message = say("There can be %(most)s entries at most.", most=MOST_ENTRIES)
        reading.fault("too-long", "entries", message)
        return []
    entries: list[Entry] = []
    taken: dict[str, set[str]] = {"id": set(), "name": set()}
    for number, value in enumerate(given):
        path = f"entries[{number}]"
        entry = _entry(value, reading, path)
        if entry is not None:
            for key, word in (("id", entry.id), ("name", entry.name)):
                if word and word in taken[key]:
                    message = say("%(word)s is entered twice.", word=word)
                    reading.fault("entry-twice", f"{path}.{key}", message)
                taken[key].add(word)
            entries.append(entry)
    return entries


def _entry(value: object, reading: Reading, path: str) -> Entry | None:
    data = read_object(value, ENTRY_KEYS, reading, path)
    if data is None:
        return None
    if not isinstance(data.get("id"), str) or not data["id"]:
        code = "wrong-type" if "id" in data else "missing-key"
        reading.fault(code, f"{path}.id", say("Each entry needs an id, a text."))
        return None
    READ_NAME(data.get("club") or "", reading, f"{path}.club")
    first, withdrawn = (
        default if data.get(key) is None else READ_TURN(data[key], reading, f"{path}.{key}")
        for key, default in (("from", 1), ("withdrawn", MOST_TURNS + 1))
    )
    return Entry(
        id=data["id"],
        name=READ_NAME(data.get("name") or "", reading, f"{path}.name"),
        first=first or 1,
        withdrawn=withdrawn or MOST_TURNS + 1,
    )


def _plan(data: dict[str, Any], reading: Reading) -> Plan | None:
    if "plan" not in data:
        reading.fault("missing-key", "plan", missing("plan"))
        return None
    plan = data["plan"]
    if isinstance(plan, dict) and "kind" in plan and plan["kind"] not in list(PlanKind):
        _unknown_plan(plan["kind"], "plan.kind", list(PlanKind), reading)
        return None
    read_plan = read(Plan, plan, reading, "plan")
    if read_plan is None or read_plan.kind is not PlanKind.GROUPS:
        return read_plan
    then = read_object(read_plan.then, {"kind", "third_place"}, reading, "plan.then") or {}
    if then.get("kind", PlanKind.KNOCKOUT) != PlanKind.KNOCKOUT:
        _unknown_plan(then["kind"], "plan.then.kind", [PlanKind.KNOCKOUT], reading)
    if not isinstance(then.get("third_place", False), bool):
        reading.fault("wrong-type", "plan.then.third_place", say("True or false is needed."))
    return read_plan


def _unknown_plan(kind: object, path: str, known: Collection[str], reading: Reading) -> None:
    message = say("There is no plan %(kind)s.", kind=str(kind))
    reading.fault("unknown-plan", path, did_you_mean(message, str(kind), known))


def _points(value: object, plan: Plan | None, reading: Reading) -> Points:
    """Read what a table is worth; won, drawn, lost where nothing is said."""
    data = read_object({} if value is None else value, POINTS_KEYS, reading, "points") or {}
    default = Points()
    kind = READ_POINTS_KIND(data.get("kind", "result"), reading, "points.kind")
    win, draw, loss = (
        READ_POINTS(data.get(key, getattr(default, key)), reading, f"points.{key}")
        for key in ("win", "draw", "loss")
    )
    values = default.values
    if data.get("values") is not None:
        values = tuple(_each(data, "values", READ_POINTS, reading, "points"))
    table: tuple[tuple[int, int], ...] = ()
    if kind is PointsKind.VICTORY:
        if plan is not None and plan.kind is PlanKind.TABLES:
            message = say("Victory points are for tables of two sides.")
            reading.fault("needs-two-sides", "points.kind", message)
        table = _victory_table(data, reading)
    return Points(kind, win, draw, loss, values, table)


def _victory_table(data: dict[str, Any], reading: Reading) -> tuple[tuple[int, int], ...]:
    """Read the rows of a largest difference and the winner's points, or the name of a table."""
    path = "points.table"
    if "table" not in data:
        reading.fault("missing-key", path, missing("table"))
    elif isinstance(data["table"], str):
        name = data["table"]
        if name in NAMED_TABLES:
            return NAMED_TABLES[name]
        message = say("There is no table %(name)s.", name=name)
        reading.unknown("unknown-choice", path, message, name, list(NAMED_TABLES))
    else:
        return VictoryPoints.read_rows(
            _listed(data, "table", reading, "points"),
            reading,
            path,
            differences=range(MOST_POINTS + 1),
            points=range(10, 21),
            open_end=False,
        )
    return ()


def known_entry(value: object, known: Collection[str], reading: Reading, path: str) -> str | None:
    """Read the id of an entry."""
    if not isinstance(value, str):
        reading.fault("wrong-type", path, say("The id of an entry is needed."))
        return None
    if value not in known:
        message = say("No entry has the id %(id)s.", id=value)
        reading.fault("unknown-entry", path, about(value, message))
        return None
    return value


def _apart(
    data: dict[str, Any], known: Collection[str], reading: Reading
) -> frozenset[frozenset[str]]:
    pairs = set()
    for number, pair in enumerate(_listed(data, "apart", reading)):
        path = f"apart[{number}]"
        if not isinstance(pair, list) or len(pair) != 2:
            reading.fault("wrong-type", path, say("The ids of two entries are needed."))
            continue
        ids = [
            known_entry(entry, known, reading, f"{path}[{place}]")
            for place, entry in enumerate(pair)
        ]
        pairs.add(frozenset(entry for entry in ids if entry is not None))
    return frozenset(pair for pair in pairs if len(pair) == 2)


class RoundReader:
    """Reads the turns that were drawn, and what came of them."""

    def __init__(self, entries: list[Entry], plan: Plan | None, reading: Reading) -> None:
        self.entries = {entry.id: entry for entry in entries}
        self.plan, self.reading = plan, reading

    def read(self, data: dict[str, Any]) -> list[TurnDrawn]:
        """Read all turns; only the last one may have tables that still play."""
        rounds = _listed(data, "rounds", self.reading)
        turns = [
            self._turn(value, number, last=number == len(rounds))
            for number, value in enumerate(rounds, 1)
        ]
        return [turn for turn in turns if turn is not None]

    def _turn(self, value: object, number: int, *, last: bool) -> TurnDrawn | None:
        reading, path = self.reading, f"rounds[{number - 1}]"
        data = read_object(value, ROUND_KEYS, reading, path)
        if data is None:
            return None
        self._check_number(data.get("round"), number, f"{path}.round")
        tables = [
            self._table(table, place, f"{path}.tables[{place}]", last=last)
            for place, table in enumerate(_listed(data, "tables", reading, path))
        ]
        byes = [
            (known_entry(entry, self.entries, reading, at := f"{path}.byes[{place}]"), at)
            for place, entry in enumerate(_listed(data, "byes", reading, path))
        ]
        whole = [table for table in tables if table is not None]
        self._check_seats(whole, byes, number)
        return TurnDrawn(
            tables=tuple(whole),
            byes=tuple(entry for entry, _ in byes if entry is not None),
            penalty=self._penalty(data.get("penalty"), f"{path}.penalty"),
        )

    def _check_number(self, value: object, number: int, path: str) -> None:
        if value is not None and (type(value) is not int or value != number):
            message = say("This is number %(number)s: they are in order.", number=number)
            self.reading.fault("wrong-table", path, message)

    def _penalty(self, value: object, path: str) -> dict[str, int]:
        if value is None:
            return {}
        if not isinstance(value, dict):
            message = say("An object of entries and points is needed.")
            self.reading.fault("wrong-type", path, message)
            return {}
        penalty = {}
        for entry, points in value.items():
            at = join(path, entry)
            if known_entry(entry, self.entries, self.reading, at):
                penalty[entry] = READ_COUNT(points, self.reading, at) or 0
        return penalty

    def _table(self, value: object, place: int, path: str, *, last: bool) -> TurnTable | None:
        reading = self.reading
        data = read_object(value, TABLE_KEYS, reading, path)
        if data is None:
            return None
        self._check_number(data.get("table"), place + 1, f"{path}.table")
        sides = self._sides(data, path)
        forfeit = data.get("forfeit")
        if forfeit is not None:
            forfeit = known_entry(forfeit, self.entries, reading, f"{path}.forfeit")
            if forfeit and not any(forfeit in side for side in sides):
                message = say("%(id)s does not sit at this table.", id=forfeit)
                reading.fault("wrong-table", f"{path}.forfeit", message)
        scores = None
        if data.get("scores") is not None:
            scores = tuple(_each(data, "scores", READ_POINTS, reading, path))
        uncounted = scores is None and forfeit is None and not last
        if uncounted or (scores is not None and len(scores) != len(sides)):
            message = say("A score for each side is needed before the next turn.")
            reading.fault("missing-scores", f"{path}.scores", message)
        return TurnTable(sides, scores, forfeit, path)

    def _sides(self, data: dict[str, Any], path: str) -> Sides:
        """Read who sits at a table: one entry a side, or two partners."""
        reading, sides = self.reading, list[Side]()
        for number, value in enumerate(_listed(data, "sides", reading, path)):
            at = f"{path}.sides[{number}]"
            together = value if isinstance(value, list) else [value]
            places = [at] if together is not value else [f"{at}[{n}]" for n in range(len(value))]
            ids = [
                known_entry(entry, self.entries, reading, place)
                for entry, place in zip(together, places, strict=True)
            ]
            sides.append(tuple(entry for entry in ids if entry is not None))
            partners = 2 if self.plan and self.plan.kind is PlanKind.INDIVIDUAL else 1
            if len(together) != partners:
                message = say("%(count)s to a side are needed here.", count=partners)
                reading.fault("wrong-table", at, message)
        usual, more = 2, 0
        if self.plan and self.plan.kind is PlanKind.TABLES:  # it may have one more or less
            usual, more = self.plan.size, 1
        if self.plan and abs(len(sides) - usual) > more:
            message = say("So many can't sit at a table here: %(count)s.", count=len(sides))
            reading.fault("wrong-table", f"{path}.sides", message)
        return tuple(sides)

    def _check_seats(
        self, tables: list[TurnTable], byes: list[tuple[str | None, str]], number: int
    ) -> None:
        """Check that everybody who plays in this turn has one place."""
        seats = [
            (entry, f"{table.path}.sides[{place}]")
            for table in tables
            for place, side in enumerate(table.sides)
            for entry in side
        ]
        seen = set()
        for entry, path in chain(seats, byes):
            if entry is None:
                continue
            if entry in seen:
                message = say("%(id)s is twice in this turn.", id=entry)
                self.reading.fault("wrong-table", path, message)
            elif not self.entries[entry].plays(number):
                message = say("%(id)s does not play in this turn.", id=entry)
                self.reading.fault("wrong-table", path, message)
            seen.add(entry)
