// @ts-check
/** A new session made quick: names by a tap, seats in order by dragging, only the rules that fit. */

import { typedIn } from "../live/live.js";
import { keepInOrder } from "../base/ordering.js";

const list = /** @type {HTMLOListElement} */ (document.querySelector("[data-players]"));
const chips = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-name]")]);
const presets = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".preset")]);
const waiting = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-out]")]);
const more = /** @type {HTMLElement} */ (document.querySelector("[data-more-presets]"));
const brought = /** @type {HTMLElement} */ (document.querySelector("[data-brought]"));
const changed = /** @type {HTMLElement} */ (document.querySelector("[data-instead]"));
const said = /** @type {HTMLElement} */ (changed.querySelector("[role=status]"));
const takeBack = /** @type {HTMLButtonElement} */ (changed.querySelector("button"));
const FIRST_PRESETS = 3;
const SPARE_ROWS = 1;
const MARKS = 10;

const rows = () => /** @type {HTMLElement[]} */ ([...list.children]);
/** @param {Element} row */
const box = (row) => /** @type {HTMLInputElement} */ (row.querySelector("[name=player]"));
/** Where the balance stands that somebody brings in. */
const openings = new Map(rows().map((row, index) => [row, /** @type {HTMLElement} */ (brought.children[index])]));
const names = () => rows().map((row) => box(row).value.trim()).filter(Boolean);

/** The mark of each row, as the session will have it: whoever came to the circle first has the choice. */
function marksToBe() {
  let came = Number(list.dataset.came);
  const places = rows().map((row) => {
    const name = box(row).value.trim().toLowerCase();
    const known = name && chips.find((chip) => chip.dataset.name?.toLowerCase() === name);
    return { row, place: known ? Number(known.dataset.place) : came++ };
  });
  const taken = new Set(), marks = new Map();
  for (const { row, place } of places.sort((one, other) => one.place - other.place)) {
    let mark = place % MARKS;
    while (taken.has(mark)) mark = (mark + 1) % MARKS;
    taken.add(mark);
    marks.set(row, mark);
  }
  return marks;
}

/** Places, marks and the dealer's number follow the rows; all spare rows but one are put away. */
function renumber() {
  const least = Math.min(5, rows().length), marks = marksToBe();
  rows().forEach((row, index) => {
    /** @type {HTMLInputElement} */ (row.querySelector("[name=place]")).value = String(index + 1);
    /** @type {HTMLInputElement} */ (row.querySelector("[name=first_dealer]")).value = String(index);
    const mark = /** @type {SVGElement} */ (row.querySelector(".mark"));
    mark.setAttribute("class", `mark seat-${marks.get(row)}`);
    const use = /** @type {SVGUseElement} */ (mark.querySelector("use"));
    use.setAttribute("href", (use.getAttribute("href") ?? "").replace(/\d+$/, String(marks.get(row))));
    row.hidden = index >= Math.max(least, names().length + SPARE_ROWS);
    const opening = /** @type {HTMLElement} */ (openings.get(row));
    const whose = /** @type {HTMLElement} */ (opening.querySelector("[data-whose]"));
    whose.textContent = box(row).value.trim() || (whose.dataset.whose ?? "").replace("%s", String(index + 1));
    opening.hidden = row.hidden;
    // Moving it would take the focus away from whoever is in it.
    if (brought.children[index] !== opening) brought.insertBefore(opening, brought.children[index]);
  });
  for (const chip of chips) chip.setAttribute("aria-pressed", String(names().includes(chip.dataset.name ?? "")));
  offerPresets();
}

/** Empty rows go to the end. */
function closeGaps() {
  const empty = rows().filter((row) => !box(row).value.trim());
  list.append(...empty);
  renumber();
}

/** @param {Element} preset */
const choice = (preset) => /** @type {HTMLInputElement} */ (preset.querySelector("[name=rules]"));

/** Whether a table can play by a preset: some of those who are more than play sit out. @param {HTMLElement} preset */
const fits = (preset) => (preset.dataset.counts ?? "").split(" ").includes(String(names().length));

