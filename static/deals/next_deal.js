// @ts-check
/** The record form goes on to another deal by itself: its number, who deals and plays it, and blank answers. */
import { newKey } from "../base/queue.js";
import { foresee } from "../live/evening.js";

/** @typedef {import("../live/evening.js").Next} Next */

/** @param {HTMLFormElement} form @returns {import("../live/evening.js").Known | null} */
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

/** @type {Next | undefined} */
let asked;

/** The deal that the form asks for. @param {HTMLFormElement} form @returns {Next | undefined} */
export function turnOf(form) {
  const ahead = aheadOf(form);
  return asked ?? (ahead ? foresee(ahead, []).asked : undefined);
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
 * @param {Next | undefined} turn
 * @param {string} [key] of a deal that waits to be sent
 */
export function askFor(form, turn, key = newKey()) {
  const now = turnOf(form);
  if (!turn || !now) return false;
  const { number, times, balances, active, terms } = turn, seatsAnew = Boolean(terms.pays.called), same = String(active) === String(now.active);
  if (!same && !(seatsAnew ? active.length === now.active.length : canAsk(form, active))) return false;
  asked = turn;
  blank(form);
  if (!same) (seatsAnew ? seatAll : askOnly)(form, active);
  for (const [name, value] of Object.entries({ number, key, times })) {
    const input = /** @type {HTMLInputElement | null} */ (form.querySelector(`[name=${name}]`));
    if (input) input.value = String(value);
  }
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-before]"))) row.dataset.before = String(balances[row.dataset.row ?? ""]);
  turnTo(form, "record");
  showTurn(form, turn);
  form.dispatchEvent(new Event("fresh"));
  scrollTo(0, 0);
  return true;
}

/** @param {HTMLFormElement} form @param {Next} turn */
function showTurn(form, { number, dealer, active, sits_out }) {
  const words = form.dataset, heading = filled(words.heading ?? "", String(number)), names = aheadOf(form)?.names ?? [];
  const head = /** @type {HTMLElement} */ (document.querySelector("header.top h1"));
  const under = /** @type {HTMLElement} */ (document.querySelector("header.top .under [data-turn]"));
  document.title = document.title.replace(head.textContent ?? "", heading);
  head.textContent = heading;
  const out = sits_out.filter((seat) => seat !== dealer).map((seat) => names[seat]);
  const told = [filled((active.includes(dealer) ? words.deals : words.dealsOut) ?? "", names[dealer])];
  if (out.length) told.push(filled(words.out ?? "", out.join(", ")));
  under.textContent = told.join(" · ");
}
