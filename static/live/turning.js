// @ts-check
/** A screen in the room that shows one page after the other by itself, and waits while somebody touches it or moves by keys. */

const { following = "", seconds = "" } = /** @type {HTMLElement} */ (document.querySelector("[data-following]")).dataset;
let timer = 0;

function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => location.replace(following), Number(seconds) * 1_000);
}

for (const touch of ["pointerdown", "pointermove", "keydown"]) addEventListener(touch, wait, { passive: true });
wait();