let everything = false;
/** The rules that were chosen. Where so many can't play by them others stand in, unless they are to stay all the same. */
let wanted = presets.find((preset) => choice(preset).checked) ?? presets[0];
let stays = !fits(wanted) && (rows().some((row) => box(row).defaultValue.trim())
  || new URLSearchParams(location.search).has("rules") || presets.map(choice).some(typedIn));

/** Whether the bids of a preset are of the kind that was answered first. @param {HTMLElement} preset */
function isOfKind(preset) {
  const asked = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=kind]:checked"));
  return !asked || !preset.dataset.kind || preset.dataset.kind === asked.value;
}

/** The rules that fit the number of players, the commonest first. */
function offerPresets() {
  const ofKind = presets.filter(isOfKind);
  const fitting = ofKind.some(fits) ? ofKind.filter(fits) : ofKind;
  const exact = ofKind.filter((preset) => Number(preset.dataset.seats) === names().length);
  const likely = [...exact, ...fitting];
  if (!ofKind.includes(wanted)) [wanted, stays] = [likely[0], false];
  const instead = stays || fits(wanted) ? wanted : likely.find((preset) => fits(preset) && (wanted.dataset.pairs || !preset.dataset.pairs)) ?? wanted;
  choice(instead).checked = true;
  tellInstead(instead);
  const inOrder = [...new Set(likely)];
  const shown = everything ? inOrder : inOrder.slice(0, FIRST_PRESETS);
  for (const preset of presets) preset.hidden = !shown.includes(preset) && !choice(preset).checked;
  for (const told of waiting) told.hidden = told.dataset.out !== String(names().length);
  more.hidden = everything || fitting.length <= FIRST_PRESETS;
}

/** @param {HTMLElement} preset */
const called = (preset) => preset.querySelector("b")?.textContent ?? "";

/** Say by the names which rules stand in for those that were chosen. @param {HTMLElement} instead */
function tellInstead(instead) {
  const { text = "", keep = "" } = changed.dataset, differs = instead !== wanted;
  const line = text.replace("#", String(names().length)).replace("@", () => called(wanted)).replace("%s", () => called(instead));
  const news = differs && said.textContent !== line;
  if (!differs || news) said.textContent = differs ? line : "";
  changed.classList.toggle("notice", differs);
  takeBack.hidden = !differs;
  takeBack.textContent = keep.replace("%s", () => called(wanted));
  if (news) changed.scrollIntoView({ block: "nearest" });
}

/** @param {string} name */
function toggle(name) {
  const seated = rows().find((row) => box(row).value.trim() === name);
  const free = rows().find((row) => !box(row).value.trim());
  if (seated) box(seated).value = "";
  else if (free) box(free).value = name;
  closeGaps();
}

keepInOrder(list, renumber);
list.addEventListener("input", renumber);
list.addEventListener("change", ({ target }) => {
  if (/** @type {HTMLElement} */ (target).matches("[name=player]")) closeGaps();
});
list.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const row = /** @type {HTMLElement} */ (event.target).closest("li");
  if (row?.nextElementSibling) box(row.nextElementSibling).focus();
});
document.addEventListener("click", ({ target }) => {
  const button = /** @type {HTMLElement} */ (target).closest("button");
  if (button?.dataset.name) toggle(button.dataset.name);
  if (button === takeBack) {
    stays = true;
    offerPresets();
    said.textContent = (changed.dataset.kept ?? "").replace("%s", () => called(wanted));
    said.focus();
  }
  if (button === more) {
    everything = true;
    offerPresets();
  }
});
document.addEventListener("change", ({ target }) => {
  const answered = /** @type {HTMLElement} */ (target);
  if (!answered.matches("[name=rules], [name=kind]")) return;
  const chosen = answered.matches("[name=rules]") && presets.find((preset) => preset.contains(answered));
  if (chosen) [wanted, stays] = [chosen, !fits(chosen)];
  offerPresets();
});
renumber();
