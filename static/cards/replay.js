// @ts-check
/** The replay by buttons, keys and swipes, without asking the server: every step came with the page. */
import "../base/copy.js";
import { loadAnew } from "../base/page.js";

/** @typedef {{ card: string, points: number, role: string, turn: boolean, winner: boolean, order: number | null }} Place */
/** @typedef {{ trick: number, before: number, after: number, said: string, bounds: string, status: string, made: string, loose: string[], places: Place[] }} Frame */

const FAR = 40;
const KEYS = { ArrowRight: ["next", "after"], ArrowLeft: ["prev", "before"] };

const stage = /** @type {HTMLElement} */ (document.querySelector(".stage"));
const frames = /** @type {Frame[]} */ (JSON.parse(stage.dataset.frames ?? "[]"));
const rows = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".all-tricks [data-trick]"));
const last = frames.length - 1;
let step = Number(stage.dataset.step);

/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (stage.querySelector(`[data-${name}]`));

/** Cards look as they do in the list of all tricks. */
const drawn = new Map([.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".all-tricks [data-code]"))].map((card) => [card.dataset.code, card]));

/** @param {string} code */
const card = (code) => /** @type {Node[]} */ (code ? [drawn.get(code)?.cloneNode(true) ?? code] : []);

/** @param {HTMLElement} seat @param {Place} place */
function lay(seat, place) {
  const slot = /** @type {HTMLElement} */ (seat.querySelector("[data-slot]"));
  if (slot.firstElementChild?.getAttribute("data-code") !== (place.card || undefined)) slot.replaceChildren(...card(place.card));
  slot.toggleAttribute("data-order", place.order !== null);
  if (place.order) slot.dataset.order = String(place.order);
  seat.classList.toggle("turn", place.turn);
  seat.classList.toggle("winner", place.winner);
  /** @type {HTMLElement} */ (seat.querySelector("[data-points]")).textContent = String(place.points);
  /** @type {HTMLElement} */ (seat.querySelector("[data-role]")).textContent = place.role;
}

/** Where a button leads from here; nowhere at either end. @param {string} way */
function target(way) {
  const frame = frames[step];
  const to = { before: step ? frame.before : -1, prev: step - 1, next: step + 1, after: step < last ? frame.after : -1 }[way] ?? -1;
  return to < 0 || to > last ? null : to;
}

/** @param {HTMLAnchorElement} button */
function point(button) {
  const to = target(button.dataset.to ?? "");
  if (to !== null) button.href = `?step=${to}`;
  else button.removeAttribute("href");
  for (const [name, value] of [["role", "link"], ["tabindex", "0"], ["aria-disabled", "true"]]) {
    if (to === null) button.setAttribute(name, value);
    else button.removeAttribute(name);
  }
}

/** @param {number | null} to */
function go(to) {
  if (to === null) return;
  step = to;
  const frame = frames[step];
  stage.querySelectorAll(".at").forEach((seat, place) => lay(/** @type {HTMLElement} */ (seat), frame.places[place]));
  part("loose").replaceChildren(...frame.loose.flatMap(card));
  part("said").textContent = frame.said;
  part("bounds").textContent = frame.bounds;
  part("bounds").dataset.status = frame.status;
  const made = stage.querySelector("[data-made]");
  if (made) made.textContent = frame.made;
  part("trick").textContent = (part("count").dataset.text ?? "").replace("{trick}", String(frame.trick));
  part("number").textContent = String(step);
  for (const row of rows) {
    if (step && Number(row.dataset.trick) === frame.trick) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  }
  for (const button of /** @type {NodeListOf<HTMLAnchorElement>} */ (stage.querySelectorAll("[data-to]"))) point(button);
  history.replaceState(null, "", `?step=${step}`);
}

stage.classList.add("stepping");

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest(".going [data-to], .all-tricks [data-step]");
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.dataset.to ? target(link.dataset.to) : Number(link.dataset.step));
});

addEventListener("keydown", ({ key, shiftKey, altKey, ctrlKey, metaKey, target: on }) => {
  if (altKey || ctrlKey || metaKey || !(key in KEYS) || on instanceof HTMLTextAreaElement) return;
  go(target(KEYS[/** @type {keyof typeof KEYS} */ (key)][Number(shiftKey)]));
});

/** @type {Touch | null} */
let from = null;
addEventListener("touchstart", ({ touches, target: on }) => (from = touches.length > 1 || on instanceof HTMLTextAreaElement ? null : touches[0]), { passive: true });
addEventListener("touchend", ({ changedTouches: [to] }) => {
  if (!from) return;
  const [right, down] = [to.clientX - from.clientX, to.clientY - from.clientY];
  if (Math.abs(right) > FAR && Math.abs(right) > 2 * Math.abs(down)) go(target(right < 0 ? "next" : "prev"));
}, { passive: true });

const share = /** @type {HTMLButtonElement} */ (document.querySelector("[data-share]"));
share.hidden = !("share" in navigator);
share.addEventListener("click", () => navigator.share({ title: share.dataset.share, url: location.href }).catch(() => {}));

const thinking = /** @type {HTMLElement | null} */ (document.querySelector("[data-thinking]"));
const OFTEN = 2000;

/** Tell how far the deal is thought over, and show the whole page when it is. */
async function look() {
  const answer = await fetch(thinking?.dataset.thinking ?? "", { headers: { Accept: "application/json" } }).catch(() => null);
  const told = answer?.ok ? /** @type {{ waiting: boolean, progress: string }} */ (await answer.json()) : null;
  if (told && !told.waiting) return loadAnew();
  if (thinking && told) thinking.textContent = told.progress;
  setTimeout(look, OFTEN);
}
if (thinking) setTimeout(look, OFTEN);
