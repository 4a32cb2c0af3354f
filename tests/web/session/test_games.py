import html
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorer.games import all_games
from scorer.rules.game import Game

PRESETS = [
    pytest.param(game.slug, preset, id=preset) for game in all_games() for preset in game.presets
]


def read(client: FlaskClient, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return html.unescape(response.text)


def test_games_are_listed_with_links_to_their_rules(client: FlaskClient) -> None:
    page = read(client, "/rules/")

    for game in all_games():
        assert str(game.name) in page
        assert str(game.blurb) in page
        assert f'href="/rules/{game.slug}/"' in page


def test_game_is_told_with_all_its_tables(client: FlaskClient) -> None:
    for game in all_games():
        page = read(client, f"/rules/{game.slug}/")

        assert all(str(paragraph) in page for paragraph in game.about)
        assert all(f'href="/rules/{game.slug}/{preset}/"' in page for preset in game.presets)


@pytest.mark.parametrize(("slug", "preset"), PRESETS)
def test_table_is_shown_in_words_and_figures(client: FlaskClient, slug: str, preset: str) -> None:
    game = next(game for game in all_games() if game.slug == slug)
    told = game.describe(game.presets[preset])

    page = read(client, f"/rules/{slug}/{preset}/")

    for text in (told.name, told.blurb, *told.words, *told.columns):
        assert str(text) in page
    assert all(str(row.label) in page for row in told.rows)
    assert all(source.name in page for source in told.sources)


def test_figures_carry_their_sign(client: FlaskClient) -> None:
    page = read(client, "/rules/briscola-chiamata/classic/")

    assert "+2" in page
    assert "−1" in page


def test_address_of_the_source_is_a_link(client: FlaskClient) -> None:
    page = read(client, "/rules/briscola-chiamata/bastarda/")

    assert 'href="https://whiteknucklecards.com/games/briscolabastarda.html"' in page


def test_table_links_to_the_others_but_not_to_itself(client: FlaskClient) -> None:
    page = read(client, "/rules/briscola-chiamata/classic/")

    assert 'href="/rules/briscola-chiamata/volata/"' in page
    assert 'href="/rules/briscola-chiamata/classic/"' not in page


@pytest.mark.parametrize(
    "path", ["/rules/poker/", "/rules/poker/classic/", "/rules/briscola-chiamata/nothing/"]
)
def test_unknown_game_or_table_is_not_there(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("game", [pytest.param(game, id=game.slug) for game in all_games()])
def test_session_of_every_game_can_be_begun(client: FlaskClient, game: Game[Any, Any]) -> None:
    address = f'href="/sessions/new?game={game.slug}&rules={game.preset.slug}"'

    assert address in read(client, f"/rules/{game.slug}/{game.preset.slug}/")
    assert client.get(f"/sessions/new?game={game.slug}").status_code == 200
