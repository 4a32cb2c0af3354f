import json
import re
import subprocess
from pathlib import Path

import pytest

from scorer.settings import CHECKOUT
from tests.serving import SCORER

LOCK = (CHECKOUT / "requirements/run.txt").read_text(encoding="utf-8")


@pytest.mark.slow
def test_list_of_components_is_that_of_the_lock(tmp_path: Path) -> None:
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    (line,) = re.findall(r"\$\(BIN\)/(cyclonedx-py .*)", makefile)
    words = line.replace("build/scorer.cdx.json", str(tmp_path / "sbom.json")).split()

    command = [SCORER.with_name(words[0]), *words[1:], "--no-validate"]
    subprocess.run(command, cwd=CHECKOUT, check=True)

    made = json.loads((tmp_path / "sbom.json").read_text(encoding="utf-8"))
    listed = {(component["name"], component["version"]) for component in made["components"]}
    assert made["bomFormat"] == "CycloneDX"
    assert made["metadata"]["component"]["name"] == "briscola-scorer"
    assert listed == set(re.findall(r"^([\w.-]+)==([\w.]+)", LOCK, re.MULTILINE))
    assert all(component["externalReferences"][0]["hashes"] for component in made["components"])
