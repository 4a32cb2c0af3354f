import importlib
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scorer.cards.faults import SENTENCES
from scorer.evening.acts import DEAL_ACTS
from scorer.evening.session_acts import SESSION_ACTS
from scorer.games.briscola_chiamata.presets import PRESETS
from scorer.games.briscola_chiamata.rules import AuctionStyle, ChiamataRules, ScoreKind
from scorer.operations import check, replay, rule_sets, score, solve, tournament
from scorer.services.files.notebook_files import table_document
from scorer.settings import CHECKOUT

PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "deploy/*.md", ".github/**/*.md")
    for page in CHECKOUT.glob(pattern)
)
SOURCES = sorted(
    file
    for folder in ("scorer", "tests", "templates", "static", "migrations")
    for file in (CHECKOUT / folder).rglob("*")
    if file.suffix in {".py", ".html", ".js", ".css", ".txt", ".json"}
)
RULES = (CHECKOUT / "docs/rules.md").read_text(encoding="utf-8")
NOTATION = (CHECKOUT / "docs/notation.md").read_text(encoding="utf-8")
CONTRACT = (CHECKOUT / "docs/contract.md").read_text(encoding="utf-8")

#: ``rules.md A5, A6 and C3``: the sections that are named behind it.
CITED = re.compile(r"rules\.md((?:(?:,| and)? [A-Z]\d{0,2}\b)*)")
DOCUMENT = re.compile(r"\b([\w-]+\.md)\b")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
#: A path from the root of the checkout, or what is made there.
FILE = re.compile(r"`((?:bench|docs|migrations|scorer|static|templates|tests)/[\w./-]+)`", re.ASCII)
#: A problem's code where it is made: ``Problem("bid-turn", …``.
MADE = re.compile(r"(?:Problem|Finding|fault)\(\s*\"([a-z0-9-]+)\"")
IN_RULES = {
    *re.findall(r"^#+ ([A-Z]\d*)[ .]", RULES, re.MULTILINE),
    *re.findall(r"^\| (K\d+) \|", RULES, re.MULTILINE),
}


def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def named(file: Path) -> str:
    return str(file.relative_to(CHECKOUT))


def section(page: str, heading: str) -> str:
    return page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_every_section_of_the_rules_that_the_code_cites_is_there() -> None:
    cited = [
        (named(file), re.findall(r"[A-Z]\d*", sections.replace("and", "")))
        for file in SOURCES
        for sections in CITED.findall(text_of(file))
        if file.name != "test_frame_docs.py"
    ]

    assert len(cited) > 30
    assert [file for file, sections in cited if not sections] == []
    assert [
        (file, section)
        for file, sections in cited
        for section in sections
        if section not in IN_RULES
    ] == []


def test_every_document_that_the_code_names_is_there() -> None:
    present = {page.name for page in PAGES}

    missing = {
        (named(file), name)
        for file in [*SOURCES, *PAGES, CHECKOUT / "Makefile", CHECKOUT / "pyproject.toml"]
        for name in DOCUMENT.findall(text_of(file))
        if name not in present
        and not name.endswith(".rules.md")
        and file.name != "test_frame_docs.py"
    }

    assert missing == set()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    assert [link for link in LINK.findall(text_of(page)) if not (page.parent / link).exists()] == []


def test_every_file_that_a_page_names_is_there() -> None:
    missing = [
        (named(page), path)
        for page in PAGES
        for path in FILE.findall(LINK.sub("", text_of(page)))
        if not (CHECKOUT / path).exists()
    ]

    assert missing == []


def test_sources_of_the_rules_are_listed() -> None:
    used = set(re.findall(r"\[([a-z][a-z.-]+)\](?!\()", RULES))

    assert used == set(re.findall(r"^\| \[([a-z.-]+)\] \|", RULES, re.MULTILINE))


def row_of(rules: ChiamataRules) -> str:
    auction, pay, cappotto = rules.auction, rules.score, rules.score.cappotto
    by_points = auction.style is AuctionStyle.POINTS
    units = pay.kind is ScoreKind.UNITS
    cells = [
        f"`{rules.slug}`",
        f"{rules.players} of {rules.players + 1}" if rules.sits_out else f"{rules.players}",
        f"`{rules.deck}`",
        f"{rules.cards_each} + {rules.monte}",
        f"points from {auction.minimum}"
        if by_points
        else f"ladder, then points from {auction.after_two}",
        rules.call.rank,
        f"{rules.floor}",
        ", ".join(f"{low}: {unit}" for low, unit in pay.bands.rows) if units else "–",
        f"{pay.caller} / {pay.partner} / {pay.defender}" if units else "T8",
        f"{pay.alone} / {pay.against_alone}" if units else "T8",
        f"{cappotto.test}, {cappotto.side}, {cappotto.op} {cappotto.value}" if cappotto else "–",
        rules.play.first_leader,
        f"{rules.session.end} {rules.session.target or ''}".strip(),
    ]
    return f"| {' | '.join(cells)} |"


def test_table_of_the_presets_is_that_of_the_code() -> None:
    written = re.findall(
        r"^\| `[a-z0-9-]+` \| [456].*\|$", section(RULES, "A10. Rule sets"), re.MULTILINE
    )

    assert written == [row_of(rules) for rules in PRESETS.values()]


def test_every_code_of_a_problem_is_explained() -> None:
    layers = ("rules", "games", "cards", "tournaments", "operations")
    modules = [file for layer in layers for file in (CHECKOUT / "scorer" / layer).rglob("*.py")]
    made = {code for module in modules for code in MADE.findall(text_of(module))}
    made |= {key.partition(":")[0] for key in SENTENCES}

    assert len(made) > 80
    assert {code for code in made if f"`{code}`" not in RULES + CONTRACT + NOTATION} == set()


