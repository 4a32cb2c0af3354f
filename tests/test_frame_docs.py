import importlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scorer.cards.faults import SENTENCES
from scorer.evening.acts import DEAL_ACTS
from scorer.evening.session_acts import SESSION_ACTS
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
DOTTED = [name for name in MARKED if "/" not in name and "." in name and name != "pyproject.toml"]


def test_architecture_names_what_the_code_has() -> None:
    assert len(DOTTED) > 30
    assert [name for name in DOTTED if reached(name) is None] == []
