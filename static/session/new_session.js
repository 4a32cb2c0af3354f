// @ts-check
/** A new session made quick: names by a tap, seats in order by dragging, only the rules that fit. */

import { fetchPage, typedIn } from "../live/live.js";
import { made } from "../base/page.js";
import { keepInOrder } from "../base/ordering.js";
import { choose, fits, marksOf } from "./offers.js";

const list = /** @type {HTMLOListElement} */ (document.querySelector("[data-players]"));
const chips = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-name]")]);
const shelf = /** @type {HTMLElement} */ (document.querySelector("[data-presets]"));
const rest = /** @type {HTMLTemplateElement | null} */ (document.querySelector("[data-rest]"));
const places = /** @type {HTMLElement[]} */ ([...shelf.children, ...rest?.content.children ?? []]);
const presets = places.sort((one, other) => Number(one.dataset.at) - Number(other.dataset.at)).map((place) => ({
  place,
  address: place.dataset.url ?? "",
  choice: /** @type {HTMLInputElement} */ (place.querySelector("[name=rules]")),
  called: place.querySelector("b")?.textContent ?? "",
  counts: (place.dataset.counts ?? "").split(" ").map(Number),
  seats: Number(place.dataset.seats),
  pairs: Boolean(place.dataset.pairs),
  kind: place.dataset.kind ?? "",
  bestFor: (place.dataset.bestFor ?? "").split(" ").filter(Boolean).map(Number),
}));
const waiting = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-out]")]);
const inFull = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".agree"));
const way = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-table]"));
const more = /** @type {HTMLElement} */ (document.querySelector("[data-more-presets]"));
const brought = /** @type {HTMLElement} */ (document.querySelector("[data-brought]"));
const changed = /** @type {HTMLElement} */ (document.querySelector("[data-instead]"));
const said = /** @type {HTMLElement} */ (changed.querySelector("[role=status]"));
const takeBack = /** @type {HTMLButtonElement} */ (changed.querySelector("button"));
const FIRST_PRESETS = 3;
const SPARE_ROWS = 1;

const rows = () => /** @type {HTMLElement[]} */ ([...list.children]);
/** @param {Element} row */
const box = (row) => /** @type {HTMLInputElement} */ (row.querySelector("[name=player]"));
/** Where the balance stands that somebody brings in. */
const openings = new Map(rows().map((row, index) => [row, /** @type {HTMLElement} */ (brought.children[index])]));
const names = () => rows().map((row) => box(row).value.trim()).filter(Boolean);

/** Another place to sit. */
function addRow() {
  const last = /** @type {HTMLElement} */ (rows().at(-1)), opening = /** @type {HTMLElement} */ (openings.get(last));
  const [row, balance] = [last, opening].map((one) => /** @type {HTMLElement} */ (one.cloneNode(true)));
  for (const input of /** @type {HTMLInputElement[]} */ ([box(row), balance.querySelector("input")])) input.value = "";
  /** @type {HTMLInputElement} */ (row.querySelector("[name=first_dealer]")).checked = false;
  balance.querySelector("[data-problem]")?.remove();
  list.append(row);
  brought.append(balance);
  openings.set(row, balance);
}

/** The mark of each row, as the session will have it. */
function marksToBe() {
  let came = Number(list.dataset.came);
  return marksOf(rows().map((row) => {
    const name = box(row).value.trim().toLowerCase();
    const known = name && chips.find((chip) => chip.dataset.name?.toLowerCase() === name);
    return known ? Number(known.dataset.place) : came++;
  }));
}

/** Places, marks and the dealer's number follow the rows; all spare rows but one are put away. */
function renumber() {
  const most = Number(list.dataset.most), least = chips.length ? 1 : Math.min(5, most);
  while (rows().length < Math.min(most, names().length + SPARE_ROWS)) addRow();
  const marks = marksToBe();
  rows().forEach((row, index) => {
    /** @type {HTMLInputElement} */ (row.querySelector("[name=place]")).value = String(index + 1);
    /** @type {HTMLInputElement} */ (row.querySelector("[name=first_dealer]")).value = String(index);
    const mark = /** @type {SVGElement} */ (row.querySelector(".mark"));
    mark.setAttribute("class", `mark seat-${marks[index]}`);
    const use = /** @type {SVGUseElement} */ (mark.querySelector("use"));
    use.setAttribute("href", (use.getAttribute("href") ?? "").replace(/\d+$/, String(marks[index])));
    row.hidden = index >= Math.max(least, names().length + SPARE_ROWS);
    const opening = /** @type {HTMLElement} */ (openings.get(row));
    const whose = /** @type {HTMLElement} */ (opening.querySelector("[data-whose]"));
    const place = (whose.dataset.whose ?? "").replace("%s", String(index + 1));
    whose.textContent = box(row).value.trim() || place;
    Object.assign(box(row), { placeholder: place, ariaLabel: place });
    opening.hidden = row.hidden;
    // Moving it would take the focus away from whoever is in it.
    if (brought.children[index] !== opening) brought.insertBefore(opening, brought.children[index]);
  });
  for (const chip of chips) chip.setAttribute("aria-pressed", String(names().includes(chip.dataset.name ?? "")));
  offerPresets();
}

