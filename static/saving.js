// @ts-check
/** Saving a form so that nothing is lost: drafts, a network that is away, problems beside their questions. */

import { aheadOf, askFor } from "./next_deal.js";
import { drop, keep, waiting, whenChanged } from "./queue.js";
import { deliver, freshToken, inHand, post } from "./sending.js";

const PATIENCE = 4000;
const AGAIN = 5000;
const NOT_KEPT = ["csrf_token", "number", "version"];

/** @typedef {{field: string, message: string}} Problem */

/** @param {HTMLFormElement} form */
const draftName = (form) => `draft/${form.dataset.draft}`;

/** @param {HTMLFormElement} form */
export function keepDraft(form) {
  const entries = [...new FormData(form)].filter(([name]) => !NOT_KEPT.includes(name));
  sessionStorage.setItem(draftName(form), JSON.stringify(entries));
}

/**
 * Put back what was typed here before, unless the server has just shown the form with its own answers.
 * @param {HTMLFormElement} form
 * @param {(others: boolean) => void} countPile
 */
export function restoreDraft(form, countPile) {
  const kept = /** @type {[string, string][]} */ (JSON.parse(sessionStorage.getItem(draftName(form)) ?? "[]"));
  if (form.querySelector("[data-problem]:not([hidden])")) return;
  countPile(kept.some(([name]) => name === "other_points"));
  for (const [name, value] of kept) {
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`[name="${name}"]`))) {
      if (input.type === "radio" || input.type === "checkbox") input.checked = input.value === value;
      else input.value = value;
    }
  }
}

/** @param {HTMLFormElement} form @param {Problem[]} problems */
export function showProblems(form, problems) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-problem]"))) {
    const mine = problems.filter(({ field }) => field === place.dataset.problem);
    place.textContent = mine.map(({ message }) => message).join(" ");
    place.hidden = !mine.length;
    place.closest("fieldset")?.toggleAttribute("data-wrong", Boolean(mine.length));
  }
  const homeless = problems.filter(({ field }) => !form.querySelector(`[data-problem="${field}"]`));
  const whole = /** @type {HTMLElement | null} */ (form.querySelector('[data-problem=""]'));
  if (whole && homeless.length) {
    whole.textContent = homeless.map(({ message }) => message).join(" ");
    whole.hidden = false;
  }
}

/** Where a form is sent: a button may be called "action". @param {HTMLFormElement} form */
const addressOf = (form) => form.getAttribute("action") ?? "";

/** What was answered, in the words of the form. @param {HTMLFormElement} form @returns {[string, string][]} */
function factsOf(form) {
  const fields = /** @type {HTMLElement[]} */ ([...form.querySelectorAll("[data-field]")]);
  return /** @type {[string, string][]} */ (fields.map((field) => {
    const label = field.querySelector("legend, label span")?.firstChild?.textContent?.trim() ?? "";
    const inputs = /** @type {HTMLInputElement[]} */ ([...field.querySelectorAll("input:not([type=hidden]), select")]);
    const given = inputs.filter((input) => ["radio", "checkbox"].includes(input.type) ? input.checked : input.value);
    return [label, given.map((input) => input.type === "radio" || input.type === "checkbox" ? said(input) : input.value).join(" ")];
  }).filter(([, answer]) => answer));
}

/** @param {HTMLInputElement} input */
const said = (input) => {
  const chip = input.closest("label");
  return chip?.textContent?.trim() || chip?.querySelector("[aria-label]")?.getAttribute("aria-label") || "";
};

/**
 * The form as something to be sent, now or later.
 * @param {HTMLFormElement} form @param {HTMLButtonElement} button @param {import("./chiamata_pay.js").Paid | null} found
 * @returns {import("./queue.js").Act}
 */
