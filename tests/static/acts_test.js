import assert from "node:assert/strict";
import { begin, form } from "./browser.js";
import { actOf, notPlayed } from "../../static/base/acts.js";
import { keep } from "../../static/base/queue.js";

const SESSION = "/circles/c1/sessions/s1/";
const button = (name, value, { text = "", ...dataset } = {}) => ({ name, value, dataset, textContent: text });
const misdeal = (number = "1") => form([["number", number], ["key", "k"]], { action: `${SESSION}record`, dataset: { act: "record" } });
const waits = (number, more = {}) => keep({ circle: "c1", session: "s1", kind: "record", number, state: "", ...more });

Deno.test("an act has what its form says, but no token", () => {
  const voided = form([["csrf_token", "secret"], ["version", "3"]], { action: `${SESSION}deals/7/void`, dataset: { act: "void", title: "Void deal #, because: %s" } });

  const { key, ...act } = actOf(voided, button("reason", "Wrong points", { text: " Wrong points " }));

  assert.match(key, /-4/);
  assert.deepEqual(act, {
    circle: "c1", session: "s1", kind: "void", action: `${SESSION}deals/7/void`, number: 7, title: "Void deal 7, because: Wrong points",
    body: [["version", "3"], ["reason", "Wrong points"], ["key", key]],
    facts: [], names: {}, foretold: null, state: "", said: "",
  });
});

Deno.test("a form's own key and number are the act's", () => {
  const { key, number } = actOf(form([["key", "mine"], ["number", "4"]], { action: `${SESSION}record` }), null);

  assert.deepEqual([key, number], ["mine", 4]);
});

Deno.test("facts are the questions with their answers, as the form words them", () => {
  const field = (label, inputs) => ({
    querySelector: () => ({ firstChild: { textContent: ` ${label} ` } }),
    querySelectorAll: () => inputs,
    contains: () => true,
  });
  const chip = (text, checked) => Object.assign(new HTMLInputElement(), { type: "radio", value: "0", checked, closest: () => ({ textContent: text }) });
  const fields = { "[data-field], fieldset.field": [field("Caller", [chip("Ada", false), chip("Bea", true)]), field("Points", [{ value: "71" }]), field("Tricks", [{ value: "" }])] };

  assert.deepEqual(actOf(form([], { fields }), null).facts, [["Caller", "Bea"], ["Points", "71"]]);
});

Deno.test("a deal that is not played comes after those that wait, with a key of its own", async () => {
  begin();
  await waits(1);
  await waits(2);
  await waits(9, { kind: "void" });

  const act = await notPlayed(misdeal(), button("outcome", "misdeal"));

  assert.equal(act.number, 3);
  assert.notEqual(act.key, "k");
  assert.deepEqual(Object.fromEntries(act.body), { number: "3", key: act.key, outcome: "misdeal" });
});

Deno.test("a deal that is not played keeps its number where none waits", async () => {
  begin();

  const act = await notPlayed(misdeal("4"), button("outcome", "misdeal"));

  assert.deepEqual([act.number, act.key], [4, "k"]);
});
