"""``solve``: the result from a point on, with all cards open and best play by all."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from scorer.cards.board import Board
from scorer.cards.solver.open_deal import Limit, OpenDeal, Solved, SolverGoal, Watch
from scorer.errors import MOST_PROBLEMS, InvalidError, Problem
from scorer.evening.document import problems_of
from scorer.evening.setting import Setting, read_setting
from scorer.operations.checking import CardRecord, examined_answer, read_record
from scorer.operations.requests import MORE, Answer, Translate, refused
from scorer.rules.questions import Ask, Reading, choice_reader, number_reader, read_object
from scorer.shapes import CardName, Cards, Name, Shape, gives, keys
from scorer.texts import say


class CardPlace(Shape):
    """The place of a card: its trick and its place in that, both from 1."""

    trick: int = gives("The trick.", unsaid=True)
    card: int = gives("The card in it.", unsaid=True)


class SearchLimit(Shape):
    """Where a search ends; over HTTP after a second at the latest."""

    nodes: int | None = gives("The most nodes.", unsaid=True)
    seconds: float | None = gives("The most seconds.", unsaid=True)


class SolveRequest(CardRecord):
    """A deal of which all cards are known, and what is asked about it."""

    ask: SolverGoal = gives("What is asked; left out, whether the bid is made.", unsaid=True)
    start: CardPlace | None = gives(
        "The position before this card; left out, the end of the record.",
        unsaid=True,
        called="from",
    )
    limit: SearchLimit | None = gives("Where the search ends.", unsaid=True)


class CardVerdict(Shape):
    """Whether the target is reached after a card, with best play by all."""

    trick: int = gives("The trick, from 1.")
    card: int = gives("The card in it, from 1.")
    made: bool = gives("Whether the target is reached.")


class TurningCard(Shape):
    """A card after which the verdict is another one, for good."""

    trick: int = gives("The trick, from 1.")
    card: int = gives("The card in it, from 1.")
    player: Name = gives("Who played it.")
    played: CardName = gives("The card.")


class SolvedDeal(Shape):
    """What a deal comes to, as far as it is known within the limit."""

    id: object = gives("The id of the request, or null.")
    ok: Literal[True] = gives("Always true.")
    decided: bool = gives("Whether the answer was found.")
    target: int = gives("The card points that the caller's side needs.")
    bounds: list[int] = gives("The least and the most card points that it can end with.")
    made: bool | None = gives("Whether the target is reached; null while that is open.")
    value: int | None = gives("The card points of the caller's side, if they were asked for.")
    best: Cards | None = gives("The cards that keep the value, for whoever plays next.")
    nodes: int = gives("How far the search went.")
    verdicts: list[CardVerdict] | None = gives("After every card, from the first one reached.")
    turning: TurningCard | None = gives("The card that turned the deal, if one did.")


KEYS, FROM_KEYS, LIMIT_KEYS = keys(SolveRequest), ("trick", "card"), keys(SearchLimit)
MOST_NODES, MOST_SECONDS, USUAL_SECONDS = 10**12, 86_400, 60
READ_ASK = choice_reader(SolverGoal)
READ_PLACE = number_reader(Ask("Place", low=1))
READ_NODES = number_reader(Ask("Nodes", low=1, high=MOST_NODES))


def solve(
    request: object,
    translate: Translate = str,
    watch: Watch = lambda _: True,
    *,
    seconds: float = MOST_SECONDS,
    memory: int = 400,
) -> Answer:
    """Answer a question about a deal, or list the problems of the request, each with its field.

    No search lasts longer than ``seconds``, and its table takes ``memory`` megabytes at most.

    >>> pack = [rank + suit for suit in "CDSB" for rank in "32AKQJ7654"]
    >>> people = ["Ada", "Bea", "Ciro", "Dora"]
    >>> hands = {name: pack[10 * seat : 10 * seat + 10] for seat, name in enumerate(people)}
    >>> record = {"game": "tressette", "seats": people, "dealer": "Dora", "tricks": []}
    >>> answer = solve({**record, "hands": hands})
    >>> answer["decided"], answer["made"]
    (True, True)
    >>> [(problem["code"], problem["field"]) for problem in solve(record)["problems"]]
    [('cards-unknown', 'hands')]
    """
    reading = Reading()
    request = read_object(request, KEYS, reading)
    if request is None:
        return refused(None, reading.problems, translate)
    question = READ_ASK(request.get("ask", "made"), reading, "ask")
    place = _read_from(request.get("from"), reading)
    limit = _read_limit(request.get("limit"), reading)
    setting = read_setting(request, reading)
    deal = None if setting is None else _read_deal(request, setting, reading)
    start = None if deal is None else _played_before(place, deal, reading)
    if deal is None or reading.problems:
        return refused(request.get("id"), reading.problems, translate)
    from scorer.cards.solver import search  # late: compiled, it takes seconds to load

    limit = {**limit, "seconds": min(limit["seconds"], seconds), "memory": memory}
    solved = search.solve(deal, question, start, Limit(**limit), watch)
    return solved_answer(request.get("id"), deal, solved)


def _read_deal(request: dict[str, Any], setting: Setting, reading: Reading) -> OpenDeal | None:
    """Read the record; what is missing or wrong in it goes to the reading."""
    from scorer.cards import games, open_cards  # late: the other commands need no cards

    board = read_record(request, setting, reading, games.NO_SOLVE)
    if board is None:
        return None
    may_be_shown = getattr(board.claim, "shown", None) is None
    opened = open_cards.open_cards(board, may_be_shown=may_be_shown)
    if isinstance(opened, list):
        reading.problems += problems_of(opened)
        return None
    return opened


def _read_limit(value: object, reading: Reading) -> dict[str, Any]:
    limit: dict[str, Any] = {"seconds": USUAL_SECONDS}
    value = {} if value is None else read_object(value, LIMIT_KEYS, reading, "limit") or {}
    if value.get("nodes") is not None:
        limit["nodes"] = READ_NODES(value["nodes"], reading, "limit.nodes")
    seconds = value.get("seconds")
    if seconds is not None:
        limit["seconds"] = seconds
        if isinstance(seconds, bool) or not isinstance(seconds, int | float):
            reading.fault("wrong-type", "limit.seconds", say("A number is needed."))
        elif not 0 < seconds <= MOST_SECONDS:
            message = say("From %(low)s to %(high)s.", low=0, high=MOST_SECONDS)
            reading.fault("out-of-range", "limit.seconds", message)
    return limit


def _read_from(value: object, reading: Reading) -> tuple[int, int] | None:
    """Read the place of a card: its trick, and its place in it, both from 1."""
    value = None if value is None else read_object(value, FROM_KEYS, reading, "from")
    if value is None:
        return None
    trick, card = (READ_PLACE(value.get(key, 1), reading, f"from.{key}") for key in FROM_KEYS)
    return None if trick is None or card is None else (trick, card)


def _played_before(place: tuple[int, int] | None, deal: OpenDeal, reading: Reading) -> int | None:
    """Count the cards played before a place; None without a place."""
    if place is None:
        return None
    trick, card = place
    start = (trick - 1 - deal.tricks_before) * len(deal.hands) + card - 1
    if start < 0:
        message = say("The hands are known from trick %(trick)s on.", trick=deal.tricks_before + 1)
        reading.fault("out-of-range", "from", message)
    if start > len(deal.played) or card > len(deal.hands):
        reading.fault("out-of-range", "from", say("The record ends before that card."))
    return start


def solved_answer(request_id: object, deal: OpenDeal, solved: Solved) -> Answer:
    verdicts = (
        None
        if solved.verdicts is None
        else [{**_place(deal, index), "made": made} for index, made in solved.verdicts]
    )
    turning: Answer | None = None
    if solved.turning is not None:
        played = deal.played[solved.turning]
        player = deal.names[deal.player(played)]
        turning = {**_place(deal, solved.turning), "player": player, "played": deal.texts[played]}
    return {
        "id": request_id,
        "ok": True,
        "decided": solved.decided,
        "target": deal.target,
        "bounds": list(solved.bounds),
        "made": solved.made,
        "value": solved.value,
        "best": None if solved.best is None else [deal.texts[card] for card in solved.best],
        "nodes": solved.nodes,
        "verdicts": verdicts,
        "turning": turning,
    }


def _place(deal: OpenDeal, index: int) -> dict[str, int]:
    trick, card = deal.place(index)
    return {"trick": trick, "card": card}


def check_file(text: str, translate: Translate = str) -> Iterator[Answer]:
    """Examine each deal of a file; the number of a deal is the ``id`` of its answer."""
    from scorer.cards import games  # late: the other commands need no cards

    def checked(number: int, board: Board) -> Answer:
        return examined_answer(number, games.examine(board), board.table.seats, translate)

    return _answers(text, checked, translate)


def solve_file(
    text: str,
    translate: Translate = str,
    watch: Watch = lambda _: True,
    *,
    seconds: float = USUAL_SECONDS,
    memory: int = 400,
) -> Iterator[Answer]:
    """Find after which cards of each deal the target was still reached, all cards open."""
    from scorer.cards.open_cards import open_cards  # late: the other commands need no cards
    from scorer.cards.solver import search

    limit = Limit(seconds=seconds, memory=memory)

    def solved(number: int, board: Board) -> Answer:
        opened = open_cards(board)
        if isinstance(opened, list):
            raise InvalidError(problems_of(opened))
        answer = search.solve(opened, SolverGoal.VERDICTS, None, limit, watch)
        return solved_answer(number, opened, answer)

    return _answers(text, solved, translate)


def _answers(
    text: str, answer: Callable[[int, Board], Answer], translate: Translate
) -> Iterator[Answer]:
    """Answer each deal; one that can't be read gets its problems, with line and column."""
    from scorer.cards.notation.files import FileParts

    try:
        parts = FileParts(text)
    except InvalidError as error:
        yield refused(None, error.problems, translate)
        return
    problem_count = 0
    for part in parts.deals:
        try:
            yield answer(part.number, parts.read(part))
        except InvalidError as error:
            yield refused(part.number, [*map(part.placed, error.problems)], translate)
            problem_count += len(error.problems)
        if problem_count > MOST_PROBLEMS:
            message = say("So much is wrong here that the rest was not read.")
            yield refused(None, [Problem(MORE, "", message)], translate)
            return
