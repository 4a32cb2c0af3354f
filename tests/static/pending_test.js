import assert from "node:assert/strict";
import "./browser.js";
import { foresee } from "../../static/live/pending.js";
import { apart } from "../../static/live/pending_chart.js";

const turns = [2, 0, 1, 2, 0].map((dealer) => ({ dealer, active: [0, 1, 2] }));
const written = (number, paid, more = {}) => ({ number, key: `k${number}`, version: 1, seen: 0, voided: false, dealer: 0, active: [0, 1, 2], paid, values: {}, ...more });
const known = (more = {}) => ({
  number: 3, times: 1, turns, names: ["Ada", "Bea", "Ciro"], balances: { 0: 3, 1: 0, 2: -3 }, pay: null, pays: null, version: 5, lowest: false,
  sides: { 0: "Ada", 1: "Bea", 2: "Ciro" }, played: 2, limits: {}, over: "It is over.", tables: [],
  deals: [written(2, { 0: 1, 1: 1, 2: -2 }), written(1, { 0: 2, 1: -1, 2: -1 })], reasons: [], words: {}, ...more,
});
const act = (kind, number, foretold = null, more = {}) => ({ kind, number, foretold, title: `${kind} ${number}`, facts: [], body: [], times: 1, state: "", ...more });
const sums = ({ standings }) => standings.map(({ place, seat, balance }) => [place, seat, balance]);

Deno.test("deals that wait are rows after those of the page, with the balances and places that follow", () => {
  const then = foresee(known(), [act("record", 3, { 0: -4, 1: 2, 2: 2 }), act("record", 4, { 0: 0, 1: -3, 2: 3 })]);

  assert.deepEqual(then.rows.map(({ number, waits, balances }) => [number, waits, balances]), [
    [1, "", { 0: 2, 1: -1, 2: -1 }],
    [2, "", { 0: 3, 1: 0, 2: -3 }],
    [3, "record", { 0: -1, 1: 2, 2: -1 }],
    [4, "record", { 0: -1, 1: -1, 2: 2 }],
  ]);
  assert.deepEqual(sums(then), [[1, 2, 2], [2, 0, -1], [2, 1, -1]]);
});

Deno.test("partners have one place, and what was answered tells the row", () => {
  const then = foresee(known({ balances: { 0: 1, 1: 4, 2: 1, 3: 4 }, sides: { 0: "Ada and Ciro", 1: "Bea and Dora" } }), [act("record", 3, {}, { facts: [["Caller", "Ada"], ["Bid", "K"]] }), act("void", 1)]);

  assert.deepEqual(then.standings.map(({ place, seat }) => [place, seat]), [[1, 1], [2, 0]]);
  assert.deepEqual(then.rows.map(({ told }) => told), ["void 1", "", "Ada · K"]);
});

Deno.test("where the lowest leads the order is the other way round", () => {
  assert.deepEqual(sums(foresee(known({ lowest: true }), [])), [[1, 2, -3], [2, 1, 0], [3, 0, 3]]);
});

Deno.test("who is out stands after who is in, the last one put out first", () => {
  const out = known({ lowest: true, balances: { 0: 90, 1: 101, 2: 95, 3: 110 }, sides: { 0: "Ada", 1: "Bea", 2: "Ciro", 3: "Dora" }, out: { 1: 1, 3: 2 }, pays: { out_from: 101 }, deals: [] });

  assert.deepEqual(sums(foresee(out, [])), [[1, 0, 90], [2, 2, 95], [3, 3, 110], [4, 1, 101]]);
  assert.deepEqual(sums(foresee(out, [act("record", 3, { 0: 0, 2: 40 })])), [[1, 0, 90], [2, 2, 135], [3, 3, 110], [4, 1, 101]]);
});

Deno.test("the next deal, its dealer and how often it counts follow from what waits", () => {
  const next = (acts, more = {}) => {
    const { number, times, dealer } = foresee(known(more), acts).next ?? {};
    return [number, times, dealer];
  };
  const again = act("record", 3, null, { again: true, body: [["outcome", "misdeal"]] });

  assert.deepEqual(next([]), [3, 1, 2]);
  assert.deepEqual(next([act("record", 3, {}, { times: 2 })]), [4, 2, 0]);
  assert.deepEqual(next([act("record", 4, {})]), [5, 1, 1]);
  assert.deepEqual(next([again]), [4, 1, 2]);
  assert.deepEqual(next([again, act("record", 4, {})]), [5, 1, 0]);
  assert.deepEqual(next([], { turns: [] }), [undefined, undefined, undefined]);
});

Deno.test("the last deals that are taken back before another is recorded are dealt once more", () => {
  const dealtBy = (dealer, times = 1) => ({ dealer, active: [0, 1, 2], times });
  const one = written(1, {}, { next: dealtBy(1, 2) }), two = written(2, {}, { dealer: 1, next: dealtBy(2) }), record = act("record", 3, {});
  const dealers = (deals, ...acts) => {
    const { rows, next } = foresee(known({ deals, opening: dealtBy(0) }), acts);
    const { turn } = rows.find(({ waits }) => waits === "record");
    return [turn.times, turn.dealer, next.dealer];
  };

  assert.deepEqual(dealers([two, one], record), [1, 2, 0]);
  assert.deepEqual(dealers([two, one], act("void", 1), record), [1, 2, 0]);
  assert.deepEqual(dealers([two, one], act("void", 2), record), [2, 1, 2]);
  assert.deepEqual(dealers([two, one], record, act("void", 2)), [1, 2, 0]);
  assert.deepEqual(dealers([two, one], act("void", 1), act("void", 2), record), [1, 0, 1]);
  assert.deepEqual(dealers([{ ...two, voided: true }, one], act("restore", 2), record), [1, 2, 0]);
  assert.deepEqual(dealers([{ ...two, voided: true }, one], record, act("restore", 2)), [1, 2, 0]);
});

