// @ts-check
/**
 * The record form made quick: keys for numbers, the next question, the payouts before saving.
 * Everything here only fills in the plain form, which works without it.
 */
import { made, stayAwake } from "../base/page.js";
import { readyCounter } from "./counter.js";
import { likelyPoints } from "./derived_sums.js";
import { turnOf } from "./next_deal.js";
import { contradicted, paidBy } from "./pays.js";
import { readyPreview } from "./preview.js";
import { answeredEarly, keepDraft, restoreDraft, saveSafely, takeAnswersTo } from "./saving.js";
import { readySteppers } from "../base/stepper.js";
import { tellOfWriting } from "../live/writing.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("record"));
const pointsField = /** @type {HTMLElement | null} */ (form.querySelector("[data-field=card_points]"));
const bidField = /** @type {HTMLElement | null} */ (form.querySelector("[data-field=bid]"));
const pointsInput = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=card_points]"));
const ALL_POINTS = 120;
const USUAL = 61;

/** @param {string} name */
const answer = (name) => String(new FormData(form).get(name) ?? "");

/** @param {string} name @param {string} value */
function fill(name, value) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector(`input[name=${name}]:not([type=radio])`));
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {string} name @param {string} [value] */
function choose(name, value = "") {
  const radios = form.querySelectorAll(`input[name=${name}][type=radio]`);
  for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (radios)) {
    radio.checked = radio.value === value;
  }
}

/** Which pile the number in the box counts. */
const countsOthers = () => pointsInput?.name === "other_points";

/** What the caller's side must reach with the bid as it stands, and usually without one. */
const target = () => Math.max(Number(pointsField?.dataset.floor), Number(answer("bid_points")) || USUAL);

function drawLikelyPoints() {
  const row = form.querySelector("[data-quick-points]");
  if (!row) return;
  const keys = likelyPoints(target(), countsOthers()).map((points) => {
    const key = made("button", { type: "button", className: "quick", textContent: points });
    Object.assign(key.dataset, { set: pointsInput?.name, value: points });
    return key;
  });
  row.replaceChildren(...keys);
}

/** Answers that exclude each other. @param {HTMLInputElement} input */
function keepConsistent({ name, value }) {
  if (name === "caller" && answer("partner") === value) choose("partner");
  if (name === "bid_rank" && value !== lastRank() && answer("bid_points")) fill("bid_points", "");
  if (name === "bid_points" && value && lastRank()) choose("bid_rank", lastRank());
  if (name === "cappotto") fill(pointsInput?.name ?? "", answer("cappotto") && everything(answer("cappotto")));
  if (name === "result") choose("cappotto");
  if (name === "result" && answer(pointsInput?.name ?? "")) fill(pointsInput?.name ?? "", "");
  if (name === pointsInput?.name && value) choose("result");
  if (name === pointsInput?.name && answer("cappotto") && value !== everything(answer("cappotto"))) choose("cappotto");
}

/** What the pile in the box has when a side took everything. @param {string} side */
const everything = (side) => String((side === "caller") === countsOthers() ? 0 : ALL_POINTS);

/** The weakest rank, after which a ladder goes on in points. */
function lastRank() {
  const ranks = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name=bid_rank]")]);
  return ranks.at(-1)?.value ?? "";
}

/** The first question without an answer, in the order they are asked. */
function missing() {
  const asked = {
    caller: () => answer("caller"),
    bid: () => answer("bid_rank") || answer("bid_points"),
    partner: () => answer("partner"),
    card_points: () => answer("card_points") || answer("other_points") || answer("result"),
  };
  const isAsked = /** @param {string} name */ (name) => form.querySelector(`[data-field=${name}]`)?.closest("[data-played][hidden]") === null;
  return Object.keys(asked).find((name) => isAsked(name) && !asked[/** @type {keyof typeof asked} */ (name)]());
}

/** @param {boolean} follow bring it into sight */
function markNext(follow) {
  const next = missing();
  for (const field of form.querySelectorAll("[data-field]")) {
    field.toggleAttribute("data-next", field instanceof HTMLElement && field.dataset.field === next);
  }
  const field = next && form.querySelector(`[data-field=${next}]`);
  if (!follow || !field) return;
  const bar = /** @type {HTMLElement} */ (form.querySelector(".bar"));
  const { top, bottom } = field.getBoundingClientRect();
  if (bottom > bar.getBoundingClientRect().top || top < 0) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    field.scrollIntoView({ block: "center", behavior: still ? "instant" : "smooth" });
  }
}

function markKeys() {
  for (const key of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".quick"))) {
    key.setAttribute("aria-pressed", String(answer(key.dataset.set ?? "") === key.dataset.value));
  }
}

const callerName = () => form.querySelector("[name=caller]:checked")?.closest(".chip")?.textContent?.trim() ?? "";

