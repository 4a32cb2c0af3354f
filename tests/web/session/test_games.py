import html

import pytest
from flask.testing import FlaskClient

from scorer.games import all_games

PRESETS = [
    pytest.param(game.slug, preset, id=preset) for game in all_games() for preset in game.presets
]


def read(client: FlaskClient, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return html.unescape(response.text)


def test_games_are_listed_and_told_with_all_their_tables(client: FlaskClient) -> None:
    page = read(client, "/rules/")

    for game in all_games():
        assert str(game.name) in page
        assert str(game.blurb) in page
        assert f'href="/rules/{game.slug}/"' in page
        told = read(client, f"/rules/{game.slug}/")
        assert all(str(paragraph) in told for paragraph in game.about)
        assert all(f'href="/rules/{game.slug}/{preset}/"' in told for preset in game.presets)
    for path in ("poker/", "poker/classic/", "briscola-chiamata/nothing/"):
        assert client.get(f"/rules/{path}").status_code == 404


def test_games_are_found_by_a_part_of_their_name(client: FlaskClient) -> None:
    def found(typed: str) -> list[str]:
        page = read(client, f"/rules/?find={typed}")
        return [game.slug for game in all_games() if f'href="/rules/{game.slug}/"' in page]

    assert found("BRISC") == ["briscola-chiamata", "briscola"]
    assert found("quaranta ") == ["scala-quaranta"]
    assert found("poker") == []
    assert found("") == [game.slug for game in all_games()]


@pytest.mark.parametrize(("slug", "preset"), PRESETS)
def test_table_is_shown_in_words_and_figures(client: FlaskClient, slug: str, preset: str) -> None:
    game = next(game for game in all_games() if game.slug == slug)
    told = game.describe(game.presets[preset])

    page = read(client, f"/rules/{slug}/{preset}/")

    for text in (told.name, told.blurb, *told.words, *told.columns):
        assert str(text) in page
    assert all(str(row.label) in page for row in told.rows)
    assert all(source.name in page for source in told.sources)
    assert f'href="/sessions/new?game={slug}&rules={preset}"' in page
