import assert from "node:assert/strict";
import "./browser.js";
import { summaryOf, why } from "../../static/base/queue.js";

const words = {
  one: "1 deal", many: "# deals", acts: "# acts", otherwise: "otherwise", away: "away", gone: "gone", conflict: "both", refused: "Refused.",
  twice: "deal # twice", changed: "deal # changed", notTaken: "deal # not taken", differs: "It pays %s",
};
const act = (number, more = {}) => ({ session: "s", kind: "record", number, key: `key ${number}`, names: { 0: "Ada", 1: "Bea" }, state: "", said: "", ...more });

for (const [what, acts, line, told] of [
  ["a deal", [act(1)], "1 deal", "away"],
  ["a deal that was started and finished", [act(1, { kind: "start" }), act(1)], "1 deal", "away"],
  ["deals of two sessions", [act(1), act(1, { session: "other" })], "2 deals", "away"],
  ["a deal and what is done to one", [act(1), act(1, { kind: "void" })], "2 acts", "away"],
  ["what the server pays otherwise", [act(1, { state: "differs" })], "otherwise", ""],
  ["a deal beside that", [act(1, { state: "differs" }), act(2)], "1 deal", "away"],
  ["a deal that another phone wrote too", [act(1, { state: "conflict" })], "deal 1 twice", ""],
  ["a start of another phone", [act(2, { kind: "start", state: "conflict" })], "deal 2 twice", ""],
  ["a change of another phone, and a deal", [act(3, { kind: "amend", state: "conflict" }), act(7)], "deal 3 changed", "2 acts"],
  ["a deal that was refused, and the next one", [act(1, { state: "refused" }), act(2)], "deal 1 not taken", "2 deals"],
]) {
  Deno.test(`the panel says of ${what}: ${line}`, () => {
    const summary = summaryOf(words, acts, "");

    assert.deepEqual([summary.line, summary.told], [line, told]);
    assert.deepEqual(summary.asks, acts.filter(({ state }) => state === "conflict" || state === "refused"));
  });
}

Deno.test("a phone that is out says so, and nothing is asked of what the page itself asks", () => {
  assert.equal(summaryOf(words, [act(1)], "gone").told, "gone");
  assert.deepEqual(summaryOf(words, [act(1, { state: "conflict" })], "", "key 1"), { asks: [], line: "1 deal", told: "" });
});

Deno.test("an act tells why it waits, and what the server pays instead", () => {
  assert.equal(why(words, act(1)), "");
  assert.equal(why(words, act(1, { state: "refused", said: "No bid." })), "Refused. No bid.");
  assert.equal(why(words, act(1, { state: "differs", said: '{"0": 2, "1": -1, "2": 0}' })), "It pays Ada +2 · Bea −1 · 2 0");
});
