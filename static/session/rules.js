// @ts-check
/**
 * The screen that edits rules made quick: rows come and go, and what the table pays follows as one
 * types. Everything here only fills in the plain form, which works without it.
 */
import { typedIn } from "../live/live.js";
import { showProblems } from "../deals/saving.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("rules"));
const seen = /** @type {HTMLElement} */ (form.querySelector("[data-seen]"));
const brief = /** @type {HTMLElement} */ (form.querySelector("[data-brief]"));
const notice = /** @type {HTMLElement} */ (form.querySelector("[data-notice]"));
const DEBOUNCE = 250;
const NOT_KEPT = ["csrf_token", "key", "version", "game"];

/** @type {XMLHttpRequest | undefined} */
let asking;
let waiting = 0;

/** Show the answer, and let whoever was choosing in it go on where they were. @param {Element} answer */
function show(answer) {
  const active = /** @type {HTMLInputElement | null} */ (document.activeElement);
  const name = active && seen.contains(active) ? active.name : "";
  const caret = name && active?.type === "text" ? active.selectionStart : null;
  const unfolded = [...seen.querySelectorAll("[data-unfold][open]")].map((one) => one.getAttribute("data-unfold"));
  seen.replaceChildren(...answer.childNodes);
  for (const which of unfolded) seen.querySelector(`[data-unfold=${which}]`)?.setAttribute("open", "");
  const again = name && /** @type {HTMLInputElement | null} */ (seen.querySelector(`[name="${name}"]`));
  if (!again) return;
  again.focus({ preventScroll: true });
  if (caret !== null) again.setSelectionRange(caret, caret);
}

/** @param {string} text */
function tell(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

/**
 * Ask the server what the rules as they stand come to; an older question is dropped. It answers with
 * a piece of the page, which this kind of request reads without trusting it with any script.
 */
function ask() {
  asking?.abort();
  const question = asking = new XMLHttpRequest();
  question.open("POST", form.dataset.preview ?? "");
  question.responseType = "document";
  question.onload = () => {
    const answer = question.response?.querySelector("[data-seen]");
    if (!answer) return tell(form.dataset.unreachable ?? "");
    const listed = /** @type {HTMLElement[]} */ ([...question.response.querySelectorAll("[data-field]")]);
    const problems = listed.map((one) => ({ field: one.dataset.field ?? "", message: one.textContent ?? "" }));
    showProblems(form, problems);
    markWrong(problems);
    show(answer);
    brief.replaceChildren(...(question.response.querySelector("[data-brief]")?.childNodes ?? []));
    seen.removeAttribute("data-stale");
    tell("");
  };
  question.onerror = () => tell(form.dataset.unreachable ?? "");
  question.send(new FormData(form));
}

/** @param {{field: string}[]} problems */
function markWrong(problems) {
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[aria-describedby]"))) {
    if (problems.some(({ field }) => field === box.name)) box.setAttribute("aria-invalid", "true");
    else box.removeAttribute("aria-invalid");
  }
}

/** What was typed stays with this entry of the history: whoever goes back or forward finds it again. */
function keep() {
  const typed = [...new FormData(form)].filter(([name]) => !NOT_KEPT.includes(name));
  history.replaceState({ typed }, "");
}

/** @param {[string, string][]} typed */
function restore(typed) {
  /** @param {string} name */
  const said = (name) => typed.filter(([key]) => key === name).map(([, value]) => value);
  for (const table of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-rows]"))) {
    const count = Math.max(1, said(cells(lines(table)[0])[0].name).length);
    while (lines(table).length < count) lines(table).at(-1)?.after(/** @type {Node} */ (lines(table).at(-1)?.cloneNode(true)));
    for (const line of lines(table).slice(count)) line.remove();
    renumber(table);
  }
  /** @type {Record<string, number>} */
  const placed = {};
  for (const box of /** @type {Iterable<HTMLInputElement>} */ (form.elements)) {
    const values = said(box.name);
    if (NOT_KEPT.includes(box.name) || box.matches("button, fieldset")) continue;
    if (box.type === "radio" || box.type === "checkbox") box.checked = values.includes(box.value);
    else box.value = values[placed[box.name] = (placed[box.name] ?? -1) + 1] ?? box.value;
  }
}

function follow() {
  keep();
  seen.dataset.stale = "";
  clearTimeout(waiting);
  waiting = setTimeout(ask, DEBOUNCE);
}

/** @param {HTMLElement} table */
const lines = (table) => /** @type {HTMLElement[]} */ ([...table.querySelectorAll("[data-row]")]);
/** @param {HTMLElement} line */
const cells = (line) => /** @type {HTMLInputElement[]} */ ([...line.querySelectorAll("input")]);

/** Rows are called by their place. @param {HTMLElement} table */
function renumber(table) {
  lines(table).forEach((line, index) => {
    for (const named of /** @type {NodeListOf<HTMLElement>} */ (line.querySelectorAll("[data-label]"))) {
      named.setAttribute("aria-label", (named.dataset.label ?? "").replace("%s", String(index + 1)));
    }
    const remove = /** @type {HTMLButtonElement} */ (line.querySelector("[data-remove]"));
    remove.value = `remove:${table.dataset.rows}:${index}`;
    remove.hidden = !index;
  });
}

/** @param {HTMLElement} table */
function addRow(table) {
  const last = /** @type {HTMLElement} */ (lines(table).at(-1));
  const line = /** @type {HTMLElement} */ (last.cloneNode(true));
  for (const cell of cells(line)) {
    cell.value = "";
    cell.removeAttribute("aria-invalid");
  }
  last.after(line);
  renumber(table);
  cells(line)[0].focus();
  keep();
}

form.addEventListener("click", (event) => {
  const key = /** @type {HTMLElement} */ (event.target).closest("button");
  const table = /** @type {HTMLElement | null} */ (key?.closest("[data-rows]") ?? null);
  if (!key || !table) return;
  event.preventDefault();
  if ("add" in key.dataset) addRow(table);
  if ("remove" in key.dataset) {
    const line = /** @type {HTMLElement} */ (key.closest("[data-row]"));
    const before = /** @type {HTMLElement} */ (line.previousElementSibling);
    line.remove();
    renumber(table);
    cells(before)[0]?.focus();
    follow();
  }
});
form.addEventListener("input", follow);
if (history.state?.typed) restore(history.state.typed);
if ([...form.elements].some(typedIn)) follow();
