"""The golden evenings: whole sessions of every game, answers in, payouts and standings out.

Beside them ``cases/<module>.json`` has a table of single cases, each with an id: ``sheets`` with
``payouts``, ``why``, ``problems`` (code and path) or ``warnings``; deals ``told`` in words; short
``matches``; ``ends`` by balances; ``rules`` with their problems; what their ``words`` say
and are silent of; ``questions`` not asked. Figures are in order of play, and those of a sheet by
side; two play unless ``players`` says otherwise.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from scorer.games import all_games
from scorer.operations import score
from scorer.rules.game import Game
from tests.data.documents import replaced
from tests.data.examples import NAMES

FOLDER = Path(__file__).parents[1] / "golden"
#: The most people that a game seats.
SEATS = (*NAMES, *(f"player {number}" for number in range(len(NAMES) + 1, 21)))
ASKED = {"id", "rules", "players", "dealer", "opening", "sheet", "deals"}
Case = dict[str, Any]


class Evening(NamedTuple):
    """One evening of the files."""

    name: str
    session: dict[str, Any]
    answer: dict[str, Any]


def file_of(game: Game[Any, Any]) -> Path:
    return FOLDER / f"{game.slug.replace('-', '_')}.json"


def evenings(game: Game[Any, Any]) -> list[Evening]:
    """Give the golden evenings of a game; each row of ``deals`` is a deal and what comes of it."""
    return [
        Evening(
            evening["name"],
            evening["session"] | {"deals": [deal for deal, _ in evening["deals"]]},
            evening["answer"] | {"deals": [came for _, came in evening["deals"]]},
        )
        for evening in _read(file_of(game), 2)
    ]


def deals(game: Game[Any, Any]) -> list[dict[str, Any]]:
    """Give every deal that the evenings say was played, as a request to score it alone.

    Whoever was out by then, or sat out, isn't at the table.
    """
    return [
        {
            "id": f"{evening.name}, deal {number}",
            "game": game.slug,
            "rules": evening.session.get("rules"),
            "seats": [name for name in evening.session["seats"] if name in played["payouts"]],
            "sheet": deal["sheet"],
        }
        for evening in evenings(game)
        for number, (deal, played) in enumerate(
            zip(evening.session["deals"], evening.answer["deals"], strict=True), start=1
        )
        if deal.get("outcome", "played") == "played"
    ]


def sound_deals(game: Game[Any, Any]) -> list[dict[str, Any]]:
    """Give a deal of the files for every preset, by whose rules it can be played."""
    single = [
        {"game": slug, "seats": list(SEATS[: case["players"][0]]), "sheet": case["sheet"]}
        for slug, case in cases("sheets")
        if slug == game.slug and "payouts" in case
    ]
    return [
        next(
            asked
            for deal in (*reversed(deals(game)), *single)
            if score(asked := {**deal, "rules": slug, "id": slug})["ok"]
        )
        for slug in game.presets
    ]


def cases(section: str) -> list[tuple[str, Case]]:
    """Give the cases of a section with the slug of their game, of every game in turn."""
    return [
        (
            game.slug,
            {"id": json.dumps(case.get("rules")), "players": [2], **case},
        )
        for game in all_games()
        for line in _table(game).get(section, [])
        for case in _cases(line)
    ]


def _cases(line: Case) -> list[Case]:
    """Give the case of a line, or of each value by its path that is ``wrong`` in a rule set."""
    if "wrong" not in line:
        return [line]
    return [
        {
            "rules": replaced({"preset": line["rules"]}, tuple(path.split(".")), value),
            "problems": [f"{line['code']} rules.{path}"],
        }
        for path, values in line["wrong"].items()
        for value in values
    ]


def _table(game: Game[Any, Any]) -> dict[str, list[Case]]:
    table: dict[str, list[Case]] = _read(FOLDER / "cases" / file_of(game).name, 3)
    return table


def _read(path: Path, step: int) -> Any:
    """Read a file of a game, or say which step of the guide makes it."""
    where = f"{path.parent.name}/{path.name}"
    assert path.is_file(), f"write {where} (CONTRIBUTING.md, Add a game, step {step})"
    return json.loads(path.read_text(encoding="utf-8"))


def expected(case: Case) -> Case:
    """Give what a case expects of the answer."""
    return {key: value for key, value in case.items() if key not in ASKED}
