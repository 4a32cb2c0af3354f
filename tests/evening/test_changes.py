"""Evenings act by act: who deals, who sits out, what each deal pays. People are letters, A to F."""

from collections.abc import Callable, Iterable
from typing import Any

from scorer import Evening
from scorer.evening.walk import Walk
from scorer.rules.game import Outcome
from tests.data.rows import rows

NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia")
TABLES: dict[str, dict[str, Any]] = {
    "plain": {"rules": "classic-plain", "first": "A"},
    "six": {
        "rules": {"preset": "classic-plain", "sits_out": "dealer"}, "seats": "ABCDEF", "first": "A",
    },
}  # fmt: skip


def begun(begin: Any) -> dict[str, Any]:
    """Complete what a row says of the table: five, Ezio deals first."""
    five = {"game": "briscola-chiamata", "rules": "classic", "seats": "ABCDE", "first": "E"}
    return five | (TABLES[begin] if isinstance(begin, str) else begin)


def named(letter: str) -> str:
    return next(name for name in NAMES if name[0] == letter)


def letters(names: Iterable[str]) -> str:
    return "".join(name[0] for name in names)


def answers(people: str = "AB", other: Any = None) -> Any:
    """Write the sheet of a caller and a partner, or of one who is alone."""
    caller, partner = (*map(named, people), None)[:2]
    written = {"caller": caller, "bid": 61, "partner": partner, "card_points": 70}
    return written | (other or {})


def told(evening: Walk) -> dict[str, Any]:
    """Tell what an evening came to."""
    deals, names = evening.deals, evening.names
    return {
        "dealers": letters(deal.dealer for deal in deals),
        "out": [letters(names[seat] for seat in deal.entry.sits_out) for deal in deals],
        "versions": [deal.version for deal in deals],
        "paid": [{names[seat][0]: n for seat, n in deal.paid.items()} for deal in deals],
        "balances": [*evening.totals.values()],
        "names": list(names),
        "order": letters(names[seat] for seat in evening.terms.order),
        "next": names[evening.turn.dealer][0],
        "times": evening.turn.times,
        "finished": evening.ended,
        "winners": letters(names[seat] for seat in evening.result.winners),
    }


def do(evening: Any, act: str, said: list[Any], who: Callable[[str], Any]) -> None:
    """Do an act of a row, with ``who`` for a letter where seats change."""
    if act == "record":
        evening.record(answers(*said))
    elif act == "outcome":
        evening.record(said[1] if said[1:] else None, Outcome(said[0]))
    elif act == "amend":
        evening.amend(said[0], answers(*said[1:]))
    elif act == "change":
        people = {name: [*map(who, said[0][name])] for name in {"order", "sits_out"} & {*said[0]}}
        dealer = {"dealer": who(said[0]["dealer"])} if "dealer" in said[0] else {}
        evening.change(**said[0] | people | dealer)
    else:
        getattr(evening, act)(*said)


@rows(__file__, "evenings")
def test_evening_is_dealt_and_paid_as_its_acts_say(begin: Any, acts: list[list[Any]]) -> None:
    table = begun(begin)
    names = [*map(named, table["seats"])]
    evening = Evening.begin(table["game"], names, table["rules"], dealer=named(table["first"]))

    for act, *said in acts:
        if act == "expect":
            assert said[0].items() <= told(evening).items()
        else:
            do(evening, act, said, named)
