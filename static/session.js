// @ts-check
/** The session page on the table: what other phones write appears by itself. */

import "./awake.js";

const EVERY = 8_000;
const STALE = 15_000;
const TOAST = 20_000;

const table = /** @type {HTMLElement} */ (document.querySelector("[data-watch]"));

/** Whether somebody is in the middle of something that a new page would take away. */
const busy = () => Boolean(document.querySelector("main details[open], main :is(input, textarea):focus"));

async function look() {
  if (document.hidden || !navigator.onLine || busy()) return;
  const reply = await fetch(table.dataset.watch ?? "", { headers: { Accept: "application/json" } }).catch(() => undefined);
  if (!reply?.ok) return;
  const { version } = /** @type {{version: number}} */ (await reply.json());
  if (String(version) !== table.dataset.version && !busy()) location.reload();
}

setInterval(look, EVERY);

let hiddenAt = 0;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenAt = Date.now();
  else if (Date.now() - hiddenAt > STALE) location.reload();
});

const toast = /** @type {HTMLElement | null} */ (document.querySelector("[data-toast]"));
if (toast) setTimeout(() => toast.remove(), TOAST);
