import assert from "node:assert/strict";
import { begin, disk, form, json, network, posted, serve } from "./browser.js";
import { keep, waiting } from "../../static/base/queue.js";
import { deliver, delivered, freshToken, sendOrKeep } from "../../static/base/sending.js";

const deal = (number, more = {}) => ({
  circle: "c", session: "s", kind: "record", action: `/record/${number}`, key: `key ${number}`, number, title: `Deal ${number}`,
  body: [["number", String(number)], ["key", `key ${number}`]], facts: [], names: {}, foretold: null, state: "", said: "", ...more,
});
const page = () => form([["csrf_token", "of the page"]]);
const states = async () => (await waiting("c")).map(({ number, state }) => [number, state]);
const paths = () => posted().map(({ path }) => path);
const away = () => { throw new TypeError("no network"); };

/** @param {string} name @param {() => Promise<void>} work */
const test = (name, work) => Deno.test({
  name,
  sanitizeOps: false, // each request has a clock, after which it is given up
  async fn() {
    begin();
    delivered.clear();
    await work();
  },
});

for (const [answer, expected] of [
  [() => json(200, { csrf_token: "t" }), { token: "t", trouble: "" }],
  [() => json(401, {}), { trouble: "gone" }],
  [() => json(404, {}), { trouble: "gone" }],
  [() => json(503, {}), { trouble: "away" }],
  [() => new Response("<html>"), { trouble: "away" }],
  [away, { trouble: "away" }],
]) {
  test(`a token is asked for, and the answer is ${JSON.stringify(expected)}: ${answer}`, async () => {
    network.answer = answer;

    assert.deepEqual(await freshToken("c"), expected);
    assert.match(network.sent[0].path, /\/circles\/c\/token$/);
  });
}

test("what waits goes in order, with its key and a fresh token, and is gone then", async () => {
  for (const number of [2, 1]) await keep(deal(number));

  assert.equal(await deliver("c"), "");

  assert.deepEqual(posted().map(({ body }) => body), [
    { number: "2", key: "key 2", csrf_token: "fresh" },
    { number: "1", key: "key 1", csrf_token: "fresh" },
  ]);
  assert.deepEqual([await states(), [...delivered]], [[], ["key 2", "key 1"]]);
});

test("nothing is sent twice at once", async () => {
  await keep(deal(1));

  await Promise.all([deliver("c"), deliver("c"), deliver("c")]);

  assert.equal(posted().length, 1);
});

for (const [status, state] of [[409, "conflict"], [422, "refused"], [410, "refused"]]) {
  test(`an answer of ${status} holds up its session alone`, async () => {
    for (const act of [deal(1), deal(2), deal(3, { session: "other" })]) await keep(act);
    serve(({ path }) => path === "/record/1" ? json(status, { problems: [{ field: "", message: "No." }] }) : json(200, { ok: true }));

    assert.equal(await deliver("c"), "");
    assert.deepEqual(await states(), [[1, state], [2, ""]]);
    await deliver("c");

    assert.deepEqual(paths(), ["/record/1", "/record/3"]);
    assert.equal((await waiting("c"))[0].said, state === "refused" ? "No." : "");
  });
}

for (const status of [401, 403, 408, 429, 500, 503]) {
  test(`an answer of ${status} holds up everything, and asks nothing of anybody`, async () => {
    for (const act of [deal(1), deal(2, { session: "other" })]) await keep(act);
    serve(() => json(status, {}));

    assert.equal(await deliver("c"), status === 403 ? "watching" : "away");

    assert.deepEqual(await states(), [[1, ""], [2, ""]]);
    assert.deepEqual(paths(), ["/record/1"]);
  });
}

test("a phone that is out sends nothing and keeps everything", async () => {
  await keep(deal(1));
  network.answer = () => json(404, {});

  assert.equal(await deliver("c"), "gone");

  assert.deepEqual([await states(), paths()], [[[1, ""]], []]);
});

