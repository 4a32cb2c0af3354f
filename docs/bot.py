"""A bot for a chat: `python bot.py https://scorer.example KEY`.

It says what happens in the circle of its key, and records what it reads: "Ada 75 Bea 80".
"""

import json
import sys
from http.client import HTTPException
from threading import Thread
from time import sleep
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4


def request(path, body=None, **headers):
    data = json.dumps(body).encode() if body else None
    headers["Authorization"] = f"Bearer {sys.argv[2]}"
    # A stream sends something every 15 seconds: what is silent for longer is lost.
    return urlopen(Request(sys.argv[1] + path, data, headers), timeout=60)


def ask(path, body=None):
    while True:
        try:
            return json.load(request(path, body))
        except HTTPError as refusal:
            if refusal.code < 500 and refusal.code != 429:
                return json.load(refusal)
        except (OSError, HTTPException):
            pass
        print("No answer: trying again.", file=sys.stderr)
        sleep(2)


def say(text):
    print(text, flush=True)


def figures(amounts):
    return ", ".join(f"{name} {amount:+}" for name, amount in amounts.items())


def record(message):
    try:
        caller, bid, partner, points = message.split()
        sheet = {"caller": caller, "bid": bid, "card_points": int(points)}
    except ValueError:
        say('Write a deal like "Ada 75 Bea 80", or "Ada 75 alone 80".')
        return
    sheet["partner"] = None if partner == "alone" else partner
    sessions = ask(f"{CIRCLE}/sessions")["sessions"]
    if not sessions:
        say("This circle has no session yet: begin one on a phone.")
        return
    # Sent again because its answer was lost, a deal with the same key is the same deal.
    deal = {"key": str(uuid4()), "number": sessions[0]["next_number"], "sheet": sheet}
    answer = ask(f"{CIRCLE}/sessions/{sessions[0]['id']}/deals", deal)
    for problem in answer.get("problems", ()):
        say(problem["message"])


def tell(event):
    session, number = event["session"], event["number"]
    if event["kind"] == "end":
        sessions = ask(f"{CIRCLE}/sessions")["sessions"]
        for ended in (each for each in sessions if each["id"] == session):
            say(f"The session has ended: {figures(ended['balances'])}")
    elif event["kind"] in {"deal", "amend", "void", "restore", "review"}:
        deal = ask(f"{CIRCLE}/sessions/{session}/deals/{number}")
        if deal["state"] == "voided":
            say(f"Deal {number} is voided.")
        else:
            disputed = " (disputed)" if deal["state"] == "disputed" else ""
            say(f"Deal {number}{disputed}: {figures(deal['payouts'])}")


def events():
    while True:
        try:
            # With this header it first gets the last change of each open session.
            for line in request(f"{CIRCLE}/events", **{"Last-Event-ID": "0"}):
                if line.startswith(b"data: "):
                    yield json.loads(line.removeprefix(b"data: "))
        except HTTPError as refusal:
            if refusal.code in {401, 403, 404}:
                return
        except (OSError, HTTPException):
            pass
        sleep(2)


def listen():
    told = {}
    for event in events():
        if event["kind"] == "gone":
            return
        if event["version"] > told.get(event["session"], 0):
            tell(event)
            told[event["session"]] = event["version"]


def read():
    for message in sys.stdin:
        record(message)


circles = ask("/api/v1/circles").get("circles")
if not circles:
    sys.exit("The server does not know this key.")
CIRCLE = f"/api/v1/circles/{circles[0]['id']}"
Thread(target=read, daemon=True).start()
listen()
sys.exit("The key is valid no longer.")
