import doctest
import importlib
from pathlib import Path
from unittest.mock import patch

import pytest

import scorer
from scorer.routes import FACTS
from scorer.settings import CHECKOUT

PACKAGE = Path(scorer.__file__).parent
#: How an example begins.
PROMPT = ">>> "


def with_examples(folder: Path, pattern: str) -> list[Path]:
    paths = sorted(folder.glob(pattern))
    return [path for path in paths if PROMPT in path.read_text(encoding="utf-8")]


PAGES = [*with_examples(CHECKOUT, "*.md"), *with_examples(CHECKOUT / "docs", "**/*.md")]
MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in with_examples(PACKAGE, "**/*.py")
]


@pytest.mark.parametrize("page", [str(path.relative_to(CHECKOUT)) for path in PAGES])
def test_examples_of_a_page_are_true(page: str) -> None:
    done = doctest.testfile(str(CHECKOUT / page), module_relative=False)

    assert done.attempted > 0
    assert done.failed == 0


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_a_docstring_are_true(module: str) -> None:
    with patch.dict(FACTS):  # An example may declare a route of its own.
        done = doctest.testmod(importlib.import_module(module))

    assert done.attempted > 0
    assert done.failed == 0
