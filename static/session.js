// @ts-check
/** The session page on the table: what others wrote appears when one looks again. */

import "./awake.js";

const STALE = 15_000;
const TOAST = 60_000;

let hiddenAt = 0;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    hiddenAt = Date.now();
  } else if (Date.now() - hiddenAt > STALE) {
    location.reload();
  }
});

const toast = /** @type {HTMLElement | null} */ (document.querySelector("[data-toast]"));
if (toast) setTimeout(() => toast.remove(), TOAST);
