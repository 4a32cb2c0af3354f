import assert from "node:assert/strict";
import { begin, disk } from "./browser.js";
import { drop, everyAct, forgetAll, keep, newKey, shift, waiting, waitingOf, whenChanged, wipe } from "../../static/base/queue.js";

const act = (more = {}) => ({ circle: "c", session: "s", kind: "record", number: 1, key: newKey(), title: "Deal 1", body: [["number", "1"]], state: "", ...more });
const numbers = (acts) => acts.map(({ number }) => number);

Deno.test("acts wait in the order in which they were kept, each circle's by themselves", async () => {
  begin();
  for (const [circle, number] of [["c", 3], ["other", 9], ["c", 1], ["c", 2]]) await keep(act({ circle, number }));

  assert.deepEqual(numbers(await waiting("c")), [3, 1, 2]);
  assert.deepEqual(numbers(await everyAct()), [3, 9, 1, 2]);
});

Deno.test("an act that is kept again stays in its place", async () => {
  begin();
  const id = await keep(act());
  await keep(act({ number: 2 }));

  assert.equal(await keep(act({ id, number: 7 })), id);

  assert.deepEqual(numbers(await waiting("c")), [7, 2]);
});

Deno.test("what the server pays otherwise waits no more, nor does what is in hand", async () => {
  begin();
  await keep(act({ number: 1, state: "differs" }));
  await keep(act({ number: 2, session: "other" }));
  const inHand = await keep(act({ number: 3 }));
  await keep(act({ number: 4, state: "conflict" }));

  assert.deepEqual(numbers(await waitingOf("c", "s")), [3, 4]);
  assert.deepEqual(numbers(await waitingOf("c", "s", inHand)), [4]);
});

Deno.test("an act is dropped, and all of one circle", async () => {
  begin();
  const id = await keep(act());
  await keep(act({ number: 2 }));
  await keep(act({ circle: "other", number: 3 }));

  await drop({ id });
  assert.deepEqual(numbers(await waiting("c")), [2]);
  await wipe("c");
  assert.deepEqual(numbers(await everyAct()), [3]);
});

Deno.test("deals after one that goes take its number, with what they send and are called", async () => {
  begin();
  const first = act({ id: await keep(act()) });
  await keep(act({ number: 2, title: "Deal 2", body: [["caller", "2"], ["number", "2"]] }));
  await keep(act({ number: 2, kind: "void" }));
  await keep(act({ number: 2, session: "other" }));

  await shift(first, -1);

  const [, second, ...others] = await waiting("c");
  assert.deepEqual([second.number, second.title, second.body], [1, "Deal 1", [["caller", "2"], ["number", "1"]]]);
  assert.deepEqual(numbers(others), [2, 2]);
});

Deno.test("deals before one that moves, and all where it doesn't, keep their numbers", async () => {
  begin();
  await keep(act());
  const last = act({ id: await keep(act({ number: 2 })), number: 2 });

  await shift(last, 5);
  await shift({ ...last, id: 1 }, 0);

  assert.deepEqual(numbers(await waiting("c")), [1, 2]);
});

Deno.test("whoever listens hears of what is kept, dropped and forgotten", async () => {
  begin();
  let heard = 0;
  whenChanged(() => { heard += 1; });
  const told = async (work) => {
    const before = heard;
    await work();
    return heard > before;
  };

  assert.ok(await told(() => keep(act())));
  assert.ok(await told(() => drop({ id: 1 })));
  assert.ok(await told(forgetAll));
});

Deno.test("where the browser keeps nothing, nothing waits", async () => {
  begin();
  disk.away = true;

  assert.deepEqual(await everyAct(), []);
  await assert.rejects(keep(act()), { name: "SecurityError" });
});

Deno.test("nothing of this browser is left once it forgets", async () => {
  begin();
  await keep(act());
  sessionStorage.setItem("draft/1", "[]");
  localStorage.setItem("seen", "1");

  await forgetAll();

  assert.deepEqual([(await everyAct()).length, sessionStorage.length, localStorage.length], [0, 0, 0]);
});

Deno.test("a key is a random UUID of version 4, also on plain HTTP", () => {
  const keys = new Set(Array.from({ length: 50 }, newKey));

  assert.equal(keys.size, 50);
  for (const key of keys) assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
