// @ts-check
/** The session page on the table: the screen stays on, and what others wrote appears when one looks again. */

const STALE = 15_000;
const TOAST = 60_000;

/** Ask for the screen to stay on; only a secure connection may. */
const stayAwake = () => navigator.wakeLock?.request("screen").catch(() => {});

let hiddenAt = 0;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    hiddenAt = Date.now();
  } else {
    stayAwake();
    if (Date.now() - hiddenAt > STALE) location.reload();
  }
});
stayAwake();

const toast = /** @type {HTMLElement | null} */ (document.querySelector("[data-toast]"));
if (toast) setTimeout(() => toast.remove(), TOAST);
