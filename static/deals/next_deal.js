// @ts-check
/** The record form goes on to another deal by itself: its number, who deals and plays it, and blank answers. */
import { newKey } from "../base/queue.js";

/** @typedef {{dealer: number, active: number[], times?: number}} Turn */
/**
 * @typedef {object} Ahead
 * @property {number} number the deal that the server expects
 * @property {number} times
 * @property {number} dealer of that deal
 * @property {number[]} active who plays it
 * @property {Turn[]} turns from that deal on, of those who are out, too
 * @property {string[]} names
 * @property {Record<string, string>} sides who stands in one place, by the first seat
 * @property {number} played how many deals
 * @property {{target?: number | null, deals?: number | null}} limits that end the session
 * @property {string} over the words for that
 * @property {Record<string, number>} balances
 * @property {boolean} lowest whether they lead
 * @property {Record<string, number>} [out] by seat the deal that put out who is out
 * @property {import("./chiamata_pay.js").Pay | null} pay
 * @property {import("./derived_sums.js").Pays | null} pays
 */

/** @param {HTMLFormElement} form @returns {Ahead | null} */
export const aheadOf = (form) => form.dataset.ahead ? JSON.parse(form.dataset.ahead) : null;

/** @param {string} text @param {string} value */
const filled = (text, value) => text.replace("#", value);

/** Seat somebody where another one was asked for. @param {Element} place @param {number} seat @param {Element} person with mark and name as they fit */
function seat(place, seat, person) {
  const input = place.querySelector("input"), [mark, name] = person.children;
  if (input) input.value = String(seat);
  if (place instanceof HTMLElement && place.dataset.seat) place.dataset.seat = String(seat);
  place.querySelector(".mark")?.replaceWith(mark.cloneNode(true));
  const words = /** @type {HTMLElement} */ (place.querySelector(".face > span, .sr"));
  if (input) words.replaceWith(name.cloneNode(true));
  else words.textContent = name.textContent;
}

/** @param {HTMLFormElement} form @param {number[]} active */
function seatAll(form, active) {
  const people = /** @type {HTMLTemplateElement} */ (document.querySelector("template[data-people]")).content.children;
  for (const row of form.querySelectorAll("[data-seats]")) {
    const places = row.querySelectorAll(".seat-chip:not(.alone), li[data-seat]");
    places.forEach((place, at) => seat(place, active[at], people[active[at]]));
  }
}

/** Ask only those who are still in. @param {HTMLFormElement} form @param {number[]} active */
function askOnly(form, active) {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-row], .preview [data-seat]"))) {
    row.hidden = !active.includes(Number(row.dataset.row ?? row.dataset.seat));
    for (const input of row.querySelectorAll("input")) input.disabled = row.hidden;
  }
}

/** Whether the form has a line for each of them, and nothing that is counted by sides. @param {HTMLFormElement} form @param {number[]} active */
const canAsk = (form, active) => active.every((seat) => form.querySelector(`[data-row="${seat}"]`)) && !form.querySelector("[name^=bonus-]");

/** @param {HTMLFormElement} form */
function blank(form) {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input:not([type=hidden])"))) {
    if (form.dataset.mode !== "finish") {
      input.checked = input.defaultChecked;
      input.value = input.defaultValue;
    } else if (["radio", "checkbox"].includes(input.type)) input.checked = input.defaultChecked = false;
    else input.value = input.defaultValue = "";
  }
  for (const list of form.querySelectorAll("select")) list.selectedIndex = 0;
  for (const problem of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-problem]"))) problem.hidden = true;
}

/** @param {HTMLFormElement} form */
const numberOf = (form) => Number(new FormData(form).get("number"));

/** @type {Turn | undefined} */
let asked;

/** Who deals and plays the deal that is asked for. @param {HTMLFormElement} form @returns {Turn | undefined} */
export function turnOf(form) {
  const ahead = aheadOf(form);
  return asked ?? ahead ?? undefined;
}

/** Record a deal, start it, or finish it. @param {HTMLFormElement} form @param {"record" | "start" | "finish"} mode */
export function turnTo(form, mode) {
  const words = form.dataset, number = String(numberOf(form)), starts = mode === "start";
  const save = /** @type {HTMLButtonElement} */ (form.querySelector("button.big[name=action]"));
  Object.assign(words, { mode, draft: `${(words.draft ?? "").split("/")[0]}/${mode}/${number}/0` });
  form.setAttribute("action", (starts ? words.startAt : words.recordAt) ?? "");
  [save.value, save.textContent] = [starts ? "start" : "save", filled((starts ? words.startLabel : words.label) ?? "", number)];
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-played], [data-begins]"))) {
    part.hidden = starts === ("played" in part.dataset);
  }
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-turn-to]"))) {
    link.hidden = mode === "finish" || link.dataset.turnTo === mode;
  }
}

/**
 * Ask for another deal; say whether that can be told without the server.
 * @param {HTMLFormElement} form
 * @param {import("../live/pending.js").Next | undefined} turn
 * @param {string} [key] of a deal that waits to be sent
 */
export function askFor(form, turn, key = newKey()) {
  const ahead = aheadOf(form), now = turnOf(form);
  if (!ahead || !turn || !now) return false;
  const { number, times, balances } = turn, same = String(turn.active) === String(now.active);
  if (!same && !(ahead.pay ? turn.active.length === now.active.length : canAsk(form, turn.active))) return false;
  asked = turn;
  blank(form);
  if (!same) (ahead.pay ? seatAll : askOnly)(form, turn.active);
  for (const [name, value] of Object.entries({ number, key, times })) {
    const input = /** @type {HTMLInputElement | null} */ (form.querySelector(`[name=${name}]`));
    if (input) input.value = String(value);
  }
  form.dataset.times = String(times);
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-before]"))) row.dataset.before = String(balances[row.dataset.row ?? ""]);
  turnTo(form, "record");
  showTurn(form, ahead, number, turn);
  form.dispatchEvent(new Event("fresh"));
  scrollTo(0, 0);
  return true;
}

/** @param {HTMLFormElement} form @param {Ahead} ahead @param {number} number @param {Turn} turn */
function showTurn(form, ahead, number, turn) {
  const words = form.dataset, heading = filled(words.heading ?? "", String(number));
  const head = /** @type {HTMLElement} */ (document.querySelector("header.top h1"));
  const under = /** @type {HTMLElement} */ (document.querySelector("header.top .under [data-turn]"));
  document.title = document.title.replace(head.textContent ?? "", heading);
  head.textContent = heading;
  const table = new Set(ahead.turns.flatMap(({ active }) => active));
  const out = [...table].filter((one) => !turn.active.includes(one) && one !== turn.dealer).sort((one, other) => one - other);
  const told = [filled((turn.active.includes(turn.dealer) ? words.deals : words.dealsOut) ?? "", ahead.names[turn.dealer])];
  if (out.length) told.push(filled(words.out ?? "", out.map((one) => ahead.names[one]).join(", ")));
  under.textContent = told.join(" · ");
}
