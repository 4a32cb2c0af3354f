"""The deals of a session or of a circle as a table for a spreadsheet, as CSV or as XLSX.

Rows are streamed, session by session: a table takes as much memory as its longest session. No text
in it can be read as a formula.
"""

import csv
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, tzinfo
from io import SEEK_END, TextIOWrapper
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple
from uuid import UUID

from scorer.errors import existing
from scorer.evening.deal import Deal
from scorer.evening.judging import OUTCOME_WORDS
from scorer.games import stored_game
from scorer.rules.plain_game import sheet_facts
from scorer.rules.questions import questions
from scorer.rules.seats import Seat
from scorer.services.circle.names import title_of
from scorer.services.deals.score_sheet import score_sheet
from scorer.services.figures.figures import circle_figures
from scorer.services.figures.standings import standings_of
from scorer.services.session.state import SessionState, load_state
from scorer.storage import one_moment, queries
from scorer.texts import Text, say

Say = Callable[[Text], str]

Cell = Text | str | int | date | None
Row = Sequence[Cell]

#: What a spreadsheet takes for the beginning of a formula; the last four are as wide as a kana.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001
#: What stands behind the name of a player above the balances.
BALANCE = "Σ"  # a sum
#: Spreadsheets read a CSV file as UTF-8 if it begins so.
BYTE_ORDER_MARK = "\ufeff"
PLAYED = say("Played")
HEADING: tuple[Text, ...] = (
    say("Day"),
    say("Evening"),
    say("Game"),
    say("Deal"),
    say("Outcome"),
    say("Voided"),
    say("Dealer"),
    say("Recorded at"),
    say("Time zone"),
    say("Recorded by"),
)
#: Rows that take more wait on the disk until it is known which columns are empty.
MOST_IN_MEMORY = 1_000_000
RESULT = say("Made or missed")
RESULTS = {True: say("made"), False: say("missed"), None: None}


def session_table(circle_id: UUID, session_id: UUID, zone: tzinfo) -> Iterator[Row]:
    """Write every deal of a session as a row, its moments in a zone; raise NotFoundError.

    There is a column for every question of the game's sheet. Partners have a column together, so
    that what they won is counted once. Who sat out has an empty cell. A voided deal has the payouts
    that it would have, and is marked as voided. Balances brought in are a row before the first
    deal. The last row has the hash of all that was written.
    """
    state = load_state(circle_id, session_id)
    labels = _labels([state.game.slug])
    sides = state.sides
    names = [" & ".join(state.names[seat] for seat in side) for side in sides]
    columns = {side[0]: place for place, side in enumerate(sides)}
    yield [*HEADING, *labels, RESULT, *names, *(f"{name} {BALANCE}" for name in names)]
    yield from _Rows(state, zone, labels, columns, len(names)).rows()
    yield [None] * 4 + [say("Hash"), None, None, None, None, state.letters]


def circle_table(circle_id: UUID, zone: tzinfo) -> Iterator[Row]:
    """Write every deal of a circle as a row, session by session, the oldest first.

    There is a column for every question of the games that were played, and for each player what
    deals paid, and the balance within the session.
    """
    with one_moment():
        labels = _labels(sorted(queries.session.games_played(circle_id)))
        players = queries.circle.players(circle_id)
        places = {player.player_id: place for place, player in enumerate(players)}
        names = [player.name for player in players]
        yield [*HEADING, *labels, RESULT, *names, *(f"{name} {BALANCE}" for name in names)]
        for session in queries.deals.sessions_in_order(circle_id):
            state = load_state(circle_id, session.session_id)
            columns = {Seat(row.seat): places[row.player_id] for row in state.seats}
            yield from _Rows(state, zone, labels, columns, len(names)).rows()


def session_places(circle_id: UUID, session_id: UUID) -> Iterator[Row]:
    """Write the standings of a session: a row for each player, or for partners together."""
    state = load_state(circle_id, session_id)
    yield say("Place"), say("Player"), say("Total") if state.counted else say("Balance")
    for row in score_sheet(state).standing_rows:
        yield row.place, row.name, row.balance


def circle_places(circle_id: UUID) -> Iterator[Row]:
    yield (
        *(say("Game"), say("Place"), say("Player"), say("Balance"), say("Deals"), say("Evenings")),
        *(say("Evenings won"), say("Average place")),
    )
    figures, people = circle_figures(circle_id), queries.circle.players(circle_id)
    for slug in figures.games:
        in_game = existing(standings_of(figures, people, slug))
        for row in in_game.places:
            points, won = (row.points, None) if in_game.by_balance else (None, row.won)
            average = None if won is None else str(row.average_place)
            shown = (in_game.game.name, row.place, row.player.name)
            yield (*shown, points, row.deals, row.evenings, won, average)


def _labels(games: Sequence[str]) -> list[Text]:
    sheets = (stored_game(game).sheet_type for game in games)
    labels = (question.label for sheet in sheets for question in questions(sheet))
    return list({str(label): label for label in labels}.values())


