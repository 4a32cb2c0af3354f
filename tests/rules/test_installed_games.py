import logging
from pathlib import Path

import pytest

from scorer.games import all_games, find_game, stored_game
from scorer.operations import rule_sets, score
from scorer.rules.game import Table
from scorer.rules.missing_game import missing_game
from scorer.rules.questions import write
from scorer.rules.seats import all_seats
from tests.installed_games import TEMPLATE, install, install_template, on_the_path

SOUND = (TEMPLATE / "scorer_rubamazzetto.py").read_text(encoding="utf-8")
SEATS = ["Ada", "Bea", "Ciro"]
STORED = {"slug": "to-9", "name": "To 9", "target": 9}


def test_game_of_another_distribution_is_one_of_the_games(tmp_path: Path) -> None:
    before = all_games()
    request = {"game": "rubamazzetto", "seats": SEATS, "sheet": {"cards": [20, 12, 8]}}

    with on_the_path(install_template(tmp_path)):
        slugs = [game.slug for game in all_games()]
        assert slugs == [slugs[0], *sorted(slugs[1:])]
        assert set(slugs) == {"rubamazzetto", *(game.slug for game in before)}
        assert stored_game("rubamazzetto") is find_game("rubamazzetto")
        assert score(request)["payouts"] == {"Ada": 20, "Bea": 12, "Ciro": 8}
        assert {rules["slug"] for rules in rule_sets("rubamazzetto")} == {"to-100", "three-deals"}

    assert all_games() == before
    assert [problem["code"] for problem in score(request)["problems"]] == ["unknown-game"]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        pytest.param("GAME = None", "GAME = Rubamazzetto()", id="no game"),
        pytest.param("", "GAME = Rubamazzetto()", id="nothing of that name"),
        pytest.param("raise OSError('no disk')", "GAME = Rubamazzetto()", id="breaks as it loads"),
        pytest.param('slug = "scopa"', 'slug = "rubamazzetto"', id="a slug that is taken"),
        pytest.param('slug = "tresette"', 'slug = "rubamazzetto"', id="an alias that is taken"),
        pytest.param('slug = "a/b"', 'slug = "rubamazzetto"', id="a slug that is no address"),
        pytest.param('name = "Rubamazzetto"', 'name = say("Rubamazzetto")', id="no text"),
        pytest.param('"target": "a"}', '"target": 100}', id="a preset that is not read again"),
        pytest.param('"target": 0}', '"target": 100}', id="a preset below its bounds"),
        pytest.param("described = ()\n    _ = (", "described = (", id="no presets"),
        pytest.param("seats = ()", "seats = (2, 3, 4)", id="for nobody"),
        pytest.param("return ()", "return every_seat(active)", id="no sides"),
        pytest.param("yield missing", "yield from self.ends(rules).words()", id="no words"),
        pytest.param(
            "def progress(self, tally, rules):\n"
            "        from scorer.rules.match import Progress\n"
            "        return Progress(finished=True)\n\n"
            "    def words",
            "def words",
            id="over before it begins",
        ),
    ],
)
def test_faulty_game_is_named_and_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, wrong: str, right: str
) -> None:
    before = all_games()
    assert SOUND.count(right) == 1
    code = SOUND.replace(right, wrong)
    (tmp_path / "faulty").mkdir()
    (tmp_path / "sound").mkdir()
    install(tmp_path / "faulty", code, name="a-faulty-one", value="faulty_game:GAME")

    with (
        caplog.at_level(logging.ERROR),
        on_the_path(tmp_path / "faulty"),
        on_the_path(install_template(tmp_path / "sound")),
    ):
        found = all_games()

    assert {game.slug for game in found} - {game.slug for game in before} == {"rubamazzetto"}
    assert caplog.messages == ["The game a-faulty-one (faulty_game:GAME) is left out"]
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_game_that_is_not_installed_keeps_what_was_stored_of_it() -> None:
    game = stored_game("whist")
    rules, problems = game.rules_from(STORED)
    table = Table(rules, tuple(SEATS), all_seats(3), paid={seat: seat - 1 for seat in all_seats(3)})

    assert game is missing_game("whist")
    assert (game.missing, game.presets, problems) == (True, {}, [])
    assert (rules.slug, rules.name, write(rules)) == ("to-9", "To 9", STORED)
    assert game.rules_from("to-9")[0] == game.preset
    answers = {"taken": {"0": 7}, "trump": "0"}
    sheet, problems = game.read_sheet(answers, table)
    assert sheet is not None
    assert (game.write_sheet(sheet, SEATS), problems) == (answers, [])
    assert game.score(sheet, table).steps == ()
    assert (game.facts(sheet, table), game.asks(table)) == ([], ())
    assert str(game.summary(sheet, table)) == "Ada −1, Bea 0, Ciro 1"
    assert str(game.headline(sheet, table)) == "Ada −1, Bea 0, Ciro 1"
    assert game.outcomes(rules) == ()
    assert str(game.describe(rules).name) == "To 9"
    assert str(game.end_text(rules)) == "not installed here"
