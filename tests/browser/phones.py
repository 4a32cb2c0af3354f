"""Phones: a screen, a language and a theme, and somebody who notes whatever goes wrong on them."""

import re
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal, NamedTuple, cast
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Response,
    Route,
    StorageState,
)

from scorer.languages import translate
from scorer.texts import say

PATIENCE = 20_000
#: Every phone comes from a network of its own: none waits because others have joined.
NETWORKS = count(1)
LOCALES = {"en": "en-GB", "it": "it-IT"}
LATER = pytest.mark.slow
#: Chromium says so of pages that are refused on purpose; what a page is made of is looked at apart.
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")
#: A preview that a newer one overtook, and what was still loading when the page was left.
OVERTAKEN = "net::ERR_ABORTED"
PARTS = {"stylesheet", "script", "image", "font", "manifest"}
TELL_OF_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`against the policy: ${event.violatedDirective} ${event.blockedURI}`));
"""


class Model(NamedTuple):
    """What a phone is like."""

    width: int = 390
    height: int = 844
    language: str = "en"
    scripts: bool = True
    theme: Literal["light", "dark"] = "light"
    touch: bool = True
    scale: int = 1


@dataclass  # no slots: the browser's driver keeps its handlers on the object
class Watch:
    """Everything that no page may do, noted as it happens."""

    host: str
    complaints: list[str] = field(default_factory=list)
    tolerated: set[str] = field(default_factory=set)

    def listen(self, context: BrowserContext) -> None:
        """Hear of whatever a phone does from now on."""
        context.on("console", self._console)
        context.on("weberror", lambda error: self._complain(f"uncaught: {error.error}"))
        context.on("request", self._request)
        context.on("response", self._response)
        context.on("requestfailed", self._failed)

    def tolerate(self, part: str) -> None:
        """Leave out complaints with these words in them: the test means them to happen."""
        self.tolerated.add(part)

    @property
    def found(self) -> list[str]:
        """What is to be complained of."""
        return [said for said in self.complaints if not any(t in said for t in self.tolerated)]

    def _complain(self, text: str) -> None:
        self.complaints.append(text)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not REFUSED.match(message.text):
            self._complain(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme != "data" and address.netloc != self.host:
            self._complain(f"another host: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 500 or (
            response.status >= 400 and response.request.resource_type in PARTS
        ):
            self._complain(f"status {response.status}: {response.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != OVERTAKEN:
            self._complain(f"failed: {request.url} {request.failure}")


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone in a hand: its page, its language, and its watch."""

    model: Model
    context: BrowserContext
    page: Page
    watch: Watch

    def say(self, template: str, /, **values: object) -> str:
        """Put a text into the words of this phone's language."""
        return translate(say(template, **values), self.model.language)

    def tap(self, target: Locator) -> None:
        """Touch something, once it is there and the scripts of its page have run; or click it."""
        target.wait_for()
        self.page.wait_for_load_state()
        if self.model.touch:
            target.tap()
        else:
            target.click()

    def load_in(self, language: str) -> None:
        """Load the page again in another language; what is loaded after it is as before."""
        override = self.context.new_cdp_session(self.page)
        agent = {"userAgent": self.page.evaluate("navigator.userAgent")}
        override.send(
            "Emulation.setUserAgentOverride", {**agent, "acceptLanguage": LOCALES[language]}
        )
        self.page.reload()
        override.detach()

    def wipe(self, cookies: StorageState | None) -> None:
        """Make it as good as new: nothing is left of who had it before."""
        self.context.set_offline(offline=False)
        if self.page.url.startswith("http"):
            self.page.evaluate("sessionStorage.clear()")
        self.page.goto("about:blank")
        for routed in (self.page, self.context):
            routed.unroute_all()
        self.page.set_viewport_size({"width": self.model.width, "height": self.model.height})
        self.page.emulate_media(color_scheme=self.model.theme)
        self._forget()
        if cookies:
            self.context.add_cookies(cast("Any", cookies["cookies"]))
        self.watch.complaints.clear()
        self.watch.tolerated.clear()

    def _forget(self) -> None:
        """Empty what the site stored; a new storage state would start a process for it."""
        self.context.clear_cookies()
        storage = self.context.new_cdp_session(self.page)
        site = {"origin": f"http://{self.watch.host}", "storageTypes": "all"}
        storage.send("Storage.clearDataForOrigin", site)
        storage.detach()


def hold(page: Page, url: str) -> list[Route]:
    """Let requests of an address wait, and return them as they come, to go on."""
    held: list[Route] = []

    def wait(route: Route) -> None:
        held.append(route)

    page.route(url, wait)
    return held


def unpack(browser: Browser, site: str, model: Model, cookies: StorageState | None) -> Phone:
    """Take a new phone."""
    context = browser.new_context(
        base_url=site,
        viewport={"width": model.width, "height": model.height},
        device_scale_factor=model.scale,
        locale=LOCALES[model.language],
        timezone_id="Europe/Rome",
        color_scheme=model.theme,
        reduced_motion="reduce",
        java_script_enabled=model.scripts,
        permissions=["clipboard-write"],
        has_touch=model.touch,
        is_mobile=model.touch,
        storage_state=cookies,
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(TELL_OF_VIOLATIONS)
    watch = Watch(urlsplit(site).netloc)
    watch.listen(context)
    return Phone(model, context, context.new_page(), watch)


@dataclass(slots=True)
class Shelf:
    """Phones that are wiped and used again: to unpack one takes longer than to open a page."""

    browser: Browser
    site: str
    phones: list[Phone] = field(default_factory=list)
    in_hand: list[Phone] = field(default_factory=list)

    def take(
        self, model: Model, cookies: StorageState | None = None, *, new: bool = False
    ) -> Phone:
        """Give a phone of that model which nobody holds; what is done to a new one stays on it."""
        lying = [one for one in self.phones if one.model == model and one not in self.in_hand]
        if new or not lying:
            phone = unpack(self.browser, self.site, model, cookies)
        else:
            phone = lying[0]
            phone.wipe(cookies)
        if not new and not lying:
            self.phones.append(phone)
        self.in_hand.append(phone)
        address = f"2001:db8:0:{next(NETWORKS):x}::1"
        phone.context.set_extra_http_headers({"X-Forwarded-For": address})
        return phone

    def put_down(self) -> list[str]:
        """Lay back the phones whose page is still open, and give what went wrong on all of them."""
        complaints = [text for phone in self.in_hand for text in phone.watch.found]
        self.phones = [phone for phone in self.phones if not phone.page.is_closed()]
        for phone in self.in_hand:
            if phone not in self.phones:
                phone.context.close()
        self.in_hand.clear()
        return complaints