/** Empty rows go to the end. */
function closeGaps() {
  list.append(...rows().filter((row) => !box(row).value.trim()));
  renumber();
}

let everything = false;
/** The rules that were chosen. Where so many can't play by them others stand in, unless they are to stay all the same. */
let wanted = Math.max(0, presets.findIndex(({ choice }) => choice.checked));
let stays = !fits(presets[wanted], names().length) && (rows().some((row) => box(row).defaultValue.trim())
  || new URLSearchParams(location.search).has("rules") || presets.some(({ choice }) => typedIn(choice)));
let picked = list.dataset.picked !== undefined || presets.some(({ choice }) => typedIn(choice));

/** Show these rules, in their order; what is shown already stays in its place. @param {typeof presets} shown */
function putOut(shown) {
  let next = null;
  for (const preset of presets.toReversed()) {
    if (!shown.includes(preset)) preset.place.remove();
    else if (!preset.place.isConnected) shelf.insertBefore(preset.place, next);
    if (preset.place.isConnected) next = preset.place;
  }
}

/** The rules that fit the number of players, the commonest first. */
function offerPresets() {
  const kind = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=kind]:checked"))?.value ?? "";
  const offered = choose(presets, { count: names().length, kind, wanted, stays, picked });
  ({ wanted, stays } = offered);
  tellInstead(offered.chosen);
  putOut([presets[offered.chosen], ...everything ? offered.likely : offered.likely.slice(0, FIRST_PRESETS)]);
  presets[offered.chosen].choice.checked = true;
  leadTo(presets[offered.chosen].address);
  sayGiven();
  for (const told of waiting) told.hidden = told.dataset.out !== String(names().length) || !told.dataset.by?.split(" ").includes(String(offered.chosen));
  more.hidden = everything || offered.fitting.length <= FIRST_PRESETS;
}

/** The folded rows say what is chosen in them. */
function sayGiven() {
  for (const given of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-given]"))) {
    const chip = document.querySelector(`[name="${given.dataset.given}"]:checked`)?.nextElementSibling;
    given.textContent = (chip?.querySelector("b") ?? chip)?.textContent?.trim() ?? "";
  }
}

/** Say by the names which rules stand in for those that were chosen. @param {number} instead */
function tellInstead(instead) {
  const { text = "", keep = "" } = changed.dataset, differs = instead !== wanted && !fits(presets[wanted], names().length);
  const line = text.replace("#", String(names().length)).replace("@", () => presets[wanted].called).replace("%s", () => presets[instead].called);
  const news = differs && said.textContent !== line;
  if (!differs || news) said.textContent = differs ? line : "";
  changed.classList.toggle("notice", differs);
  takeBack.hidden = !differs;
  takeBack.textContent = keep.replace("%s", () => presets[wanted].called);
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
    said.textContent = (changed.dataset.kept ?? "").replace("%s", () => presets[wanted].called);
    said.focus();
  }
  if (button === more) {
    everything = true;
    offerPresets();
  }
});
document.addEventListener("change", ({ target }) => {
  const answered = /** @type {HTMLElement} */ (target);
  if (answered.matches("[name=end]")) sayGiven();
  if (!answered.matches("[name=rules], [name=kind]")) return;
  const chosen = presets.findIndex(({ choice }) => choice === answered);
  if (chosen >= 0) [picked, wanted, stays] = [true, chosen, !fits(presets[chosen], names().length)];
  offerPresets();
});
/** The way to the table of the rules that are chosen. @param {string} address */
function leadTo(address) {
  if (!inFull || !way || way.getAttribute("href") === address) return;
  way.href = address;
  inFull.open = false;
  inFull.lastElementChild?.replaceWith(way);
}
/** A table takes the place of the way to its page, once it is asked for; the way stays where the page can't be had. */
inFull?.addEventListener("toggle", async () => {
  if (!inFull.open || !way?.isConnected) return;
  const address = way.href, table = (await fetchPage(address))?.querySelectorAll("main .badges, main .preset-table");
  if (table?.length && address === way.href) way.replaceWith(made("div", {}, [...table]));
});
renumber();
for (const spare of document.querySelectorAll("[data-spare]")) spare.removeAttribute("data-spare");
