import ast
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import scorer
from scorer.settings import CHECKOUT

CONFIGURATION = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
TOOLS = tomllib.loads(CONFIGURATION)["tool"]
PACKAGE = Path(scorer.__file__).parent
PURE = ("texts", "errors", "rules", "games", "ledger", "evening", "operations")
#: A class with its bases, and a package that is imported, as lines of a module have them.
CLASS = re.compile(r"^ *class (\w+)(?:\(([^)]*)\))?:", re.MULTILINE)
IMPORT = re.compile(r"^ *(?:from|import) (\w+)", re.MULTILINE)
HEAVY = ("flask", "sqlalchemy", "matplotlib", "babel", "numpy", "gunicorn")


def modules_of(name: str) -> list[Path]:
    single = PACKAGE / f"{name}.py"
    return [single] if single.is_file() else sorted((PACKAGE / name).rglob("*.py"))


def imported_by(module: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(module.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in plain | named}


def is_there(name: str) -> bool:
    try:
        pkgutil.resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True


def matches(pattern: str) -> bool:
    """Return whether each choice of a pattern, as ruff and Babel write it, matches a file."""
    before, _, rest = pattern.partition("{")
    choices, _, after = rest.partition("}")
    globs = [f"{before}{choice}{after}".replace("**.", "**/*.") for choice in choices.split(",")]
    return all(any(CHECKOUT.glob(glob)) for glob in globs)


def test_every_module_that_the_configuration_names_is_there() -> None:
    names = sorted(set(re.findall(r'"(scorer(?:\.\w+)+)(?:\.\*)?"', CONFIGURATION)))

    assert len(names) > 15
    assert [name for name in names if not is_there(name)] == []


def test_every_untyped_package_that_the_configuration_names_is_imported() -> None:
    folders = [CHECKOUT / name for name in TOOLS["mypy"]["files"]]
    texts = (file.read_text(encoding="utf-8") for one in folders for file in one.rglob("*.py"))
    imported = {name for text in texts for name in IMPORT.findall(text)}
    named = {name for one in TOOLS["mypy"]["overrides"] for name in one["module"]}
    packages = {name.partition(".")[0] for name in named}

    assert packages - imported == set()


def test_every_pattern_of_the_configuration_matches_a_file() -> None:
    ignoring = TOOLS["ruff"]["lint"]["per-file-ignores"]
    searched = [mapping["pattern"] for mapping in TOOLS["babel"]["mappings"]]

    assert [pattern for pattern in (*ignoring, *searched) if not matches(pattern)] == []


def test_programs_that_tests_start_run_this_checkout(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import scorer; print(scorer.__file__, end='')"]

    started = subprocess.check_output(command, cwd=tmp_path, text=True)

    assert started == scorer.__file__ == str(Path(__file__).parents[1] / "scorer/__init__.py")


@pytest.mark.parametrize("layer", PURE)
def test_pure_layer_imports_the_standard_library_only(layer: str) -> None:
    modules = modules_of(layer)

    foreign = {
        (module.name, name)
        for module in modules
        for name in imported_by(module) - sys.stdlib_module_names - {"scorer"}
    }

    assert modules
    assert foreign == set()


#: `scorer serve` starts itself again if Flask was imported before it patched the library, so the
#: settings are read without it.
BEFORE_THE_WEB = """
import sys, scorer, scorer.games, scorer.ledger, scorer.evening, scorer.operations
import scorer.cli, scorer.settings
scorer.settings.public_url("https://a/b")
scorer.cli.main(["rules"])
print(*sys.modules, file=sys.stderr)
"""


def test_rules_commands_and_settings_are_loaded_without_the_web() -> None:
    command = [sys.executable, "-c", BEFORE_THE_WEB]

    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert "scorer.operations" in done.stderr.split()
    assert not set(HEAVY) & set(done.stderr.split())


def test_app_starts_without_what_few_commands_and_pages_need() -> None:
    program = "import sys, scorer.app; print(*sys.modules)"

    loaded = subprocess.check_output([sys.executable, "-c", program], text=True).split()

    assert not {"alembic", "matplotlib", "numba", "openpyxl"} & set(loaded)


def test_class_has_a_name_of_its_own() -> None:
    """One name for two things sends a reader to the wrong one (docs/words.md).

    Only the shape of an answer may be called like the value that it is the answer of.
    """
    texts = (module.read_text(encoding="utf-8") for module in modules_of(""))
    classes = [found for text in texts for found in CLASS.findall(text)]
    names = Counter(name for name, bases in classes if "Shape" not in bases.split(", "))

    assert [name for name, count in names.items() if count > 1] == []
