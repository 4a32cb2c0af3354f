import assert from "node:assert/strict";
import "./browser.js";
import { stepped } from "../../static/base/stepper.js";
import { balanceAfter, firstOpen, isAnswered, likelyPoints, rest } from "../../static/deals/derived_sums.js";
import { leftOf, numberIn } from "../../static/deals/pays.js";

const test = Deno.test;
const box = (value, more = {}) => ({ value, worked: false, low: 0, ...more });

test("a tap adds a step, and stops at the bounds", () => {
  const bounds = { low: "0", high: "120" };

  assert.deepEqual([stepped(5, 1, bounds), stepped(5, -5, bounds), stepped(0, -1, bounds), stepped(118, 5, bounds)], [6, 0, 0, 120]);
});

test("a tap passes over numbers that cannot be", () => {
  const bounds = { low: "0", high: "120", skip: "1 119" };

  assert.deepEqual([stepped(0, 1, bounds), stepped(2, -1, bounds), stepped(118, 1, bounds), stepped(120, -1, bounds)], [2, 0, 120, 118]);
});

test("numbers are typed with a hyphen or a real minus, and a blank box has 0", () => {
  assert.deepEqual(["12", "-5", "−5", "", undefined, "x"].map((typed) => numberIn(typed)), [12, -5, -5, 0, 0, 0]);
});

test("of two sides the other has the rest", () => {
  assert.deepEqual(rest(120, [box("71"), box("")], 0), { place: 1, value: 49 });
  assert.deepEqual(rest(120, [box("71"), box("9")], 1), { place: 0, value: 111 });
  assert.deepEqual(rest(40, [box("44"), box("")], 0), { place: 1, value: 0 });
  assert.deepEqual(rest(40, [box("44"), box("", { low: -10 })], 0), { place: 1, value: -4 });
});

test("of three sides the last one has the rest, until somebody types it", () => {
  assert.equal(rest(120, [box("40"), box(""), box("")], 0), null);
  assert.deepEqual(rest(120, [box("40"), box("30"), box("")], 1), { place: 2, value: 50 });
  assert.deepEqual(rest(120, [box("40"), box("35"), box("50", { worked: true })], 1), { place: 2, value: 45 });
  assert.equal(rest(120, [box("40"), box("35"), box("50")], 1), null);
});

test("what is no number leaves no rest", () => {
  for (const typed of ["", "-", "4½", "x"]) assert.equal(rest(120, [box(typed), box("")], 0), null);
});

test("what nobody has yet is told, and what they have too much", () => {
  assert.deepEqual([leftOf(10, ["7", ""]), leftOf(10, ["7", "3"]), leftOf(10, ["12", ""])], [3, 0, -2]);
});

test("a balance takes on the hands of a side, twice where the rules say so, and the bonus once", () => {
  assert.equal(balanceAfter(50, ["20", ""], 1), 70);
  assert.equal(balanceAfter(50, ["20", "10"], 2, "−5"), 105);
});

const unanswered = { required: true, numbers: [], counters: [], lists: [], chips: [] };
for (const [what, answers, expected] of [
  ["all numbers", { numbers: ["7", "3"] }, true],
  ["a number too few", { numbers: ["7", ""] }, false],
  ["a chip", { chips: [false, true] }, true],
  ["no chip", { chips: [false, false] }, false],
  ["a chip, but not its number", { chips: [true], numbers: [""] }, false],
  ["one of the counters", { counters: ["", "1"] }, true],
  ["no counter", { counters: ["", ""] }, false],
  ["counters that need not be answered", { required: false, counters: ["", ""] }, true],
  ["one of the lists", { lists: ["", "KC"] }, true],
  ["no list", { lists: [""] }, false],
]) {
  test(`a question with ${what} is ${expected ? "" : "not "}answered`, () => {
    assert.equal(isAnswered({ ...unanswered, ...answers }), expected);
  });
}

test("the first open question is next, and of a group one answer is enough", () => {
  assert.equal(firstOpen([{ answered: true }, { answered: false }, { answered: false }]), 1);
  assert.equal(firstOpen([{ group: "g", answered: false }, { group: "g", answered: true }, { answered: false }]), 2);
  assert.equal(firstOpen([{ group: "g", answered: false }, { group: "h", answered: true }]), 0);
  assert.equal(firstOpen([{ answered: true }, { group: "g", answered: true }]), -1);
});

test("keys offer seven results round the target, missed and made, and none that cannot be", () => {
  assert.deepEqual(likelyPoints(61, false), [45, 55, 60, 61, 65, 70, 80]);
  for (let target = 61; target <= 120; target += 1) {
    const keys = likelyPoints(target, false);
    assert.equal(new Set(keys).size, 7);
    assert.ok(keys.includes(target) || target === 119);
    assert.ok(keys.some((points) => points < target));
    assert.ok(keys.every((points) => points >= 0 && points <= 120 && points !== 1 && points !== 119));
    assert.deepEqual(likelyPoints(target, true), keys.map((points) => 120 - points).sort((one, other) => one - other));
  }
});
