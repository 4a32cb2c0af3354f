"""The kind of a browser, by what it says of itself: enough for its owner to tell it by."""

from __future__ import annotations

#: Looked for in this order: most browsers also name those that they descend from.
BROWSERS = {
    "SamsungBrowser/": "Samsung Internet",
    "EdgA/": "Edge",
    "EdgiOS/": "Edge",
    "Edg/": "Edge",
    "OPR/": "Opera",
    "FxiOS/": "Firefox",
    "Firefox/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def kind_of_browser(user_agent: str) -> str:
    """Say what a browser is, like ``Firefox · Android``; "" where either part is unknown."""
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return f"{browser} · {system}" if browser and system else ""
