// @ts-check
/**
 * The form of any game made quick: what one side has gives what is left for the other, the total as
 * one types, and the payouts before saving. It only fills in the plain form, which works without it.
 */
import "./awake.js";
import { readyPreview } from "./preview.js";
import { keepDraft, restoreDraft, saveSafely } from "./saving.js";
import { readySteppers } from "./stepper.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("record"));
const preview = document.getElementById("preview");

/** @param {Element} field */
const boxes = (field) => /** @type {HTMLInputElement[]} */ ([...field.querySelectorAll("input[inputmode]")]);

/** Of two sides, one has what the other one has not. @param {HTMLInputElement} input */
function fillOther(input) {
  const field = /** @type {HTMLElement | null} */ (input.closest("[data-total]"));
  const both = field ? boxes(field) : [];
  if (both.length !== 2 || !/^\d+$/.test(input.value)) return;
  const other = both[0] === input ? both[1] : both[0];
  other.value = String(Math.max(0, Number(field?.dataset.total) - Number(input.value)));
}

/** Beside the heading: how much of the total nobody has yet. */
function tellLeft() {
  for (const aside of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-left]"))) {
    const field = /** @type {HTMLElement} */ (aside.closest("[data-total]"));
    const given = boxes(field).map(({ value }) => Number(value) || 0);
    const left = Number(field.dataset.total) - given.reduce((sum, each) => sum + each, 0);
    const text = (left < 0 ? aside.dataset.over : aside.dataset.left) ?? "";
    aside.textContent = left ? text.replace("%s", String(Math.abs(left))) : "";
  }
}

/** Whether nothing that must be answered is open. */
function complete() {
  const open = [...form.querySelectorAll("[data-required]")].filter((field) => {
    const chips = [.../** @type {NodeListOf<HTMLInputElement>} */ (field.querySelectorAll("[type=radio]"))];
    return chips.length ? !chips.some(({ checked }) => checked) : boxes(field).some(({ value }) => !value);
  });
  return open.length === 0;
}

const { clear, foresee } = readyPreview(form);

function refresh() {
  tellLeft();
  if (complete()) foresee();
  else clear(preview?.dataset.first ?? "");
}

restoreDraft(form, () => {});
readySteppers(form);
refresh();
form.addEventListener("input", ({ target }) => {
  fillOther(/** @type {HTMLInputElement} */ (target));
  keepDraft(form);
  refresh();
});
saveSafely(form);
