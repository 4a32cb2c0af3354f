"""Games of other distributions, put on the path and taken away again."""

import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scorer.games import GROUP, all_games
from scorer.services.session import state
from scorer.settings import CHECKOUT

TEMPLATE = CHECKOUT / "docs/a-game"


def install_template(folder: Path) -> Path:
    """Lay the template distribution into a folder as pip does, without building it."""
    project = tomllib.loads((TEMPLATE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ((name, value),) = project["entry-points"][GROUP].items()
    (module,) = TEMPLATE.glob("scorer_*.py")
    return install(folder, module.read_text(encoding="utf-8"), name=name, value=value)


def install(folder: Path, code: str, *, name: str, value: str) -> Path:
    """Lay a distribution of one module and one entry point into a folder."""
    (folder / f"{value.partition(':')[0]}.py").write_text(code, encoding="utf-8")
    facts = folder / f"{name}-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (facts / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {value}\n")
    return folder


def look_again() -> None:
    """Let the process know nothing of games and sessions, as after a start."""
    all_games.cache_clear()
    state._known.clear()


@contextmanager
def on_the_path(folder: Path) -> Iterator[None]:
    """Let what is installed in a folder be found, and take it away at the end."""
    before = set(sys.modules)
    sys.path.append(str(folder))
    look_again()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if getattr(sys.modules[name], "__file__", None) and str(folder) in str(
                sys.modules[name].__file__
            ):
                del sys.modules[name]
        look_again()
