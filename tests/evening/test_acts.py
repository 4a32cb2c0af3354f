"""What an act does to an evening, or that it was done before, is a conflict, or is refused."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from scorer import Evening
from scorer.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from scorer.evening.acts import ACTS, Amend, DealAct, Dispute, Record
from scorer.evening.deal import Author
from scorer.rules.game import Outcome
from tests.data.examples import NAMES

FIVE = NAMES[:5]
#: The phone of each player, another one of Ada's, and two that nobody holds.
PHONES = {name: Author(UUID(int=place), name) for place, name in enumerate(FIVE)}
PHONES |= {"Ada+": Author(UUID(int=6), "Ada"), "-": Author(UUID(int=7)), "--": Author(UUID(int=8))}


def sheet(points: object = 70, **rest: Any) -> dict[str, Any]:
    return {"caller": "Ada", "bid": 61, "partner": "Bea", "card_points": int(str(points)), **rest}


def begun(rules: Any = "classic", names: Sequence[str] = FIVE) -> Evening:
    return Evening.begin("briscola-chiamata", names, rules)


def answers(said: dict[str, Any]) -> dict[str, Any]:
    """Take from what is said the outcome, and the answers that it needs."""
    outcome, offender = Outcome(said.pop("outcome", "played")), said.pop("offender", None)
    points = said.pop("points", 70)
    played = sheet(points) if outcome is Outcome.PLAYED else None
    return {"outcome": outcome, "sheet": {"offender": offender} if offender else played}


def do(evening: Evening, line: str) -> tuple[Evening, str]:
    """Do what a line says, an act and what is said with it; return what came of it, too.

    What it does not say is as it stands: Ada acts on deal 1, and has seen all of it.
    """
    name, *words = line.split()
    said: dict[str, Any] = dict(word.split("=") for word in words)
    by, number = PHONES[said.pop("by", "Ada")], int(said.pop("deal", 1))
    said |= {key: int(said[key]) for key in said.keys() & {"version", "seen", "number"}}
    try:
        if name in {"end", "reopen"}:
            after = replace(evening, over=name == "end")
        elif name == "rules":
            deal = evening.deal(number)
            after = evening.take(evening.version_of(deal.entry, "amend", by, deal=deal, change=1))
        elif name == "record":
            said = {"number": evening.number, "key": evening.number, **said}
            said["key"] = UUID(int=int(said["key"]))
            after = Record(**answers(said), **said).apply(evening, by)
        else:
            deal = evening.deal(number)
            act: type[DealAct] = Amend if name == "amend" else ACTS[name]
            seen = {"version": deal.version, "seen": len(deal.reviews)}
            fields = act.__dataclass_fields__
            said = {key: seen[key] for key in seen if key in fields} | said
            said |= {"reason": "Bad"} if name == "dispute" and "reason" not in said else {}
            after = act(**answers(said) if act is Amend else {}, **said).apply(evening, deal, by)
    except ConflictError:
        return evening, "conflict"
    except RefusedError:
        return evening, "refused"
    except InvalidError as error:
        return evening, " ".join(problem.code for problem in error.problems)
    return after, "again" if after is evening else "done"


def after(lines: str) -> Evening:
    """Give an evening whose first deal Ada wrote down, and what was done then."""
    evening, what = do(begun(), "record")
    for line in filter(None, lines.split(", ")):
        evening, what = do(evening, line)
        assert what == "done", line
    return evening


@pytest.mark.parametrize(
    ("before", "act", "what"),
    [
        # A key that was used
        ("", "record key=1 number=1", "again"),
        ("", "record key=1 number=9", "again"),
        ("record, amend points=40", "record key=1 number=1", "again"),
        ("end", "record key=1 number=1", "again"),
        ("", "record key=1 points=71", "conflict"),
        ("", "record key=1 points=9999", "conflict"),
        ("", "record key=1 outcome=misdeal", "conflict"),
        ("record outcome=misdeal", "record key=2 outcome=redeal", "conflict"),
        ("record outcome=misdeal", "record key=2 outcome=penalty offender=Ada", "conflict"),
        ("record outcome=misdeal", "record key=2", "conflict"),
        # Another number than the next
        *(("", f"record key=9 number={number}", "conflict") for number in (-1, 0, 1, 3, 2**40)),
        ("end", "record", "session-ended"),
        # What cannot be written
        ("", "record points=1", "points-impossible"),
        ("", "record outcome=penalty", "wrong-type"),
        ("", "record outcome=penalty offender=Nobody", "unknown-name"),
        ("", "record outcome=penalty offender=0", "unknown-name"),
        ("", "amend points=1", "points-impossible"),
        ("", f"amend points=50 reason={'x' * 201}", "too-long"),
        # A version that does not stand
        ("amend points=50", "amend points=50 version=1", "again"),
        ("amend points=51", "amend points=50 version=1", "conflict"),
        ("amend points=70, amend points=51", "amend points=51 version=1", "conflict"),
        ("void", "amend version=1", "conflict"),
        ("amend points=51", "void version=1", "conflict"),
        *(("", f"void version={version}", "conflict") for version in (-1, 0, 2, 7)),
        *(("", f"restore version={version}", "conflict") for version in (0, 1)),
        ("void", "void version=1", "again"),
        ("void", "void", "conflict"),
        ("void, restore", "restore version=2", "again"),
        ("end", "amend points=50", "done"),
        # Who may confirm
        *(("", f"confirm by={name}", "refused") for name in ("Ada", "Ada+", "Bea")),
        *(("", f"confirm by={name}", "done") for name in ("Ciro", "-")),
        ("record by=Ciro", "confirm by=Dora deal=2", "refused"),
        ("record by=Ciro", "confirm by=Bea deal=2", "done"),
        ("record outcome=misdeal", "confirm by=Ada deal=2", "refused"),
        ("record outcome=misdeal", "confirm by=Bea deal=2", "done"),
        ("record outcome=penalty offender=Ada", "confirm by=Ada deal=2", "refused"),
        ("record outcome=penalty offender=Ada", "confirm by=Bea deal=2", "done"),
        ("record by=-", "confirm by=- deal=2", "refused"),
        ("record by=-", "confirm by=-- deal=2", "done"),
        ("record by=-", "confirm by=Bea deal=2", "done"),
        # Who may dispute, and why
        *(("", f"dispute by={name}", "done") for name in ("Ada", "Bea", "Ciro", "-")),
        ("end", "dispute by=Ciro", "done"),
        ("", "dispute reason=", "no-reason"),
        ("", "dispute reason=\u200b", "no-reason"),
        ("", f"dispute reason={'x' * 201}", "too-long"),
        # What was said before
        ("dispute by=Ciro", "dispute by=Ciro seen=0", "again"),
        ("dispute by=Ciro", "dispute by=Ciro seen=0 reason=Other", "done"),
        ("dispute by=Ciro, uphold", "dispute by=Ciro seen=0", "again"),
        ("dispute by=Ciro, uphold", "uphold seen=1", "again"),
        ("dispute by=Ciro, uphold", "dispute by=Ciro", "done"),
        ("dispute by=Ciro, amend points=50", "dispute by=Ciro seen=0 version=1", "again"),
        ("confirm by=Ciro", "confirm by=Ciro seen=0", "again"),
        ("confirm by=Ciro", "confirm by=Ciro", "again"),
        ("confirm by=Ciro", "confirm by=Dora seen=0", "done"),
        ("dispute by=Ciro", "dispute by=Dora seen=0", "done"),
        # What does not go together
        *(("void", f"{act} by=Ciro", "conflict") for act in ("dispute", "confirm", "uphold")),
        ("amend points=50", "dispute by=Ciro version=1", "conflict"),
        ("amend points=50", "confirm by=Ciro version=1", "conflict"),
        ("dispute by=Dora", "confirm by=Ciro seen=0", "conflict"),
        ("dispute by=Dora, uphold", "dispute by=Ciro seen=1", "conflict"),
        ("", "uphold by=Ciro", "conflict"),
        ("dispute by=Ciro, dispute by=Dora", "uphold seen=1", "conflict"),
        ("dispute by=Ciro, dispute by=Dora", "uphold", "done"),
        ("dispute by=Ciro", "amend points=50 seen=0", "conflict"),
        ("confirm by=Ciro", "amend points=50 seen=0", "done"),
        # Who takes a dispute back
        ("dispute by=Ciro", "withdraw by=Ciro", "done"),
        ("dispute by=Ada", "withdraw by=Ada+", "done"),
        ("dispute by=Ciro, withdraw by=Ciro", "withdraw by=Ciro seen=1", "again"),
        ("dispute by=Bea", "withdraw by=Ciro", "refused"),
        ("dispute by=Bea, dispute by=Ciro", "withdraw by=Ciro", "refused"),
        ("dispute by=-", "withdraw by=--", "refused"),
    ],
)
def test_act_is_done_was_done_is_a_conflict_or_is_refused(before: str, act: str, what: str) -> None:
    evening = after(before)
    facts = evening.facts_since(0)

    then, came = do(evening, act)

    assert came == what
    assert evening.facts_since(0) == facts
    assert len(then.facts_since(0)) == len(facts) + (what == "done")


@pytest.mark.parametrize(
    ("lines", "marks"),
    [
        ("", "?"),
        ("record", "-?"),
        ("record, void deal=2", "--"),
        ("confirm by=Ciro", "-"),
        ("confirm by=Ciro, amend points=50", "?"),
        ("confirm by=Ciro, void, restore", "?"),
        ("record, amend points=50", "??"),
        ("record, amend points=50, record", "--?"),
        ("dispute by=Ciro, record", "!?"),
        ("dispute by=Ciro, amend points=50", "?"),
        ("dispute by=Ciro, amend points=50, confirm by=Ciro", "-"),
        ("dispute by=Ciro, uphold", "?"),
        ("dispute by=Ciro, uphold, confirm by=Ciro", "-"),
        ("dispute by=Ciro, uphold, dispute by=Ciro", "!"),
        ("dispute by=Ciro, dispute by=Dora, uphold", "?"),
        ("dispute by=Ciro, withdraw by=Ciro", "?"),
        ("dispute by=Ciro, void", "-"),
        ("dispute by=Ciro, void, restore", "!"),
        ("dispute by=Ciro, void, amend points=50, restore", "?"),
        ("dispute by=Ciro, rules", "!"),
        ("dispute by=Ciro, rules, uphold", "?"),
        ("end", "-"),
        ("end, reopen", "?"),
        ("end, dispute by=Ciro", "!"),
    ],
)
def test_deals_are_disputed_or_wait_for_a_confirmation(lines: str, marks: str) -> None:
    evening = after(lines)

    told = (
        "!" if deal.disputed else "-?"[deal.number in evening.waiting] for deal in evening.deals
    )
    assert "".join(told) == marks


def test_who_sits_out_is_not_fined_and_takes_no_part_in_the_amended_deal() -> None:
    evening = begun({"preset": "classic", "sits_out": "dealer"}, NAMES[:6])
    with pytest.raises(InvalidError):
        evening.record({"offender": "Ada"}, "penalty")
    evening.record(sheet(caller="Bea", partner="Ciro"))
    evening.record(sheet(partner="Ciro"))

    assert evening.amend(1, sheet(caller="Ciro")).dealer == "Ada"
    with pytest.raises(InvalidError):
        evening.amend(1, sheet())
    assert "Ada" not in evening.deals[0].payouts


def test_reason_is_kept_on_one_line() -> None:
    evening = after("")

    then = Dispute(version=1, reason=" 70,\n not 72 ").apply(
        evening, evening.deal(1), PHONES["Ciro"]
    )

    (dispute,) = then.deal(1).open_disputes
    assert (dispute.number, dispute.written_by, dispute.reason) == (1, "Ciro", "70, not 72")


@pytest.mark.parametrize("number", [-1, 0, 2])
def test_deal_that_is_not_there_is_not_found(number: int) -> None:
    with pytest.raises(NotFoundError):
        after("").deal(number)