class _Rows(NamedTuple):
    """The rows of a session; ``columns`` maps a seat to its column, of ``width`` in all."""

    state: SessionState
    zone: tzinfo
    labels: Sequence[Text]
    columns: dict[Seat, int]
    width: int

    def rows(self) -> Iterator[Row]:
        """Yield the balances brought in, where there are some, and the deals."""
        running = Counter({seat: self.state.opening[seat] for seat in self.columns})
        if any(running.values()):
            brought = self._spread(running)
            facts = [None] * (len(self.labels) + 1)
            at = self.state.row.started_at
            yield [*self._head(0, say("Brought in"), at), *facts, *brought, *brought]
        for deal in self.state.deals:
            paid = {seat: deal.entry.paid[seat] for seat in self.columns if seat in deal.entry.paid}
            running.update({} if deal.voided else paid)
            yield [*self._deal(deal), *self._spread(paid), *self._spread(running)]

    def _spread(self, figures: dict[Seat, int]) -> list[Cell]:
        cells: list[Cell] = [None] * self.width
        for seat, place in self.columns.items():
            cells[place] = figures.get(seat)
        return cells

    def _head(self, number: int, outcome: Text, at: datetime) -> list[Cell]:
        """Return the first cells of a row, as far as the heading has them without the deal."""
        row, local = self.state.row, at.astimezone(self.zone)
        moment = local.replace(tzinfo=None, microsecond=0)
        # In autumn an hour comes twice.
        zone = f"{self.zone} UTC{local:%z}" if str(self.zone) != "UTC" else "UTC"
        day, title = row.started_at.astimezone(self.zone).date(), title_of(row, self.zone)
        name = self.state.game.name_in(row.rules)
        return [day, title, name, number, outcome, None, None, moment, zone, None]

    def _deal(self, deal: Deal) -> Row:
        outcome, first = OUTCOME_WORDS.get(deal.outcome, PLAYED), deal.versions[0]
        head = self._head(deal.number, outcome, first.at)
        head[5:7] = say("yes") if deal.voided else None, deal.dealer
        head[-1] = first.written_by
        facts = self._facts(deal)
        return [*head, *(facts.get(str(label)) for label in self.labels), RESULTS[deal.entry.made]]

    def _facts(self, deal: Deal) -> dict[str, Cell]:
        """Return the answers of the sheet by question; figures as numbers."""
        sheet, table = deal.entry.played, deal.entry.table
        if sheet is None:
            return {}
        sides = self.state.game.sides(table.active, table.rules)
        facts = sheet_facts(sheet, table, sides, questions(self.state.game.sheet_type))
        values = {str(fact.label): fact.value for fact in facts}
        return {
            label: int(value) if isinstance(value, str) and value.isdecimal() else value
            for label, value in values.items()
        }


def write_csv(rows: Iterable[Row], file: IO[bytes], translate: Say, separator: str) -> None:
    """Write rows as CSV in UTF-8; texts are kept from being formulas, numbers stay numbers."""
    text = TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    text.write(BYTE_ORDER_MARK)
    writer = csv.writer(text, delimiter=separator)

    def in_csv(cell: Cell) -> str | int | date | None:
        plain = _plain(cell, translate)
        formula = isinstance(plain, str) and plain.lstrip(" ").startswith(FORMULAS)
        return f"'{plain}" if formula else plain

    writer.writerows(map(in_csv, row) for row in rows)
    text.detach()  # so that the file stays open


def _plain(cell: Cell, translate: Say) -> str | int | date | None:
    return translate(cell) if isinstance(cell, Text) else cell


def write_xlsx(
    deals: Iterable[Row], standings: Iterable[Row], file: IO[bytes], translate: Say
) -> None:
    """Write a workbook of two sheets without empty columns, in which no text is a formula."""
    from openpyxl import Workbook  # late: it takes a fifth of a second to load
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook(write_only=True)

    def in_xlsx(sheet: Any, cell: Any) -> Any:
        """Store a text as text: openpyxl takes what begins with = for a formula."""
        if not isinstance(cell, str):
            return cell
        made = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", cell))
        made.data_type = "s"
        return made

    for title, rows in ((say("Deals"), deals), (say("Standings"), standings)):
        sheet = book.create_sheet(translate(title))
        sheet.freeze_panes = "A2"
        for row in _filled([_plain(cell, translate) for cell in row] for row in rows):
            sheet.append([in_xlsx(sheet, cell) for cell in row])
    book.save(file)
    file.seek(0, SEEK_END)


def _filled(rows: Iterator[list[Any]]) -> Iterator[list[Any]]:
    """Yield the heading and the rows below it, without the columns that are empty there."""
    heading, used, count = next(rows), set[int](), 0
    with SpooledTemporaryFile(MOST_IN_MEMORY) as waiting:
        for row in rows:
            used.update(place for place, cell in enumerate(row) if cell is not None)
            pickle.dump(row, waiting)
            count += 1
        waiting.seek(0)
        yield [heading[place] for place in sorted(used)]
        for _ in range(count):
            row = pickle.load(waiting)  # noqa: S301  # it was written just now
            yield [row[place] for place in sorted(used) if place < len(row)]
