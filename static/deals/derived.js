// @ts-check
/**
 * The form of any game made quick: what one side has gives what is left for the other, the total as
 * one types, and the payouts before saving. It only fills in the plain form, which works without it.
 */
import "../base/awake.js";
import { readyPreview } from "./preview.js";
import { answeredEarly, keepDraft, restoreDraft, saveSafely } from "./saving.js";
import { readySteppers } from "../base/stepper.js";
import { readyTapping } from "./tapping.js";
import { tellOfWriting } from "../live/writing.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("record"));
const preview = document.getElementById("preview");

/** @param {Element} field */
const boxes = (field) => /** @type {HTMLInputElement[]} */ ([...field.querySelectorAll("input[inputmode]")]);

/** @param {Element} field */
const chips = (field) => /** @type {HTMLInputElement[]} */ ([...field.querySelectorAll("[type=radio]")]);

/** @param {string} selector */
const fields = (selector) => /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(selector));

/** @param {string} name @param {number | string} value */
function fill(name, value) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector(`[name="${name}"]`));
  input.value = String(value);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The number in a box, with a hyphen or a real minus; none is 0. @param {HTMLInputElement | undefined} box */
const numberIn = (box) => Number((box?.value ?? "").replace("−", "-")) || 0;

/** What all the others have not, the last one has: of two always, of more the one not yet said. @param {HTMLInputElement} input */
function fillOther(input) {
  const field = /** @type {HTMLElement | null} */ (input.closest("[data-total]"));
  if (!field || !/^[-−]?\d+$/.test(input.value)) return;
  delete input.dataset.worked;
  const others = boxes(field).filter((box) => box !== input);
  const open = others.length === 1 ? others : others.filter((box) => !box.value || box.dataset.worked !== undefined);
  if (open.length !== 1) return;
  const said = boxes(field).filter((box) => box !== open[0]);
  const left = Number(field.dataset.total) - said.reduce((sum, box) => sum + numberIn(box), 0);
  const { low } = /** @type {HTMLElement | null} */ (open[0].closest("[data-stepper]"))?.dataset ?? {};
  open[0].value = String(Math.max(Number(low ?? 0), left));
  open[0].dataset.worked = "";
}

/** Beside the heading: how much of the total nobody has yet. */
function tellLeft() {
  for (const aside of fields("[data-left]")) {
    const field = /** @type {HTMLElement} */ (aside.closest("[data-total]"));
    const given = boxes(field).map(numberIn);
    const left = Number(field.dataset.total) - given.reduce((sum, each) => sum + each, 0);
    const text = (left < 0 ? aside.dataset.over : aside.dataset.left) ?? "";
    aside.textContent = left ? text.replace("%s", String(Math.abs(left))) : "";
  }
}

/** What follows from a choice is ticked: whoever closed took the pot. @param {HTMLInputElement} input */
function tickImplied(input) {
  const { implied } = /** @type {HTMLElement | null} */ (input.closest("[data-implied]"))?.dataset ?? {};
  const tick = /** @type {HTMLInputElement | null} */ (form.querySelector(`[name="${implied}-${input.value}"]`));
  if (tick) tick.checked = true;
}

/** Whoever closed is left with nothing, and isn't asked. */
function askTheOthers() {
  for (const row of fields("[data-row]")) {
    const [closed] = chips(row);
    const [box] = boxes(row);
    const key = /** @type {HTMLButtonElement} */ (row.querySelector("button"));
    box.disabled = key.disabled = closed.checked;
    box.placeholder = closed.checked ? "0" : "–";
    if (closed.checked) box.value = "";
  }
}