function actOf(form, button, found) {
  const data = new FormData(form);
  data.append(button.name, button.value);
  const [, circle, session] = /circles\/([^/]+)\/sessions\/([^/]+)/.exec(addressOf(form)) ?? ["", "", ""];
  const names = aheadOf(form)?.names ?? [], mode = form.dataset.mode ?? "";
  const heading = mode === "amend" ? form.dataset.title : form.dataset.heading;
  return {
    ...editing.has(form) ? { id: editing.get(form) } : {},
    circle,
    session,
    kind: mode === "finish" ? "record" : mode,
    action: addressOf(form),
    key: String(data.get("key")),
    number: Number(data.get("number")),
    title: (heading ?? "").replace("#", String(data.get("number"))),
    body: /** @type {[string, string][]} */ ([...data].filter(([name]) => name !== "csrf_token")),
    facts: factsOf(form),
    names: Object.fromEntries(names.entries()),
    foretold: found?.paid ?? null,
    times: found?.times ?? 1,
    state: "",
    said: "",
  };
}

/** The place in the queue of what a form shows. @type {WeakMap<HTMLFormElement, number | undefined>} */
const editing = new WeakMap();

/**
 * Keep what is sent until the server has said yes, so that neither a missing network nor a page
 * that is closed costs anything. What the script does not understand is sent plainly.
 * @param {HTMLFormElement} form
 * @param {() => import("./chiamata_pay.js").Paid | null} [reckon]
 */
