from __future__ import annotations

import doctest
import importlib
from pkgutil import walk_packages

import pytest

import scorer
from scorer.settings import CHECKOUT

PURE = tuple(f"scorer.{name}" for name in ("texts", "errors", "rules", "games", "ledger", "verbs"))
MODULES = [
    found.name for found in walk_packages(scorer.__path__, "scorer.") if found.name.startswith(PURE)
]


def test_readme_tells_the_truth() -> None:
    readme = CHECKOUT / "README.md"

    done = doctest.testfile(str(readme), module_relative=False)

    assert done.attempted > 0
    assert done.failed == 0


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_a_docstring_are_true(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0
