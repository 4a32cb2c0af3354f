import assert from "node:assert/strict";
import "./browser.js";
import { foresee } from "../../static/live/evening.js";
import { apart } from "../../static/live/pending_chart.js";

const points = { sides: [[0], [1], [2]], fine: 1, terms: [{ each: "points" }], totals: {} };
const outcomes = { misdeal: { again: true, more: 1, compound: false }, redeal: { again: true, more: 1, compound: false }, penalty: { again: true, more: 1, compound: false }, "all-passed": { again: false, more: 2, compound: false } };
const terms = (more = {}) => ({
  from: 1, order: [0, 1, 2], sits_since: null, dealer: null, since: 0, rota: null, playing: [2, 3], sides: [[0], [1], [2]], lowest: false, ends: {}, pays: points, outcomes, ...more,
});
const written = (number, paid, more = {}) => ({ number, key: `k${number}`, version: 1, seen: 0, voided: false, dealer: number - 1, active: [0, 1, 2], times: 1, paid, values: {}, again: false, next: 1, ...more });
const known = (more = {}) => ({
  number: 1, played: 0, balances: { 0: 0, 1: 0, 2: 0 }, since: null, ended: false, won: [], closed: false, last: { number: 0, dealer: 0, order: [0, 1, 2], again: true, next: 1 },
  names: ["Ada", "Bea", "Ciro"], sides: { 0: "Ada", 1: "Bea", 2: "Ciro" }, over: "It is over.", version: 5, reasons: [], words: {},
  deals: [written(1, { 0: 2, 1: -1, 2: -1 }), written(2, { 0: 1, 1: 1, 2: -2 })], ...more, terms: [terms(more.terms)],
});
const act = (kind, number, body = [], more = {}) => ({ kind, number, foretold: null, title: `${kind} ${number}`, facts: [], body, state: "", ...more });
const paid = (...amounts) => amounts.map((amount, side) => [`points-${side}`, String(amount)]);
const record = (number, ...amounts) => act("record", number, paid(...amounts));
const notPlayed = (number, outcome = "misdeal") => act("record", number, [["outcome", outcome]]);
const sums = ({ standings }) => standings.map(({ place, seat, balance }) => [place, seat, balance]);

Deno.test("deals that wait come after those of the page, with the balances and places that follow", () => {
  const then = foresee(known(), [record(3, -4, 2, 2), record(4, 0, -3, 3)]);

  assert.deepEqual(then.deals.map(({ number, waits = "", balances }) => [number, waits, balances]), [
    [1, "", { 0: 2, 1: -1, 2: -1 }],
    [2, "", { 0: 3, 1: 0, 2: -3 }],
    [3, "record", { 0: -1, 1: 2, 2: -1 }],
    [4, "record", { 0: -1, 1: -1, 2: 2 }],
  ]);
  assert.deepEqual(sums(then), [[1, 2, 2], [2, 0, -1], [2, 1, -1]]);
});

Deno.test("partners have one place, and what was answered tells the deal", () => {
  const then = foresee(known({ deals: [written(1, {})], balances: { 0: 1, 1: 4, 2: 1, 3: 4 }, sides: { 0: "Ada and Ciro", 1: "Bea and Dora" } }), [act("record", 2, [], { facts: [["Caller", "Ada"], ["Bid", "K"]] }), act("void", 1)]);

  assert.deepEqual(then.standings.map(({ place, seat }) => [place, seat]), [[1, 1], [2, 0]]);
  assert.deepEqual(then.deals.map(({ told }) => told), ["void 1", "Ada · K"]);
});

Deno.test("what was done to a deal that waits is seen where it stands", () => {
  const then = foresee(known(), [act("void", 2), act("confirm", 1)]);

  assert.deepEqual(then.deals.map(({ voided, waits = "" }) => [voided, waits]), [[false, ""], [true, "change"]]);
});

Deno.test("the deal that is asked for goes with those who play it, and its balances", () => {
  const { deals, next } = foresee(known(), [record(3, 1, 0, 0), notPlayed(4, "all-passed")]);

  assert.deepEqual([deals[2].turn.number, deals[2].turn.dealer, deals[2].turn.balances], [3, 2, { 0: 3, 1: 0, 2: -3 }]);
  assert.deepEqual([next.number, next.dealer, next.times, next.balances], [5, 1, 2, { 0: 4, 1: 0, 2: -3 }]);
});

Deno.test("a deal between that this page has not heard of was dealt, and only the server knows what it paid", () => {
  const then = foresee(known(), [record(4, 1, 0, 0)]);

  assert.deepEqual([then.next.number, then.next.dealer, then.unknown], [5, 1, [3]]);
});

