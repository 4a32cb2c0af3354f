import assert from "node:assert/strict";
import { face, passed, SOON } from "../../static/live/countdown.js";

for (const [left, time, up, soon] of [
  [25 * 60_000, "25:00", false, false],
  [SOON + 1, "5:01", false, false],
  [SOON, "5:00", false, true],
  [59_001, "1:00", false, true],
  [1, "0:01", false, true],
  [0, "0:00", true, false],
  [-90_000, "0:00", true, false],
  [100 * 60_000, "100:00", false, false],
]) {
  Deno.test(`a timer with ${left} ms left shows ${time}`, () => {
    assert.deepEqual(face(left), { time, up, soon });
  });
}

for (const [before, left, mark, told] of [
  [SOON + 400, SOON - 600, SOON, true],
  [1_000, 0, 0, true],
  [1_000, -9_000, 0, true],
  [20 * 60_000, -60_000, 0, false],
  [0, -1_000, 0, false],
  [NaN, -500, 0, false],
  [2_000, 1_000, 0, false],
]) {
  Deno.test(`from ${before} to ${left} ms the mark ${mark} is ${told ? "" : "not "}told`, () => {
    assert.equal(passed(before, left, mark), told);
  });
}