Deno.test("those who sit there now deal a deal that is taken back, and the one who sits out is theirs", () => {
  const turns = [3, 1, 0, 2].map((dealer) => ({ dealer, active: [0, 1, 2, 3].filter((seat) => seat !== dealer) }));
  const one = written(1, {}, { next: { ...turns[1], times: 1 } }), two = written(2, {}, { dealer: 2, active: [0, 1, 4] });
  const { rows, next } = foresee(known({ deals: [two, one], turns, balances: { 0: 0, 1: 0, 2: 0, 3: 0 }, opening: { ...turns[2], times: 1 } }), [act("void", 2), act("record", 3, {})]);

  assert.deepEqual(rows.at(-1).turn.active, [0, 2, 3]);
  assert.deepEqual([next.dealer, next.active], [0, [1, 2, 3]]);
});

Deno.test("whoever is out deals and plays no more, until a deal brings them back", () => {
  const next = (...acts) => {
    const { dealer, active } = foresee(known({ pays: { out_from: 10 } }), acts).next ?? {};
    return [dealer, active?.join()];
  };

  assert.deepEqual(next(act("record", 3, { 0: 6, 1: 9 })), [0, "0,1,2"]);
  assert.deepEqual(next(act("record", 3, { 0: 7 })), [1, "1,2"]);
  assert.deepEqual(next(act("record", 3, { 0: 7 }), act("amend", 1, {})), [0, "0,1,2"]);
  assert.deepEqual(next(act("record", 3, { 0: 7, 1: 10 })), [undefined, undefined]);
  assert.deepEqual(next(act("record", 3, null)), [undefined, undefined]);
  assert.equal(foresee(known({ balances: { 0: 12, 1: 0, 2: 0 }, pays: { out_from: 10 } }), [act("amend", 1, {})]).next?.dealer, 2);
  const { dealer, active } = foresee(known({ balances: { 0: 10, 1: 0, 2: 0 }, pays: { out_from: 10 }, turns: turns.slice(1) }), [act("amend", 1, {})]).next;
  assert.deepEqual([dealer, active], [0, [0, 1, 2]]);
});

Deno.test("what waits may end the session: at its target, after its deals, once all others are out", () => {
  const over = (more, ...acts) => foresee(known(more), acts).over;
  const record = (number, paid) => act("record", number, paid);

  assert.equal(over({ limits: { target: 5 } }, record(3, { 0: 2 })), "It is over.");
  assert.equal(over({ limits: { target: 5 } }, record(3, { 0: 1 })), "");
  assert.equal(over({ limits: { target: 5 } }, record(3, { 0: 2, 1: 5 })), "");
  assert.equal(over({ limits: { deals: 3 } }, record(3, { 0: 2 })), "It is over.");
  assert.equal(over({ limits: { deals: 3 } }, act("record", 3, null, { body: [["outcome", "misdeal"]] })), "");
  assert.equal(over({ limits: { deals: 3 } }, act("void", 1), record(3, { 0: 2 })), "");
  assert.equal(over({ lowest: true, pays: { out_from: 10 } }, record(3, { 0: 7, 1: 10 })), "It is over.");
  assert.equal(over({ limits: { target: 3 } }), "");
});

Deno.test("an old deal that is amended, voided or restored moves all balances after it", () => {
  const then = (...acts) => foresee(known(), acts);

  assert.deepEqual(sums(then(act("amend", 1, { 0: -2, 1: 1, 2: 1 }))), [[1, 1, 2], [2, 0, -1], [2, 2, -1]]);
  assert.deepEqual(sums(then(act("void", 2))), [[1, 0, 2], [2, 1, -1], [2, 2, -1]]);
  assert.deepEqual(sums(then(act("void", 2), act("restore", 2))), sums(then()));
  assert.deepEqual(then(act("void", 2)).rows.map(({ voided, waits }) => [voided, waits]), [[false, ""], [true, "change"]]);
});

Deno.test("what only the server can pay is named, and moves nothing", () => {
  const then = foresee(known(), [act("record", 3, null), act("record", 4, null, { body: [["outcome", "redeal"]] }), act("record", 5, null, { body: [["outcome", "penalty"]] })]);

  assert.deepEqual(then.unknown, [3, 5]);
  assert.deepEqual(sums(then), sums(foresee(known(), [])));
});

Deno.test("what the server has, and what waits for an answer, counts no second time", () => {
  const paid = { 0: 5, 1: -5, 2: 0 };

  for (const one of [act("record", 2, paid), act("record", 3, paid, { state: "conflict" }), act("amend", 9, paid), act("confirm", 2, null)]) {
    assert.deepEqual(sums(foresee(known(), [one])), [[1, 0, 3], [2, 1, 0], [3, 2, -3]]);
  }
});

Deno.test("names beside the chart stand apart, in the order of the lines, and within it", () => {
  assert.deepEqual(apart([40, 40, 100]), [40, 57, 100]);
  assert.deepEqual(apart([236, 30, 230]), [236, 30, 219]);
  assert.deepEqual(apart([100, 90, 95]), [124, 90, 107]);
});
