from __future__ import annotations

import doctest
import importlib
from pkgutil import walk_packages

import pytest

import scorer
from scorer.settings import CHECKOUT

PURE = tuple(
    f"scorer.{name}"
    for name in ("texts", "errors", "rules", "games", "cards", "ledger", "evening", "operations")
)
MODULES = [
    found.name for found in walk_packages(scorer.__path__, "scorer.") if found.name.startswith(PURE)
]


@pytest.mark.parametrize("page", ["README.md", "docs/evening.md", "docs/notation.md"])
def test_examples_of_a_page_are_true(page: str) -> None:
    done = doctest.testfile(str(CHECKOUT / page), module_relative=False)

    assert done.attempted > 0
    assert done.failed == 0


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_a_docstring_are_true(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0