/** What the other pile must have, beside the heading. */
function tellOthers() {
  const beside = /** @type {HTMLElement | null} */ (form.querySelector("[data-other]"));
  if (!beside || !pointsInput) return;
  const alone = answer("partner") === "alone" && callerName();
  const text = (countsOthers() ? alone ? `${callerName()} %s` : beside.dataset.theirs : beside.dataset.ours) ?? "";
  const counted = /^\d+$/.test(pointsInput.value) && Number(pointsInput.value) <= ALL_POINTS;
  beside.textContent = counted ? text.replace("%s", String(ALL_POINTS - Number(pointsInput.value))) : "";
}

/** Whose pile is counted: that of a caller alone, of caller and partner, or not known yet. */
function tellSide() {
  const beside = /** @type {HTMLElement | null} */ (form.querySelector("[data-side-name]"));
  if (!beside) return;
  const { ours = "", both = "", alone = "", theirs = "" } = beside.dataset;
  const partner = answer("partner");
  const ownPile = partner === "alone" && callerName() ? alone.replace("%s", callerName) : partner ? both : ours;
  beside.textContent = countsOthers() ? theirs : ownPile;
}

/** @param {boolean} others */
function countPile(others) {
  if (!pointsInput || others === countsOthers()) return;
  pointsInput.name = others ? "other_points" : "card_points";
  if (pointsInput.value) pointsInput.value = String(ALL_POINTS - Number(pointsInput.value));
  form.querySelector("[data-swap]")?.setAttribute("aria-pressed", String(others));
  drawLikelyPoints();
}

/** @param {boolean | undefined} made */
function markResult(made) {
  const counted = Boolean(pointsInput?.value);
  form.querySelector(".made-chip")?.classList.toggle("implied", counted && made === true);
  form.querySelector(".missed-chip")?.classList.toggle("implied", counted && made === false);
}

/** What the answers come to; null where they don't tell, or contradict each other. */
function reckon() {
  const turn = turnOf(form), untold = missing() && !answer("cappotto");
  return turn && !untold && !judge().length ? paidBy(turn.terms.pays, answers(), turn.active, turn.times) : null;
}

const answers = () => Object.fromEntries(/** @type {[string, string][]} */ ([...new FormData(form)]));

/** What this phone finds wrong in the answers. @returns {import("./saving.js").Problem[]} */
function judge() {
  const called = turnOf(form)?.terms.pays.called, wrong = called && !missing() && contradicted(called, answers()), { contradiction = "", tooMany = "" } = pointsField?.dataset ?? {};
  if (!wrong) return [];
  return [{ field: wrong, message: { bid: bidField?.dataset.noRank ?? "", tricks_won: tooMany, card_points: contradiction }[wrong] }];
}

const { clear, foresee } = readyPreview(form, markResult, reckon, judge);

function ask() {
  if (form.dataset.mode === "start") return;
  const next = missing();
  if (next) clear(document.getElementById("preview")?.dataset[next === "card_points" ? "points" : next] ?? "");
  else foresee();
}

/** @param {boolean} follow */
function refresh(follow) {
  markNext(follow);
  markKeys();
  tellOthers();
  tellSide();
  ask();
}

/** A second tap on a chosen chip takes the choice back. */
function readyTakingBack() {
  let chosen = false;
  form.addEventListener("pointerdown", ({ target }) => {
    const radio = /** @type {HTMLElement} */ (target).closest(".chip")?.querySelector("input");
    chosen = Boolean(radio?.checked);
  });
  form.addEventListener("click", ({ target, detail }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "radio" || !chosen || !detail) return;
    chosen = target.checked = false;
    target.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

const answerAgain = answeredEarly(form);
form.querySelector("input.text[name=other_points]")?.closest("label")?.remove();
restoreDraft(form, countPile);
readySteppers(form);
readyTakingBack();
readyCounter(form, (name, points) => {
  countPile(name === "other_points");
  fill(name, String(points));
});
drawLikelyPoints();
refresh(false);

form.addEventListener("click", ({ target }) => {
  const key = /** @type {HTMLElement} */ (target).closest("button");
  if (key?.dataset.set) {
    const again = answer(key.dataset.set) === key.dataset.value;
    fill(key.dataset.set, again ? "" : key.dataset.value ?? "");
  }
  if (key && "swap" in key.dataset) {
    countPile(!countsOthers());
    refresh(false);
  }
});
form.addEventListener("input", ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  keepConsistent(input);
  if (input.name.startsWith("bid_")) drawLikelyPoints();
  keepDraft(form);
  refresh(input.type === "radio");
});
form.addEventListener("toggle", ({ target }) => {
  const asks = /** @type {HTMLDetailsElement} */ (target);
  if (asks.open) asks.scrollIntoView({ block: "nearest" });
}, true);
form.addEventListener("fresh", () => {
  countPile(false);
  restoreDraft(form, countPile);
  drawLikelyPoints();
  refresh(false);
});
saveSafely(form, reckon, judge);
tellOfWriting(form, (number) => takeAnswersTo(form, number));
stayAwake();
answerAgain();