export function saveSafely(form, reckon = () => null) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button.big[name=action]"));
  const notice = /** @type {HTMLElement} */ (form.querySelector("[data-notice]"));
  const circle = /circles\/([^/]+)/.exec(addressOf(form))?.[1] ?? "";
  let label = button.textContent;
  let chosen = button;
  let plainly = false;
  let sending = false;
  let done = false;
  let timer = 0;

  /** @param {string} [text] */
  function tell(text = "") {
    notice.textContent = text;
    notice.hidden = !text;
  }
  /** @param {boolean} busy */
  function rest(busy) {
    sending = busy;
    button.setAttribute("aria-disabled", String(busy));
    if (busy) label = button.textContent;
    button.textContent = busy ? form.dataset.saving ?? label : label;
  }
  function sendPlainly() {
    plainly = true;
    sessionStorage.removeItem(draftName(form));
    form.requestSubmit(chosen);
  }
  const ofSession = async () => (await waiting(circle)).filter(({ session, state }) => addressOf(form).includes(session) && state !== "differs");

  /** @param {Response} reply @param {import("./queue.js").Act} act */
  async function understand(reply, act) {
    /** @type {{ok?: boolean, next: string, problems?: Problem[]}} */
    const said = await reply.json().catch(() => ({}));
    if (reply.ok && said.ok) {
      await drop(act).catch(() => {});
      sessionStorage.removeItem(draftName(form));
      location.replace(said.next);
    } else if (reply.status === 422 && said.problems) {
      await drop(act).catch(() => {});
      rest(false);
      showProblems(form, said.problems);
      tell(form.dataset.refused);
      form.querySelector("[data-problem]:not([hidden])")?.scrollIntoView({ block: "center" });
    } else {
      if (reply.status === 409 && act.id) await keep({ ...act, state: "conflict" });
      sendPlainly();
    }
  }
  /** Ask for the next deal that is neither written nor waiting. @param {string} [text] */
  async function goOn(text) {
    rest(false);
    const acts = (await ofSession()).filter(({ kind }) => kind === "record"), last = acts.at(-1);
    editing.delete(form);
    done = !last || !askFor(form, last.number + 1, undefined, last.times);
    if (done) button.setAttribute("aria-disabled", "true");
    tell(done && form.dataset.mode === "record" ? form.dataset.waits : text);
    showStandings(form, acts);
  }
  /** @param {import("./queue.js").Act} act */
  async function sendNow(act) {
    const slow = setTimeout(() => tell(form.dataset.slow), PATIENCE);
    inHand.add(act.key);
    try {
      const field = /** @type {HTMLInputElement} */ (form.querySelector("[name=csrf_token]"));
      field.value ||= (await freshToken(circle)).token ?? ""; // a form that was kept has none
      if (!field.value) throw new Error("away");
      const reply = await post(act, field.value);
      clearTimeout(slow);
      tell();
      await understand(reply, act);
    } catch {
      clearTimeout(slow);
      if (act.id) {
        sessionStorage.removeItem(draftName(form));
        return goOn(form.dataset.kept);
      }
      rest(false);
      tell(form.dataset.offline);
      timer = setTimeout(send, AGAIN);
    } finally {
      inHand.delete(act.key);
    }
  }
  async function send() {
    if (sending || done) return;
    rest(true);
    tell();
    clearTimeout(timer);
    const act = actOf(form, chosen, reckon());
    const before = (await ofSession()).filter(({ id }) => id !== act.id);
    if (!before.length) inHand.add(act.key);
    const id = await keep(act).catch(() => undefined);
    if (!before.length) return sendNow({ ...act, id });
    sessionStorage.removeItem(draftName(form));
    await deliver(circle);
    if ((await ofSession()).length) goOn(form.dataset.kept);
    else location.replace(form.dataset.after ?? "");
  }
  /** What another page has written meanwhile, or what has gone. */
  async function follow() {
    if (sending || editing.has(form)) return;
    const acts = (await ofSession()).filter(({ kind }) => kind === "record"), number = Number(new FormData(form).get("number"));
    const typed = sessionStorage.getItem(draftName(form));
    if (acts.some((act) => act.number >= number)) goOn(form.dataset.kept);
    else if (acts.length) showStandings(form, acts);
    else if (!typed && (done || number !== aheadOf(form)?.number)) location.replace(form.dataset.after ?? "");
    else showStandings(form, []);
  }
  form.addEventListener("submit", (event) => {
    if (plainly) return;
    event.preventDefault();
    chosen = /** @type {HTMLButtonElement | null} */ (event.submitter) ?? button;
    keepDraft(form);
    send();
  });
  form.addEventListener("input", () => {
    clearTimeout(timer);
    tell();
  });
  form.addEventListener("amend", (event) => {
    const act = /** @type {CustomEvent<import("./queue.js").Act>} */ (event).detail;
    const times = Number(act.body.find(([name]) => name === "times")?.[1] ?? 1);
    if (!askFor(form, act.number, act.key, times)) return;
    editing.set(form, act.id);
    sessionStorage.setItem(draftName(form), JSON.stringify(act.body.filter(([name]) => !NOT_KEPT.includes(name))));
    form.dispatchEvent(new Event("fresh"));
  });
  addEventListener("online", () => {
    if (!notice.hidden && !sending && notice.textContent === form.dataset.offline) send();
  });
  if (form.dataset.ahead) whenChanged(follow);
  if (form.dataset.ahead) document.addEventListener("sent", follow);
  ofSession().then((acts) => { if (acts.length) follow(); });
}

/** The standings with what is not sent yet, where this phone knows what it pays. @param {HTMLFormElement} form @param {import("./queue.js").Act[]} acts */
function showStandings(form, acts) {
  const place = /** @type {HTMLElement} */ (document.querySelector("[data-standings]")), ahead = aheadOf(form);
  const known = ahead?.pay && acts.length && acts.every(({ foretold }) => foretold);
  place.hidden = !known;
  if (!known) return;
  const sums = new Map(Object.entries(ahead.balances).map(([seat, balance]) => [seat, balance]));
  for (const [seat, amount] of acts.flatMap(({ foretold }) => Object.entries(foretold ?? {}))) sums.set(seat, (sums.get(seat) ?? 0) + amount);
  const lines = [...sums].sort(([, one], [, other]) => other - one).map(([seat, sum]) => `${ahead.names[Number(seat)]} ${String(sum).replace("-", "−")}`);
  place.textContent = (place.dataset.text ?? "").replace("%s", lines.join(" · "));
}
