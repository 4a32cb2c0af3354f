// @ts-check
/**
 * The form of any game made quick: what one side has gives what is left for the other, the total as
 * one types, and the payouts before saving. It only fills in the plain form, which works without it.
 */
import { stayAwake } from "../base/page.js";
import { signed } from "../base/queue.js";
import { readyCounter } from "./counter.js";
import { balanceAfter, firstOpen, isAnswered, isNumber, rest } from "./derived_sums.js";
import { turnOf } from "./next_deal.js";
import { leftOf, numberIn, paidBy } from "./pays.js";
import { readyPreview } from "./preview.js";
import { answeredEarly, keepDraft, restoreDraft, saveSafely, takeAnswersTo } from "./saving.js";
import { readySteppers } from "../base/stepper.js";
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

/** @param {HTMLInputElement} box */
const boxOf = (box) => ({
  value: box.value,
  worked: box.dataset.worked !== undefined,
  low: Number(/** @type {HTMLElement | null} */ (box.closest("[data-stepper]"))?.dataset.low ?? 0),
});

/** @param {HTMLInputElement} input */
function fillOther(input) {
  const field = /** @type {HTMLElement | null} */ (input.closest("[data-total]"));
  if (!field || !isNumber(input.value)) return;
  delete input.dataset.worked;
  const inputs = boxes(field), other = rest(Number(field.dataset.total), inputs.map(boxOf), inputs.indexOf(input));
  if (!other) return;
  inputs[other.place].value = String(other.value);
  inputs[other.place].dataset.worked = "";
}

/** Beside the heading: how much of the total nobody has yet. */
function tellLeft() {
  for (const aside of fields("[data-left]")) {
    const field = /** @type {HTMLElement} */ (aside.closest("[data-total]"));
    const left = leftOf(Number(field.dataset.total), boxes(field).map(({ value }) => value));
    const text = (left < 0 ? aside.dataset.over : aside.dataset.left) ?? "";
    aside.textContent = left ? text.replace("%s", String(Math.abs(left))) : "";
  }
}

/** Whoever closed took the pot and, without a partner, holds no cards: neither is asked. */
function ruleOut() {
  for (const field of fields("[data-rules-out]")) {
    const chosen = chips(field).find(({ checked }) => checked)?.value;
    for (const name of field.dataset.rulesOut?.split(" ") ?? []) {
      for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`[name^="${name}-"]`))) {
        const { length } = input.closest(".cell")?.querySelectorAll(".value .mark") ?? [];
        const key = /** @type {HTMLButtonElement | null} */ (form.querySelector(`[data-count-for="${input.name}"]`));
        input.disabled = input.name === `${name}-${chosen}` && !(Number(length) > 1);
        if (key) key.disabled = input.disabled;
        if (input.disabled) Object.assign(input, { checked: false, value: input.type === "checkbox" ? input.value : "" });
      }
    }
  }
}

const alone = form.querySelector("[data-field=alone]");
/** The rows with a column for each side; where one of three may play alone also the names of each column. */
const rows = alone ? [...fields("[data-boxes], [data-field]:not([data-field=alone]) > .columns")].map((row) => {
  const columns = /** @type {HTMLElement[]} */ ([...row.children]), names = columns.map((column) => column.querySelector("[data-marks], .face") ?? column);
  return { row, columns, names, own: names.map((name) => [...name.childNodes].map((node) => node.cloneNode(true))) };
}) : [];

/** The two who play against one have one heap: a column is left out, and what stands in it is added to the other. */
function joinTheTwo() {
  const [stays, goes] = theTwo();
  for (const { row, columns, names, own } of rows) {
    row.dataset[row.dataset.boxes ? "boxes" : "seats"] = String(columns.length - Number(goes >= 0));
    columns.forEach((column, side) => {
      const shown = side === stays ? [...own[side], ...own[goes]] : own[side];
      names[side].replaceChildren(...shown.map((node) => node.cloneNode(true)));
      const input = column.querySelector("input"), gone = side === goes, was = column.hidden;
      column.hidden = gone;
      nameKeys(column, own[side], side === stays ? own[goes] : []);
      if (input && gone !== was) join(input, gone && columns[stays].querySelector("input"));
    });
  }
}

/** The sides of those who play against one: the column that stays, and the one that goes. */
function theTwo() {
  const single = alone ? chips(alone).findIndex(({ checked }) => checked) : -1;
  return single >= 0 && single < 3 ? [0, 1, 2].filter((side) => side !== single) : [-1, -1];
}

/** The name in a column, as it is read out. @param {Node[]} nodes */
const nameIn = (nodes) => nodes.map(({ textContent }) => textContent?.trim()).find(Boolean) ?? "";

/** The keys of a column are named after both who share it. @param {HTMLElement} column @param {Node[]} own @param {Node[]} other */
function nameKeys(column, own, other) {
  const name = nameIn(own), both = [name, nameIn(other)].filter(Boolean).join(" · ");
  for (const key of column.querySelectorAll("button")) {
    key.dataset.named ??= key.ariaLabel ?? "";
    key.ariaLabel = key.dataset.named.replace(name, () => both);
    if (key.dataset.whose) key.dataset.whose = both;
  }
}

