// @ts-check
/** A screen in the room: it shows what is new as every session page does, and dims where nothing has changed for minutes. */

import "./session.js";

const REST = 5 * 60_000;

const table = /** @type {HTMLElement} */ (document.querySelector("[data-watch]"));
let timer = 0;

function wake() {
  document.body.classList.remove("resting");
  clearTimeout(timer);
  timer = setTimeout(() => document.body.classList.add("resting"), REST);
}

new MutationObserver(wake).observe(table, { attributes: true, attributeFilter: ["data-version"] });
for (const touch of ["pointerdown", "pointermove", "keydown"]) addEventListener(touch, wake, { passive: true });
wake();