def test_every_event_of_an_act_is_in_the_contract_and_said() -> None:
    told = re.findall(r"`(\w+)`", section(CONTRACT, "Events"))
    said = re.findall(r"data-(\w+)", text_of(CHECKOUT / "templates/live/_live.html"))
    kinds = {act.event for act in (*DEAL_ACTS.values(), *SESSION_ACTS.values())}

    assert kinds - set(told) == kinds - set(said) == set()


def old_table(request: object) -> dict[str, Any]:
    assert isinstance(request, dict)
    return table_document(request["text"].encode(), request["people"], None, str)


@pytest.mark.parametrize(
    ("operation", "heading"),
    [
        *((score, "score"), (check, "check"), (solve, "solve"), (replay, "replay")),
        (tournament, "Tournaments"),
        (old_table, "Old tables"),
    ],
    ids=lambda v: v,
)
def test_examples_of_the_contract_are_answered_so(
    operation: Callable[[object], dict[str, Any]], heading: str
) -> None:
    blocks = re.findall(r"```json\n(.*?)```", section(CONTRACT, heading), re.DOTALL)
    documents = [json.loads(block) for block in blocks]

    assert len(documents) >= 2
    assert [operation(request) for request in documents[::2]] == documents[1::2]


def test_table_of_dependencies_is_that_of_the_project() -> None:
    project = tomllib.loads(text_of(CHECKOUT / "pyproject.toml"))
    extras = project["project"]["optional-dependencies"]
    groups = project["dependency-groups"]
    wanted = [project["project"]["dependencies"], *extras.values(), *groups.values()]
    names = [re.match(r"[\w-]+", one) for part in wanted for one in part]

    page = text_of(CHECKOUT / "docs/decisions/operations.md")
    listed = re.findall(r"^\| `([\w-]+)` \|", page.partition("## Dependencies")[2], re.MULTILINE)
    assert listed == list(dict.fromkeys(name[0] for name in names if name))


def test_rule_set_of_the_contract_is_the_preset() -> None:
    (block,) = re.findall(
        r"```json\n(.*?)```", section(CONTRACT, "Rule sets of Briscola Chiamata"), re.DOTALL
    )
    document = json.loads(block)

    assert document in rule_sets("briscola-chiamata")


def reached(name: str) -> object:
    """Follow a dotted name below ``scorer``: packages and modules first, then what is in them."""
    found: Any = importlib.import_module("scorer")
    for part in name.split("."):
        if hasattr(found, part):
            found = getattr(found, part)
        else:
            found = importlib.import_module(f"{found.__name__}.{part}")
    return found


ARCHITECTURE = (CHECKOUT / "docs/architecture.md").read_text(encoding="utf-8")
MARKED = sorted(set(re.findall(r"`([^`\s]+)`", ARCHITECTURE.replace("```", ""))))
NAMED_FILES = [name for name in MARKED if "/" in name]
DOTTED = [name for name in MARKED if "/" not in name and "." in name and name != "pyproject.toml"]


@pytest.mark.parametrize("name", DOTTED)
def test_architecture_names_what_the_code_has(name: str) -> None:
    assert reached(name) is not None


def test_architecture_names_files_that_are_there() -> None:
    assert len(DOTTED) > 30
    assert [file for file in NAMED_FILES if not (CHECKOUT / file).exists()] == []


STANDARD = (CHECKOUT / "docs/asvs.md").read_text(encoding="utf-8")
#: How many requirements each section of ASVS 5.0 has on levels 1 and 2.
ASVS = {
    1: (2, 9, 11, 3, 2),
    2: (3, 3, 4, 1),
    3: (0, 2, 4, 6, 5, 0, 2),
    4: (3, 1, 2, 4),
    5: (1, 3, 2, 3),
    6: (3, 12, 4, 4, 5, 3, 0, 4),
    7: (3, 4, 2, 5, 2, 2),
    8: (2, 3, 1, 1),
    9: (3, 4),
    10: (2, 2, 4, 11, 5, 2, 3),
    11: (2, 3, 3, 4, 1, 1),
    12: (3, 2, 4),
    13: (1, 5, 2, 5),
    14: (2, 4, 3),
    15: (3, 3, 7),
    16: (1, 5, 4, 3, 3),
    17: (1, 4, 2),
}
REQUIREMENTS = [
    (chapter, section, number)
    for chapter, sections in ASVS.items()
    for section, count in enumerate(sections, 1)
    for number in range(1, count + 1)
]


def test_every_requirement_of_the_standard_is_answered_once() -> None:
    rows = re.findall(r"^\| (\d[\d., –]*) \|", STANDARD, re.MULTILINE)
    spans = [one.split("–") for row in rows for one in row.split(", ")]

    def number(text: str) -> tuple[int, ...]:
        return tuple(map(int, text.split(".")))

    answered = [
        one for span in spans for one in REQUIREMENTS if number(span[0]) <= one <= number(span[-1])
    ]
    assert len(REQUIREMENTS) == 253
    assert sorted(answered) == REQUIREMENTS


def test_requirement_that_holds_says_where_and_another_one_why() -> None:
    holds, _, other = STANDARD.partition("These hold in part, or not")
    seen = re.findall(r"^\| (\d[^|]*) \| [^|]+ \| (.*) \|$", holds, re.MULTILINE)
    why = re.findall(r"^\| (\d[^|]*) \| (in part|not|proxy) \| (.*) \|$", other, re.MULTILINE)

    assert len(seen) == len(ASVS) - 3  # none of 10, 12 and 17 holds
    assert [row for row in seen if "`tests/" not in row[1]] == []
    assert len(why) > 30
    assert [row for row in why if row[1] != "proxy" and not row[2].strip()] == []
