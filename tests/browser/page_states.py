"""Every page in every state, by name, and how to get there."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Locator, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, Phone
from tests.browser.seeding import BY_POINTS, Past, Scribe

Way = Callable[[Actor, Past], None]

STATES = Path(__file__).parents[1] / "data/page_states.txt"
SOUND = {"caller": "Ada", "bid": "K", "partner": "Ciro", "card_points": 72}


class PageState(NamedTuple):
    """A page in a state, and which phone goes there: the keeper has the pen.

    ``reloads`` says that whoever loads the page again is in the same state.
    """

    name: str
    go: Way
    whose: str = "keeper"
    main: bool = False
    reloads: bool = False


PAGE_STATES: list[PageState] = []
#: How a step finds what it names.
FINDERS: dict[str, Callable[..., Locator]] = {
    "button": Actor.button,
    "css": lambda actor, selector: actor.page.locator(selector),
    "field": Actor.field,
    "group": Actor.group,
    "heading": Actor.heading,
    "link": Actor.link,
    "problem": Actor.problem,
    "radio": Actor.radio,
    "text": Actor.text,
    "words": Actor.words,
}


def visit(take: Take, past: Past, state: PageState, model: Model) -> Phone:
    """Bring a page into a state, on the phone that is meant."""
    phone = take(model, past.cookies.get(state.whose))
    state.go(Actor(phone), past)
    return phone


def take_step(actor: Actor, step: str) -> None:
    """Tap, send, fill in or look for what a line names."""
    verb, kind, rest = step.strip(" ").split(" ", 2)
    words, *values = re.split(r" \|(?: |$)", rest)
    if kind == "all":
        for fold in actor.page.locator(words).filter(visible=True).all():
            actor.tap(fold)
        return
    typed = values.pop() if verb == "fill" else ""
    found = FINDERS[kind](actor, words, **dict(value.split("=", 1) for value in values))
    place = found.filter(visible=True).first
    if verb == "tap":
        actor.tap(place)
    elif verb == "send":
        actor.send(place)
    elif verb == "fill":
        place.fill(typed.replace("\\n", "\n"))
    else:
        expect(place).to_be_visible()


def _walk(path: str, steps: list[str]) -> Way:
    def go(actor: Actor, past: Past) -> None:
        actor.open(path.format_map(past.paths))
        for step in steps:
            take_step(actor, step)

    return go


for _entry in re.split(r"\n(?=[* ] \S)", STATES.read_text(encoding="utf-8").rstrip("\n"))[1:]:
    _line, *_steps = _entry.split("\n")
    _name, _whose, _path = map(str.strip, _line.split("|", 2))
    _state = PageState(_name.removeprefix("* "), _walk(_path, _steps), _whose or "keeper")
    PAGE_STATES.append(_state._replace(main=_name.startswith("*"), reloads=not _steps))


def reaches(name: str, *, main: bool = False) -> Callable[[Way], Way]:
    """Register a state that takes more than steps of a kind."""

    def register(go: Way) -> Way:
        PAGE_STATES.append(PageState(name, go, main=main))
        return go

    return register


@reaches("session right after saving")
def save_a_deal(actor: Actor, _past: Past) -> None:
    sheet = Scribe(actor.phone).start("A deal ago")
    sheet.record()
    actor.open(sheet.path)
    expect(actor.words("Deal %(number)s is saved.", number=1)).to_be_visible()


@reaches("record, all answered")
def answer_all(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['empty']}record")
    actor.answer(SOUND)
    actor.wait_for_preview()


@reaches("record with problems", main=True)
def save_with_problems(actor: Actor, past: Past) -> None:
    actor.open(f"{past.paths['empty']}record")
    actor.answer({"caller": "Ada", "bid": "K", "card_points": 121})
    actor.save()
    expect(actor.problem("Partner")).to_be_visible()


@reaches("conflict")
def record_what_another_phone_recorded(actor: Actor, _past: Past) -> None:
    sheet = Scribe(actor.phone).start("Two phones")
    actor.open(f"{sheet.path}record")
    actor.answer(SOUND)
    sheet.record(card_points="60")
    actor.save()
    expect(actor.heading("Deal %(number)s, twice", number=1)).to_be_visible()


@reaches("cards laid aside")
def lay_cards_aside(actor: Actor, _past: Past) -> None:
    sheet = Scribe(actor.phone).start("Under way", "monte-5")
    sheet.begin(**BY_POINTS)
    actor.open(f"{sheet.path}deals/1/tricks/")
    actor.tap(actor.button("Aside %(count)s/%(monte)s", count=0, monte=5))
    for code in ("KC", "7B"):
        actor.tap(actor.page.locator(f".grid [value='{code}']"))
    actor.tap(actor.page.locator(".shows"))
    expect(actor.group("Cards laid aside")).to_be_visible()