test("an act whose answer was lost is sent again with the same key", async () => {
  await keep(deal(1));
  serve(away);
  assert.equal(await deliver("c"), "away");
  serve(() => json(200, { ok: true }));
  assert.equal(await deliver("c"), "");

  assert.equal(posted()[0].body.key, "key 1");
  assert.deepEqual(await states(), []);
});

for (const [paid, left] of [[{ 0: 4, 1: -4 }, []], [{ 0: 2, 1: -2 }, [[1, "differs"]]], [undefined, []]]) {
  test(`foretold 4 and −4, and paid ${JSON.stringify(paid)}`, async () => {
    await keep(deal(1, { foretold: { 0: 4, 1: -4 } }));
    await keep(deal(2));
    serve(() => json(200, { ok: true, paid }));

    await deliver("c");

    assert.deepEqual([await states(), paths()], [left, ["/record/1", "/record/2"]]);
    if (left.length) assert.deepEqual(JSON.parse((await waiting("c"))[0].said), paid);
  });
}

test("a form that is saved goes at once, and what is kept of it goes with the answer", async () => {
  serve(() => json(200, { ok: true, next: "/session/" }));

  assert.deepEqual(await sendOrKeep(deal(1), page()), { full: false, became: "done", next: "/session/" });

  assert.equal(posted()[0].body.csrf_token, "of the page");
  assert.deepEqual(await states(), []);
});

test("a form of a kept page asks for its token first", async () => {
  const kept = form([["csrf_token", ""]]);

  await sendOrKeep(deal(1), kept);

  assert.equal(posted()[0].body.csrf_token, "fresh");
});

test("a form waits where the network is away, and is in the queue by its key", async () => {
  serve(away);

  assert.equal((await sendOrKeep(deal(1), page())).became, "kept");

  assert.deepEqual((await waiting("c")).map(({ key }) => key), ["key 1"]);
});

test("a form that is neither sent nor kept is lost, and says where there is no room", async () => {
  serve(away);
  disk.full = true;
  assert.deepEqual(await sendOrKeep(deal(1), page()), { full: true, became: "lost" });
  disk.away = true;
  assert.deepEqual(await sendOrKeep(deal(1), page()), { full: false, became: "lost" });
});

test("a full disk keeps nobody from saving", async () => {
  disk.full = true;

  assert.equal((await sendOrKeep(deal(1), page())).became, "done");
});

test("problems come back to the form, and nothing waits", async () => {
  const problems = [{ field: "bid", message: "Which bid?" }];
  serve(() => json(422, { problems }));

  assert.deepEqual(await sendOrKeep(deal(1), page()), { full: false, became: "refused", problems });
  assert.deepEqual(await states(), []);
});

for (const [status, left] of [[409, [[1, "conflict"]]], [500, [[1, ""]]], [403, [[1, ""]]]]) {
  test(`an answer of ${status} to a form is one that a page gives`, async () => {
    serve(() => json(status, {}));

    assert.equal((await sendOrKeep(deal(1), page())).became, "plainly");
    assert.deepEqual(await states(), left);
  });
}

test("a form goes behind what waits of its session", async () => {
  await keep(deal(1));

  assert.equal((await sendOrKeep(deal(2), page())).became, "done");

  assert.deepEqual(paths(), ["/record/1", "/record/2"]);
});

test("a form waits behind a deal that needs an answer", async () => {
  await keep(deal(1, { state: "conflict" }));

  assert.equal((await sendOrKeep(deal(2), page())).became, "kept");

  assert.deepEqual([await states(), paths()], [[[1, "conflict"], [2, ""]], []]);
});

test("a form that waits for nothing of another session goes at once", async () => {
  await keep(deal(1, { session: "other", state: "conflict" }));

  assert.equal((await sendOrKeep(deal(2), page())).became, "done");
});

test("what a form is sending itself is not sent from the queue as well", async () => {
  let answer = () => {};
  serve(() => new Promise((resolve) => { answer = () => resolve(json(200, { ok: true })); }));
  const saving = sendOrKeep(deal(1), page());
  while (!posted().length) await new Promise((resolve) => setTimeout(resolve));

  await deliver("c");
  answer();
  await saving;

  assert.deepEqual(paths(), ["/record/1"]);
});
