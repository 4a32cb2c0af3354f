// @ts-check
/** A page on the table: what other phones write appears by itself, heard of by a stream of events or, without one, by asking. */

import "./awake.js";
import { takeIn } from "./live.js";

const ASK = 2_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;
const TOAST = 20_000;
const PARTS = ["header.top", "#main"];

/** @typedef {{version: number, kind: string, number: number | null}} Change */

const table = /** @type {HTMLElement} */ (document.querySelector("[data-watch]"));
const status = /** @type {HTMLElement} */ (document.querySelector("[data-said]"));

const known = () => Number(table.dataset.version);

let taking = false, again = false;

/** Take in what changed, once more where something changed meanwhile. */
async function update() {
  again = taking;
  if (taking) return;
  taking = true;
  const taken = await takeIn(PARTS);
  taking = false;
  if (again) update();
  else if (!taken && live()) setTimeout(update, ASK);
}

/** Say what happened to who does not see it. @param {Change} change */
function announce({ kind, number }) {
  const words = status.dataset[number === null ? kind : `${kind}Number`] ?? status.dataset[kind] ?? "";
  status.textContent = words.replace("#", String(number));
}

/** @type {EventSource | undefined} */
let source;
let pause = FIRST_PAUSE, timer = 0;

const live = () => source?.readyState === EventSource.OPEN;

function hear() {
  clearTimeout(timer);
  source?.close();
  source = new EventSource(`${table.dataset.events}?after=${known()}`);
  source.onopen = () => { pause = FIRST_PAUSE; };
  source.onerror = () => {
    source?.close();
    timer = setTimeout(hear, pause * (1 + Math.random()));
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  };
  source.addEventListener("change", (event) => {
    const change = /** @type {Change} */ (JSON.parse(event.data));
    announce(change);
    if (change.kind === "gone") leave();
    else if (change.version > known()) update();
  });
}

function rest() {
  clearTimeout(timer);
  source?.close();
}

/** What is shown stays to be read; nothing new is asked for. */
function leave() {
  rest();
  status.className = "notice";
}

async function ask() {
  if (document.hidden || !navigator.onLine || live() || taking) return;
  const reply = await fetch(table.dataset.watch ?? "", { headers: { Accept: "application/json" } }).catch(() => undefined);
  if (!reply?.ok) return;
  const { version } = /** @type {{version: number}} */ (await reply.json());
  if (version !== known()) update();
}

setInterval(ask, ASK);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) rest();
  else hear();
});
addEventListener("pagehide", rest);
if (!document.hidden) hear();

const toast = /** @type {HTMLElement | null} */ (document.querySelector("[data-toast]"));
if (toast) setTimeout(() => toast.remove(), TOAST);
