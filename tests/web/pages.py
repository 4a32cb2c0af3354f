"""A page as a person sees it: its words, its forms with what is filled in, its problems."""

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import Protocol

Attributes = dict[str, str | None]

#: The attributes that a browser goes to, or loads something from.
ADDRESSES = {"href", "xlink:href", "src", "srcset", "action", "formaction", "poster", "data"}
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "use"}
#: Inputs that nobody types into.
NO_BOX = {"hidden", "radio", "checkbox", "submit", "button", "file"}


class Answer(Protocol):
    """What a server answered."""

    @property
    def status_code(self) -> int:
        """The status."""

    @property
    def text(self) -> str:
        """The body."""


@dataclass(slots=True)
class Form:
    """A form: where it goes, and what it sends as it is filled in."""

    action: str
    method: str = "POST"
    fields: list[tuple[str, str]] = field(default_factory=list)

    def __getitem__(self, name: str) -> str:
        return next(value for key, value in self.fields if key == name)

    def lists(self) -> dict[str, list[str]]:
        """Give what is sent, with every value of each name."""
        return {name: [v for key, v in self.fields if key == name] for name, _ in self.fields}

    def sends(self, **other: str) -> dict[str, str]:
        """Give what is sent when some of it is filled in anew."""
        return {**dict(self.fields), **other}


class Page(HTMLParser):
    """An HTML page, read once."""

    def __init__(self, response: Answer) -> None:
        super().__init__()
        self.status = response.status_code
        self.source = response.text
        self.words = ""
        self.forms: list[Form] = []
        self.problems: dict[str, str] = {}
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.addresses: list[str] = []
        self.scripts: list[str | None] = []
        self.names: set[str] = set()
        self.boxes: set[str] = set()
        self.tags: set[str] = set()
        self.language = ""
        self._open: list[tuple[str, Attributes]] = []
        self._select = ""
        self.feed(self.source)
        self.close()

    def updatepos(self, _: int, j: int) -> int:
        return j  # nobody asks for lines and columns

    @property
    def told(self) -> str:
        """The words with one space between them."""
        return " ".join(self.words.split())

    @property
    def own_addresses(self) -> set[str]:
        """Every address of this server, also those that scripts use."""
        return set(map(unescape, re.findall(r'[\w-]+="(/[^"]*)"', self.source)))

    def form(self, ending: str) -> Form:
        """Give the form whose address ends so."""
        return next(form for form in self.forms if form.action.endswith(ending))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self._note(tag, found)
        if tag not in VOID:
            self._open.append((tag, found))
        if tag == "html":
            self.language = found.get("lang") or ""
        elif tag == "form":
            method = (found.get("method") or "get").upper()
            self.forms.append(Form(found.get("action") or "", method))
        elif tag == "a" and found.get("href"):
            self.links.append(found["href"] or "")
        elif tag == "select":
            self._select = found.get("name") or ""
        elif tag == "textarea" and found.get("name"):
            self.forms[-1].fields.append((found.get("name") or "", ""))
        elif tag in {"input", "option"}:
            self._fill_in(tag, found)

    def _note(self, tag: str, found: Attributes) -> None:
        """Note what a page is made of, and where it leads."""
        self.tags.add(tag)
        self.attributes |= found.keys()
        self.addresses += [found[name] or "" for name in ADDRESSES & found.keys()]
        if tag in {"input", "select", "textarea"}:
            self.names.add(found.get("name") or "")
        if tag == "textarea" or (tag == "input" and found.get("type") not in NO_BOX):
            self.boxes.add(found.get("name") or "")
        if tag == "script":
            self.scripts.append(found.get("src"))

    def _fill_in(self, tag: str, found: Attributes) -> None:
        name, value = found.get("name") or "", found.get("value") or ""
        if tag == "option" and "selected" in found:
            self.forms[-1].fields.append((self._select, value))
        chosen = found.get("type") not in {"radio", "checkbox"} or "checked" in found
        if tag == "input" and name and chosen:
            self.forms[-1].fields.append((name, value))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.words += data
        if self._open and self._open[-1][0] == "textarea" and self._open[-1][1].get("name"):
            name, text = self.forms[-1].fields.pop()
            more = data if text else data.lstrip("\r\n")  # as browsers leave out the first line end
            self.forms[-1].fields.append((name, text + more))
        for _, found in self._open:
            if "data-problem" in found and "hidden" not in found:
                name = found["data-problem"] or ""
                self.problems[name] = self.problems.get(name, "") + data.strip()
