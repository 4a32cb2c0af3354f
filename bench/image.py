"""The steps of `deploy/Dockerfile`, taken in a plain folder where no daemon is to be had.

Every absolute path of the file lies in the folder. What needs the base image is left to a real
build: the Python is this machine's, and there is no other root. The server then runs as the user
of the image, who may write to the image's volume and to its temporary folder alone.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.figures import Figure, faultless
from bench.phones import acknowledged, faults, in_one_session, record_at_once
from bench.places import Place
from scorer.settings import CHECKOUT
from tests.serving import free_port

#: Where a Python is looked for that any user may run.
PYTHONS = "/usr/local/bin:/usr/bin"
PATIENCE = 60.0
DEALS = 20
#: Absolute paths that are those of an image.
INSIDE = re.compile(r"(?<![\w.:/])/(?=opt/|opt$|src|data|tmp)")


def image(place: Place) -> Iterator[Figure]:
    """Take the steps of the Dockerfile in a folder, and record at the server that they make."""
    place.folder.chmod(0o711)
    root = place.folder / "image"
    root.mkdir()
    began = time.monotonic()
    made = build(root)
    seconds = time.monotonic() - began
    made.settings["SCORER_LAN_HTTP"] = "true"
    with started(made) as site:
        phones = in_one_session(site, 1)
        record_at_once(phones, DEALS)
    found = faults(phones, f"sqlite:///{made.work / 'scorer.sqlite'}")
    yield Figure("the image made in", seconds, "s", note=f"healthy as user {made.user}")
    yield Figure("deals acknowledged", acknowledged(phones), least=DEALS)
    yield faultless(found)


@dataclass(slots=True)
class Image:
    """What the steps have made so far of the last stage."""

    root: Path
    work: Path
    user: int = 0
    settings: dict[str, str] = field(default_factory=dict)
    program: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)

    def inside(self, text: str) -> str:
        """Let the absolute paths of a text lie in the folder of the image."""
        return INSIDE.sub(f"{self.root}/", text)


def build(root: Path) -> Image:
    """Take every step of the file, as root; an error of one ends with its message."""
    text = (CHECKOUT / "deploy/Dockerfile").read_text("utf-8").replace("\\\n", "")
    image = Image(root, root)
    programs = root / "programs"
    programs.mkdir()
    (programs / "python").symlink_to(shutil.which("python3", path=PYTHONS) or sys.executable)
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        _step(image, word, rest)
    return image


def _step(image: Image, word: str, rest: str) -> None:
    """Take one step."""
    match word:
        case "RUN":
            _run(image, rest)
        case "COPY":
            _copy(image, rest.split())
        case "WORKDIR":
            image.work = image.root / rest.strip("/")
            image.work.mkdir(parents=True, exist_ok=True)
        case "ENV":
            pairs = (pair.partition("=") for pair in rest.split())
            image.settings |= {name: image.inside(value) for name, _, value in pairs}
        case "USER":
            image.user = int(rest.split(":", maxsplit=1)[0])
        case "HEALTHCHECK":
            image.health = json.loads(image.inside(rest.partition("CMD ")[2]))
        case "ENTRYPOINT" | "CMD":
            image.program += json.loads(image.inside(rest))


def _run(image: Image, command: str) -> None:
    """Run a command in a shell, with our Python before all others."""
    path = f"{image.root / 'programs'}:{os.environ['PATH']}"
    environment = os.environ | image.settings | {"PATH": path}
    shell = ["sh", "-ec", image.inside(command)]
    subprocess.run(shell, cwd=image.work, env=environment, check=True)


def _copy(image: Image, words: list[str]) -> None:
    """Copy files of the checkout; what comes from a stage before lies in the folder already."""
    if words[0].startswith("--from="):
        return
    *sources, target = words
    files = (CHECKOUT / source for source in sources)
    subprocess.run(["cp", "-r", *files, image.work / target], check=True)


@contextmanager
def started(image: Image) -> Iterator[str]:
    """Start the program as the image does, at a free port; give its address once it is healthy."""
    port = free_port()
    settings = {"PATH": os.environ["PATH"], "TMPDIR": str(image.root / "tmp"), **image.settings}
    health = [word.replace(":8000", f":{port}") for word in image.health]
    command = [*image.program, "--port", str(port)]
    with (image.root / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=image.work,
            env=settings,
            user=image.user,
            group=image.user,
            extra_groups=[],
            stdout=log,
            stderr=log,
        )
    try:
        until = time.monotonic() + PATIENCE
        while subprocess.run(
            health, env=settings, stderr=subprocess.DEVNULL, check=False
        ).returncode:
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError((image.root / "log").read_text("utf-8"))
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE)
