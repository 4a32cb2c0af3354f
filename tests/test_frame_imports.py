import subprocess
import sys

HEAVY = ("flask", "sqlalchemy", "matplotlib", "babel", "numpy", "gunicorn")


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
