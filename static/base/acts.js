// @ts-check
/** What a form does to a deal, as something that is kept and sent, now or later; and the small forms that do it with a tap. */
import { loadAnew, made, unlessLeaving } from "./page.js";
import { newKey, waiting, waitingOf, whenChanged } from "./queue.js";
import { delivered, freshToken, sendOrKeep, sendPlainly } from "./sending.js";

/** @typedef {import("./queue.js").Act} Act */

/** @param {HTMLInputElement} input */
const said = (input) => {
  const chip = input.closest("label");
  return chip?.textContent?.trim() || chip?.querySelector("[aria-label]")?.getAttribute("aria-label") || "";
};

/** @param {HTMLInputElement | HTMLSelectElement} input */
const ticked = (input) => input instanceof HTMLInputElement && ["radio", "checkbox"].includes(input.type);

/** What was answered, in the words of the form. @param {HTMLFormElement} form @param {HTMLButtonElement | null} button @returns {[string, string][]} */
function factsOf(form, button) {
  const found = /** @type {HTMLElement[]} */ ([...form.querySelectorAll("[data-field], fieldset.field")]);
  return /** @type {[string, string][]} */ ((found.length ? found : [form]).map((field) => {
    const label = field.querySelector("legend, label span, label.legend")?.firstChild?.textContent?.trim() ?? "";
    const inputs = /** @type {HTMLInputElement[]} */ ([...field.querySelectorAll("input:not([type=hidden]), select")]);
    const given = inputs.filter((input) => input.value && (!ticked(input) || input.checked)).map((input) => ticked(input) ? said(input) : input.value);
    if (button?.name === "answer" && field.contains(button)) given.push(button.value);
    return [label, given.join(" ")];
  }).filter(([, answer]) => answer));
}

/**
 * A form as something to be sent.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 * @returns {Act}
 */
export function actOf(form, button) {
  const data = new FormData(form), action = form.getAttribute("action") ?? ""; // a button may be called "action"
  if (button?.name) data.append(button.name, button.value);
  const [, circle, session] = /circles\/([^/]+)\/sessions\/([^/]+)/.exec(action) ?? ["", "", ""];
  const number = Number(data.get("number") ?? /deals\/(\d+)/.exec(action)?.[1]);
  if (!data.get("key")) data.set("key", newKey());
  return {
    circle,
    session,
    kind: form.dataset.act ?? "",
    action,
    key: String(data.get("key")),
    number,
    title: (form.dataset.title ?? "").replace("#", String(number)).replace("%s", button?.textContent?.trim() ?? ""),
    body: /** @type {[string, string][]} */ ([...data].filter(([name]) => name !== "csrf_token")),
    facts: factsOf(form, button),
    names: JSON.parse(form.dataset.names ?? "{}"),
    foretold: JSON.parse(form.dataset.foretold ?? "null"),
    state: "",
    said: "",
  };
}

/** A deal that is not played comes after those that wait. @param {HTMLFormElement} form @param {HTMLButtonElement | null} button @returns {Promise<Act>} */
export async function notPlayed(form, button) {
  const { circle, session } = actOf(form, button);
  const last = (await waitingOf(circle, session)).filter(({ kind }) => kind === "record").at(-1);
  const number = /** @type {HTMLInputElement} */ (form.querySelector("[name=number]")), key = /** @type {HTMLInputElement} */ (form.querySelector("[name=key]"));
  if (last && last.number >= Number(number.value)) [number.value, key.value] = [String(last.number + 1), newKey()];
  return actOf(form, button);
}

/** The forms of this page whose act waits, by its key, with those that do the same another way. @type {Map<string, HTMLElement>} */
const resting = new Map();

/** Say beside a form what became of it. @param {HTMLElement} form @param {string} [text] */
function tell(form, text = "") {
  const beside = form.nextElementSibling, old = beside instanceof HTMLElement && "told" in beside.dataset ? beside : null;
  old?.remove();
  if (!text) return;
  const place = made("p", { className: "notice", role: "status", textContent: text });
  place.dataset.told = "";
  form.after(place);
}

/** Do what a form says. @param {HTMLFormElement} form @param {HTMLButtonElement | null} button @param {DOMStringMap} words */
async function carryOut(form, button, words) {
  const act = await (form.dataset.act === "record" ? notPlayed(form, button) : actOf(form, button));
  tell(form);
  const { became, next } = await sendOrKeep(act, form);
  if (became === "done") return unlessLeaving(() => location.assign(next ?? location.pathname));
  if (became === "lost") return tell(form, words.lost);
  if (became !== "kept") return sendPlainly(act, String(new FormData(form).get("csrf_token")));
  const ahead = form.dataset.next;
  if (ahead) return unlessLeaving(() => location.assign(ahead));
  const whole = /** @type {HTMLElement} */ (form.closest("[data-together]") ?? form);
  tell(whole, words.kept);
  if (act.kind === "record") return;
  whole.hidden = true;
  resting.set(act.key, whole);
}

/** A form whose act was deleted can be sent again. @param {string} circle */
async function wake(circle) {
  const waits = new Set((await waiting(circle)).map(({ key }) => key));
  for (const [key, whole] of resting) {
    if (waits.has(key) || delivered.has(key)) continue;
    resting.delete(key);
    whole.hidden = false;
    tell(whole);
  }
}

/** A page whose act was sent is loaded anew, unless it takes in by itself what changed. */
function takeIn() {
  const sent = [...resting.keys()].some((key) => delivered.has(key));
  if (sent && !document.querySelector("[data-watch]")) loadAnew();
}

/** The forms that are on their way to the server, which has just answered. @type {WeakSet<HTMLFormElement>} */
const going = new WeakSet();

/** Send what a page answers, if the network is there: the browser's page for a lost one takes what was typed. @param {HTMLFormElement} form @param {HTMLButtonElement | null} button @param {DOMStringMap} words */
async function sendOnline(form, button, words) {
  const { trouble } = await freshToken(words.circle ?? "");
  tell(form, trouble === "away" ? words.later : "");
  if (trouble === "away") return;
  going.add(form);
  form.requestSubmit(button);
}

/** Whatever is done to a deal with a tap goes the way of the deals; all other forms need the network. @param {DOMStringMap} words */
export function readyActs(words) {
  const busy = new WeakSet(), circle = words.circle ?? "";
  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target), button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (event.defaultPrevented || form.method !== "post" || going.delete(form)) return;
    event.preventDefault();
    if (busy.has(form)) return;
    busy.add(form);
    await (form.dataset.act === undefined ? sendOnline(form, button, words) : carryOut(form, button, words));
    busy.delete(form);
  });
  whenChanged(() => wake(circle));
  document.addEventListener("sent", takeIn);
}
