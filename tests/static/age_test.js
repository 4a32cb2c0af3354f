import assert from "node:assert/strict";
import { ageOf } from "../../static/base/age.js";

const now = new Date(2026, 2, 21, 22, 40);
for (const [then, english, italian] of [
  [new Date(2026, 2, 21, 22, 37), "3 minutes ago", "3 minuti fa"],
  [new Date(2026, 2, 21, 22, 41), "now", "ora"],
  [new Date(2026, 2, 21, 4, 38), "04:38", "04:38"],
  [new Date(2026, 2, 20, 23, 50), "Friday 23:50", "venerdì 23:50"],
  [new Date(2026, 2, 1, 9, 5), "1 March at 09:05", "1 marzo alle ore 09:05"],
]) {
  Deno.test(`a page of ${then.toISOString()} is of ${english}`, () => {
    assert.deepEqual([ageOf(then, now, "en-GB"), ageOf(then, now, "it")], [english, italian]);
  });
}
