"""A bot for a chat: python bot.py https://scorer.example SECRET; then "Ada 75 Bea 80" is a deal."""

import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4


def ask(path, body=None):
    data = json.dumps(body).encode() if body else None
    request = Request(sys.argv[1] + path, data, {"Authorization": f"Bearer {sys.argv[2]}"})
    try:
        return json.load(urlopen(request))
    except HTTPError as refusal:
        return json.load(refusal)


CIRCLE = "/api/v1/circles/" + ask("/api/v1/circles")["circles"][0]["id"]
sessions = ask(f"{CIRCLE}/sessions")["sessions"]
if not sessions:
    sys.exit("This circle has no session yet: begin one on a phone, then start the bot again.")
SESSION = f"{CIRCLE}/sessions/{sessions[0]['id']}"
for message in sys.stdin:
    caller, bid, partner, points = message.split()
    sheet = {"caller": caller, "bid": bid, "card_points": int(points)}
    sheet["partner"] = None if partner == "alone" else partner
    number, key = ask(SESSION)["next_number"], str(uuid4())
    # Sent again after a lost answer, the same key is the same deal.
    answer = ask(f"{SESSION}/deals", {"key": key, "number": number, "sheet": sheet})
    problems = [problem["message"] for problem in answer.get("problems", ())]
    paid = ", ".join(f"{name} {each:+}" for name, each in answer.get("payouts", {}).items())
    print(" ".join(problems) or f"Deal {number}: {paid}", flush=True)