/** Beside each name what the balance will be; only whoever is out by then can come back in. */
function tellWhoIsOut() {
  const { outFrom, times } = /** @type {HTMLElement | null} */ (form.querySelector("[data-out-from]"))?.dataset ?? {};
  const factor = form.querySelector("[name=closed_in_hand]:checked") ? Number(times) : 1;
  for (const row of fields("[data-row]")) {
    const side = row.dataset.with;
    const hands = [...fields(`[data-with="${side}"]`)].reduce((sum, one) => sum + numberIn(boxes(one)[0]), 0);
    const bonus = /** @type {HTMLInputElement | null} */ (form.querySelector(`[name="bonus-${side}"]`));
    const after = Number(row.dataset.before) + factor * hands + numberIn(bonus ?? undefined);
    const gone = after >= Number(outFrom);
    const told = /** @type {HTMLElement} */ (row.querySelector("[data-after]"));
    told.textContent = gone ? (told.dataset.out ?? "").replace("%s", String(after)) : String(after);
    row.toggleAttribute("data-gone", gone);
    const back = /** @type {HTMLInputElement | null} */ (form.querySelector(`[name="buy_in-${row.dataset.row}"]`));
    if (back) back.disabled = !gone;
    if (back && !gone) back.checked = false;
  }
}

/** A card that one side has is nobody else's: what would need it can't be picked. */
function takeCardsOut() {
  for (const side of fields("[data-side]")) {
    const others = [...(side.closest("fieldset")?.querySelectorAll("[data-side]") ?? [])].filter((one) => one !== side);
    const theirs = others.flatMap((one) => [...one.querySelectorAll("option:checked")]).flatMap(cardsOf);
    for (const option of side.querySelectorAll("option")) {
      option.disabled = !option.selected && cardsOf(option).some((card) => theirs.includes(card));
    }
  }
}

/** @param {Element} option */
const cardsOf = (option) => /** @type {HTMLElement} */ (option).dataset.cards?.split(" ") ?? [];

/** The key of a number that stands in its box is marked. */
function markKeys() {
  for (const key of fields("[data-set]")) {
    const input = /** @type {HTMLInputElement} */ (form.querySelector(`[name="${key.dataset.set}"]`));
    key.setAttribute("aria-pressed", String(input.value === key.dataset.value));
  }
}

/** @param {HTMLElement} field */
function answered(field) {
  const numbers = boxes(field).filter((box) => !box.disabled && !box.closest("[data-counted]"));
  const counters = boxes(field).filter((box) => box.closest("[data-counted]"));
  if (field.dataset.required !== undefined && counters.length) return counters.some(({ value }) => value);
  const lists = [.../** @type {NodeListOf<HTMLSelectElement>} */ (field.querySelectorAll("select"))];
  if (lists.length) return lists.some(({ value }) => value);
  return (!chips(field).length || chips(field).some(({ checked }) => checked)) && numbers.every(({ value }) => value);
}

/** The first question that must be answered and is open; of a group one answer is enough. */
function nextQuestion() {
  const asked = [...fields("[data-required], [data-group]")];
  return asked.find((field) => {
    const { group } = field.dataset;
    return group ? !asked.some((other) => other.dataset.group === group && answered(other)) : !answered(field);
  });
}

const { clear, foresee } = readyPreview(form);

function refresh() {
  tellLeft();
  markKeys();
  askTheOthers();
  tellWhoIsOut();
  takeCardsOut();
  const next = nextQuestion();
  for (const field of fields("[data-field]")) field.toggleAttribute("data-next", field === next);
  if (next) clear(preview?.dataset.first ?? "");
  else foresee();
}

const answerAgain = answeredEarly(form);
restoreDraft(form, () => {});
readySteppers(form);
readyTapping(form, fill);
refresh();
form.addEventListener("click", ({ target }) => {
  const key = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-set]"));
  if (key) fill(key.dataset.set ?? "", key.dataset.value ?? "");
});
form.addEventListener("input", ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  fillOther(input);
  if (input.type === "radio") tickImplied(input);
  keepDraft(form);
  refresh();
});
for (const key of fields("[data-sign]")) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector(`[name="${key.dataset.sign}"]`));
  input.inputMode = "numeric";
  key.addEventListener("click", () => {
    fill(input.name, /^[-−]/.test(input.value) ? input.value.slice(1) : `-${input.value}`);
    input.focus();
  });
}
form.addEventListener("fresh", () => {
  restoreDraft(form, () => {});
  refresh();
});
saveSafely(form);
tellOfWriting(form);
answerAgain();