Deno.test("nobody goes on where the session has ended, or too few are left", () => {
  assert.equal(foresee(known({ closed: true }), []).next, undefined);
  assert.equal(foresee(known({ terms: { playing: [4] } }), []).next, undefined);
});

Deno.test("whoever is out deals and plays no more, until a deal brings them back", () => {
  const ends = { out_from: 10 };
  const next = (...acts) => {
    const { dealer, active } = foresee(known({ since: {}, terms: { ends, lowest: true } }), acts).next ?? {};
    return [dealer, active?.join()];
  };

  assert.deepEqual(next(record(3, 6, 9, 0)), [0, "0,1,2"]);
  assert.deepEqual(next(record(3, 7, 0, 0)), [1, "1,2"]);
  assert.deepEqual(next(record(3, 7, 0, 0), act("amend", 1, paid(0, 0, 0))), [0, "0,1,2"]);
  assert.deepEqual(next(record(3, 7, 10, 0)), [undefined, undefined]);
  assert.deepEqual(next(act("record", 3, [["buy_in-0", "y"]])), [undefined, undefined]);
});

Deno.test("who is out stands after who is in, the last one put out first", () => {
  const then = foresee(known({ since: {}, terms: { ends: { out_from: 3 }, lowest: true } }), [record(3, 4, 3)]);

  assert.deepEqual(then.standings.map(({ place, seat, out }) => [place, seat, out]), [[1, 2, false], [2, 1, true], [3, 0, true]]);
});

Deno.test("what waits may end the session, and is said once", () => {
  const over = (more, ...acts) => foresee(known(more), acts).over;

  assert.equal(over({ terms: { ends: { target: 5 } } }, record(3, 2, 0, 0)), "It is over.");
  assert.equal(over({ terms: { ends: { target: 5 } } }, record(3, 1, 0, 0)), "");
  assert.equal(over({ terms: { ends: { target: 5 } } }, record(3, 2, 5, 0)), "");
  assert.equal(over({ terms: { ends: { target: 5, shared: true } } }, record(3, 2, 5, 0)), "It is over.");
  assert.equal(over({ terms: { ends: { deals: 3 } } }, notPlayed(3)), "");
  assert.equal(over({ terms: { ends: { deals: 3 } } }, act("void", 1), record(3, 2, 0, 0)), "");
  assert.equal(over({ terms: { ends: { target: 3 } } }, record(3, 2, 0, 0)), "");
  assert.equal(over({ ended: true, terms: { ends: { target: 5 } } }, record(3, 2, 0, 0)), "");
});

Deno.test("level at the target the points of the last deal say who was first, if they are counted in order", () => {
  const pays = { ...points, terms: [{ each: "points" }, { each: "sweeps" }] };
  const over = (in_order, ...answers) => foresee(known({ deals: [], terms: { pays, ends: { target: 5, in_order } } }), [act("record", 1, answers)]).over;
  const level = [...paid(5, 4, 0), ["sweeps-1", "1"]];

  assert.equal(over("level", ...level), "It is over.");
  assert.equal(over(null, ...level), "");
  assert.equal(over("level", ...paid(5, 5, 0)), "");
});

Deno.test("a penalty pays the others, and what only the server can pay moves nothing", () => {
  const then = foresee(known(), [act("record", 3, [["bonus-0", "1"]]), notPlayed(4, "redeal"), act("record", 5, [["outcome", "penalty"], ["offender", "1"]])]);

  assert.deepEqual(then.unknown, [3]);
  assert.deepEqual(sums(then), [[1, 0, 4], [2, 1, -2], [2, 2, -2]]);
});

Deno.test("what the server foretold of an amendment counts where the phone can't tell", () => {
  const then = foresee(known(), [act("amend", 2, [["buy_in-0", "y"]], { foretold: { 0: 5, 1: 0, 2: 0 } })]);

  assert.deepEqual(sums(then), [[1, 0, 7], [2, 1, -1], [2, 2, -1]]);
});

Deno.test("what the server has, and what waits for an answer, counts no second time", () => {
  for (const one of [record(2, 5, 0, 0), { ...record(3, 5, 0, 0), state: "conflict" }, act("amend", 9, paid(5, 0, 0)), act("start", 3)]) {
    assert.deepEqual(sums(foresee(known(), [one])), [[1, 0, 3], [2, 1, 0], [3, 2, -3]]);
  }
});

Deno.test("names beside the chart stand apart, in the order of the lines, and within it", () => {
  assert.deepEqual(apart([40, 40, 100]), [40, 57, 100]);
  assert.deepEqual(apart([236, 30, 230]), [236, 30, 219]);
  assert.deepEqual(apart([100, 90, 95]), [124, 90, 107]);
});
