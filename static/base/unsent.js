// @ts-check
/** On every page of a circle: the line that says what is not sent yet, and each of it to be looked at, amended and deleted. */
import { readyActs } from "./acts.js";
import { made } from "./page.js";
import { amounts, drop, markApp, shift, summaryOf, waiting, whenChanged, why } from "./queue.js";
import { deliver, freshToken, sendPlainly } from "./sending.js";

/** @typedef {import("./queue.js").Act} Act */

const AGAIN = 5_000;
const panel = /** @type {HTMLElement} */ (document.getElementById("unsent"));
const words = panel.dataset;
const circle = words.circle ?? "";
const fold = /** @type {HTMLDetailsElement} */ (panel.querySelector("details"));
const line = /** @type {HTMLElement} */ (panel.querySelector("[data-line]"));
const told = /** @type {HTMLElement} */ (panel.querySelector("[data-told]"));
const list = /** @type {HTMLElement} */ (panel.querySelector("[data-acts]"));
const pattern = /** @type {HTMLTemplateElement} */ (panel.querySelector("template"));
const record = () => /** @type {HTMLFormElement | null} */ (document.querySelector("form#record[data-ahead]"));
const choice = /** @type {HTMLElement | null} */ (document.querySelector("[data-settles]"));

/** @type {import("./sending.js").Trouble} */
let trouble = "";
let timer = 0;

/** @param {HTMLElement} item @param {Act} act */
function describe(item, act) {
  /** @type {HTMLElement} */ (item.querySelector("[data-title]")).textContent = act.title;
  /** @type {HTMLElement} */ (item.querySelector("[data-why]")).textContent = why(words, act);
  const facts = /** @type {HTMLElement} */ (item.querySelector("[data-facts]"));
  const lines = act.foretold ? [...act.facts, [words.pays ?? "", amounts(act, act.foretold)]] : act.facts;
  for (const [label, answer] of lines) facts.append(made("dt", {}, [label]), made("dd", {}, [answer]));
}

/** The places in the queue of what is deleted when that is tapped once more. @type {Set<number | undefined>} */
const toDelete = new Set();

/** @param {HTMLElement} item @param {Act} act */
function readyKeys(item, act) {
  const [amend, look, remove] = /** @type {HTMLButtonElement[]} */ (["amend", "look", "delete"].map((name) => item.querySelector(`[data-${name}]`)));
  amend.hidden = act.state === "differs" || act.kind !== "record" || !record()?.getAttribute("action")?.includes(act.session);
  look.hidden = act.state !== "conflict";
  if (act.state === "differs") remove.textContent = words.understood ?? "";
  else if (toDelete.has(act.id)) remove.textContent = words.sure ?? "";
  amend.addEventListener("click", () => record()?.dispatchEvent(new CustomEvent("amend", { detail: [act] })));
  look.addEventListener("click", async () => {
    const { token } = await freshToken(circle);
    if (token) sendPlainly(act, token);
  });
  remove.addEventListener("click", () => {
    if (act.state === "differs" || toDelete.has(act.id)) removed(act);
    toDelete.add(act.id);
    remove.textContent = words.sure ?? "";
  });
}

/** The deals after one that is deleted take its place; those after one that another phone wrote don't. @param {Act} act */
async function removed(act) {
  await drop(act);
  if (act.kind === "record" && act.state !== "differs" && act.state !== "conflict") await shift(act, -1);
}

/** The places in the queue of what waited for an answer when the panel was drawn last. @type {Set<number | undefined>} */
let asked = new Set();

async function draw() {
  markApp();
  const acts = await waiting(circle), summary = summaryOf(words, acts, trouble, choice?.dataset.settles);
  const { asks } = summary, fresh = asks.filter(({ id }) => !asked.has(id));
  asked = new Set(asks.map(({ id }) => id));
  panel.hidden = !acts.length;
  panel.classList.toggle("asks", asks.length > 0);
  [line.textContent, told.textContent, told.hidden] = [summary.line, summary.told, !summary.told];
  const open = new Set([...list.children].map((one) => one.querySelector("details")?.open && /** @type {HTMLElement} */ (one).dataset.act));
  for (const { id } of fresh) open.add(String(id));
  fold.open ||= fresh.length > 0;
  list.replaceChildren(...[...asks, ...acts.filter((act) => !asks.includes(act))].map((act) => {
    const item = /** @type {HTMLElement} */ (/** @type {Element} */ (pattern.content.firstElementChild).cloneNode(true));
    item.dataset.act = String(act.id);
    /** @type {HTMLDetailsElement} */ (item.querySelector("details")).open = open.has(String(act.id));
    describe(item, act);
    readyKeys(item, act);
    return item;
  }));
}

/** Send what waits, and again in a while if something is left. */
export async function sendOn() {
  clearTimeout(timer);
  timer = 0;
  if (!(await waiting(circle)).some(({ state }) => !state)) return;
  trouble = await deliver(circle);
  await draw();
  clearTimeout(timer);
  timer = (await waiting(circle)).some(({ state }) => !state) && trouble !== "gone" ? setTimeout(sendOn, AGAIN) : 0;
  if (!trouble) document.dispatchEvent(new Event("sent"));
}

readyActs(words);
whenChanged(() => {
  draw();
  timer ||= setTimeout(sendOn, AGAIN);
});
addEventListener("online", sendOn);
document.addEventListener("visibilitychange", () => document.hidden || sendOn());
draw().then(sendOn);