/** The two have one pot. */
function shareThePot() {
  const two = theTwo();
  for (const { columns } of rows) {
    const [kept, gone] = two.map((side) => /** @type {HTMLInputElement | null | undefined} */ (columns[side]?.querySelector("[type=checkbox]")));
    if (kept && gone) gone.checked = kept.checked;
  }
}

/** @param {HTMLInputElement} input of the column that goes @param {HTMLInputElement | null | false} kept of the one that stays */
function join(input, kept) {
  if (input.type === "checkbox") {
    if (kept) kept.checked &&= input.checked;
    else input.checked = false;
  } else if (input.type === "radio") {
    if (kept) kept.checked ||= input.checked;
  } else {
    if (kept && numberIn(input.value)) kept.value = String(numberIn(kept.value) + numberIn(input.value));
    input.value = kept ? "0" : "";
  }
}

/** Whoever closed is left with nothing, and isn't asked. */
function askTheOthers() {
  for (const row of fields("[data-row]:not([hidden])")) {
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
  const { outFrom, times, closing = "{}" } = /** @type {HTMLElement | null} */ (form.querySelector("[data-closing]"))?.dataset ?? {};
  const how = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=close]:checked"))?.value ?? "", less = Number(JSON.parse(closing)[how] ?? 0);
  const factor = form.querySelector("[name=closed_in_hand]:checked") ? Number(times) : 1;
  for (const row of fields("[data-row]")) {
    const side = row.dataset.with;
    const hands = [...fields(`[data-with="${side}"]`)].map((one) => boxes(one)[0].value);
    const bonus = /** @type {HTMLInputElement | null} */ (form.querySelector(`[name="bonus-${side}"]`));
    const closes = [...fields(`[data-with="${side}"]`)].some((one) => chips(one)[0].checked);
    const after = balanceAfter(Number(row.dataset.before), hands, factor, bonus?.value) + (closes ? less : 0);
    const gone = after >= Number(outFrom);
    const told = /** @type {HTMLElement} */ (row.querySelector("[data-after]"));
    told.textContent = gone ? (told.dataset.out ?? "").replace("%s", signed(after, true)) : signed(after, true);
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
  return isAnswered({
    required: field.dataset.required !== undefined,
    numbers: boxes(field).filter((box) => !box.disabled && !box.closest("[data-counted], [hidden]")).map(({ value }) => value),
    counters: boxes(field).filter((box) => box.closest("[data-counted]")).map(({ value }) => value),
    lists: [...field.querySelectorAll("select")].map(({ value }) => value),
    chips: chips(field).map(({ checked }) => checked),
  });
}

/** The first question that must be answered and is open; of a group one answer is enough. */
function nextQuestion() {
  const asked = [...fields("[data-required], [data-group]")];
  return asked[firstOpen(asked.map((field) => ({ group: field.dataset.group, answered: answered(field) })))];
}

/** Whether somebody has chosen or typed something. */
const begun = () => boxes(form).some(({ value }) => value) || chips(form).some(({ checked }) => checked);

/** What a question asks: its words, and whose box is the first empty one. @param {HTMLElement} field */
function named(field) {
  const open = boxes(field).find((box) => !box.disabled && !box.value && box.checkVisibility());
  const names = [...open?.closest("label")?.querySelectorAll("[data-marks] .sr") ?? []].map(({ textContent }) => textContent?.trim());
  const words = field.querySelector("legend")?.firstChild?.textContent?.trim();
  return names.length ? `${words}: ${names.join(" · ")}` : words ?? "";
}

/** What the answers come to, where this phone can tell. */
function reckon() {
  const turn = turnOf(form), answers = Object.fromEntries(/** @type {[string, string][]} */ ([...new FormData(form)]));
  return turn && !nextQuestion() ? paidBy(turn.terms.pays, answers, turn.active, turn.times) : null;
}

const { clear, foresee } = readyPreview(form, undefined, reckon);

function refresh() {
  joinTheTwo();
  tellLeft();
  markKeys();
  askTheOthers();
  ruleOut();
  shareThePot();
  tellWhoIsOut();
  takeCardsOut();
  const next = nextQuestion();
  for (const field of fields("[data-field]")) field.toggleAttribute("data-next", field === next);
  if (next) clear(begun() ? named(next) : preview?.dataset.first ?? "");
  else foresee();
}

const answerAgain = answeredEarly(form);
restoreDraft(form, () => {});
readySteppers(form);
readyCounter(form, fill);
refresh();
form.addEventListener("click", ({ target }) => {
  const key = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-set]"));
  if (key) fill(key.dataset.set ?? "", key.dataset.value ?? "");
});
form.addEventListener("input", ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  fillOther(input);
  keepDraft(form);
  refresh();
});
form.addEventListener("keydown", (event) => {
  const typed = boxes(form).filter((box) => !box.disabled && !box.closest("[data-stepper]") && box.checkVisibility());
  const place = typed.indexOf(/** @type {HTMLInputElement} */ (event.target));
  if (event.key !== "Enter" || place < 0 || place === typed.length - 1) return;
  event.preventDefault();
  typed[place + 1].focus();
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
saveSafely(form, reckon);
tellOfWriting(form, (number) => takeAnswersTo(form, number));
stayAwake();
answerAgain();
