// @ts-check
/** Saving a form so that nothing is lost: drafts, a network that is away, problems beside their questions. */

import { actOf } from "../base/acts.js";
import { unlessLeaving } from "../base/page.js";
import { aheadOf, askFor, turnOf, turnTo } from "./next_deal.js";
import { signed, waitingOf, whenChanged } from "../base/queue.js";
import { sendOrKeep } from "../base/sending.js";
import { foresee, isChange, knownAt } from "../live/evening.js";

const PATIENCE = 4000;
const AGAIN = 5000;
const NOT_KEPT = ["csrf_token", "number", "version"];

/** @typedef {import("../base/sending.js").Problem} Problem */
/** @typedef {import("../base/queue.js").Act} Act */
/** @typedef {import("../live/evening.js").Next} Next */

/** @param {HTMLFormElement} form */
const draftName = (form) => `draft/${form.dataset.draft}`;

/** Keep what is typed, where there is room. @param {HTMLFormElement} form @param {[string, FormDataEntryValue][]} [entries] */
export function keepDraft(form, entries = [...new FormData(form)]) {
  const kept = entries.filter(([name]) => !NOT_KEPT.includes(name));
  try {
    sessionStorage.setItem(draftName(form), JSON.stringify(kept));
  } catch { /* the form has it all the same */ }
}

/** Ask the server for a deal, with the answers that are given here. @param {HTMLFormElement} form @param {number} number */
export function takeAnswersTo(form, number) {
  const { draft = "", recordAt, mode = "" } = form.dataset, entries = [...new FormData(form)].filter(([name]) => name !== "key");
  dropDraft(form);
  form.dataset.draft = draft.replace(/^([^/]*)\/[^/]*\/\d+/, `$1/${mode === "finish" ? "record" : mode}/${number}`);
  keepDraft(form, entries);
  location.replace(mode === "start" ? `${recordAt}?step=start` : recordAt ?? "");
}

/** @param {HTMLFormElement} form */
const dropDraft = (form) => sessionStorage.removeItem(draftName(form));

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

/** @param {HTMLInputElement | HTMLSelectElement} control */
function isAnswered(control) {
  if (control instanceof HTMLSelectElement) return control.selectedIndex !== Math.max(0, [...control.options].findIndex(({ defaultSelected }) => defaultSelected));
  if (control.type === "radio") return control.checked && !control.defaultChecked;
  return control.checked !== control.defaultChecked || control.value !== control.defaultValue;
}

/**
 * What was answered before the scripts came, to be answered once more over an older draft, as by a tap.
 * @param {HTMLFormElement} form
 * @returns {() => void}
 */
export function answeredEarly(form) {
  const controls = /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (form.querySelectorAll("input:not([type=hidden]), select"));
  const answers = [...controls].filter(isAnswered).map((control) => {
    const { value, checked } = /** @type {HTMLInputElement} */ (control);
    return { control, answer: control instanceof HTMLInputElement ? { value, checked } : { value } };
  });
  return () => {
    for (const { control, answer } of answers) {
      Object.assign(control, answer);
      control.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };
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

/** Whether others deal or play. @param {Next} next @param {Next | undefined} now */
const isOther = (next, now) => next.dealer !== now?.dealer || String(next.active) !== String(now.active);

/** A form of a deal that is kept until the server has said yes, so that neither a missing network nor a page that is closed costs anything. */
class Saving {
  plainly = false;
  sending = false;
  done = false;
  away = !navigator.onLine;
  lost = false;
  timer = 0;
  /** The place in the queue of what the form shows. @type {number | undefined} */
  editing;

  /** @param {HTMLFormElement} form @param {() => import("./pays.js").Paid | null} reckon @param {() => Problem[]} judge */
  constructor(form, reckon, judge) {
    this.form = form;
    this.words = form.dataset;
    this.reckon = reckon;
    this.judge = judge;
    this.button = this.chosen = /** @type {HTMLButtonElement} */ (form.querySelector("button.big[name=action]"));
    this.notice = /** @type {HTMLElement} */ (form.querySelector("[data-notice]"));
    this.label = this.button.textContent;
  }

  /** @param {string} [text] */
  tell(text = "") {
    this.notice.textContent = text;
    this.notice.hidden = !text;
  }

  /** @param {boolean} busy */
  rest(busy) {
    this.sending = busy;
    this.button.setAttribute("aria-disabled", String(busy));
    if (busy) this.label = this.button.textContent;
    this.button.textContent = busy ? this.words.saving ?? this.label : this.label;
  }

  /** What can be done here while the network is away. @param {boolean} [away] */
  showAway(away = true) {
    this.away ||= away;
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-when-away]"))) part.hidden = !this.away;
  }

  /** The form as something to be sent, now or later. @returns {Act} */
  act() {
    const act = actOf(this.form, this.chosen), found = this.reckon(), { mode = "" } = this.words;
    const title = (mode === "amend" ? this.words.title : this.words.heading) ?? "";
    return {
      ...act,
      ...this.editing ? { id: this.editing } : {},
      kind: mode === "finish" ? "record" : mode,
      title: title.replace("#", String(act.number)),
      names: Object.fromEntries((aheadOf(this.form)?.names ?? []).entries()),
      foretold: found?.paid ?? null,
    };
  }

  /** The deals of this session that wait, started, played and not played; and what the session comes to with all that waits. */
  async waiting() {
    const { circle, session } = actOf(this.form, null), acts = await waitingOf(circle, session);
    const known = acts.some(isChange) ? await knownAt(this.words.after ?? "") : undefined, ahead = aheadOf(this.form);
    const then = ahead && foresee(known ?? ahead, acts.map((act) => ({ ...act, state: "" })));
    return { then, acts: acts.filter(({ kind }) => kind === "record" || kind === "start") };
  }

  async send() {
    if (this.sending || this.done) return;
    this.rest(true);
    this.tell();
    clearTimeout(this.timer);
    const problems = this.away ? this.judge() : [];
    if (problems.length) return this.follows({ became: "refused", problems });
    const slow = setTimeout(() => this.tell(this.words.slow), PATIENCE);
    const became = await sendOrKeep(this.act(), this.form);
    clearTimeout(slow);
    this.tell();
    await this.follows(became);
  }

  /** @param {import("../base/sending.js").Became} became */
  follows({ became, next, problems = [], full = false }) {
    this.lost = became === "lost";
    if (became === "done" || became === "kept") dropDraft(this.form);
    if (became === "done") return unlessLeaving(() => location.replace(next ?? this.words.after ?? ""));
    if (became === "kept") return this.goOn(this.words.kept);
    if (became === "plainly") return this.sendPlainly();
    this.rest(false);
    if (became === "lost") {
      this.showAway();
      this.tell(full ? this.words.full : this.words.offline);
      this.timer = setTimeout(() => this.send(), AGAIN);
    } else {
      showProblems(this.form, problems);
      this.tell(this.words.refused);
      this.form.querySelector("[data-problem]:not([hidden])")?.scrollIntoView({ block: "center" });
    }
  }

  sendPlainly() {
    this.plainly = true;
    dropDraft(this.form);
    this.form.requestSubmit(this.chosen);
  }

  /** Ask for the rest of what was started, or for the next deal that is neither written nor waiting. @param {string} [text] */
  async goOn(text) {
    if (this.words.mode === "amend" && navigator.serviceWorker?.controller) return location.replace(this.words.after ?? "");
    this.rest(false);
    const { acts, then } = await this.waiting(), last = acts.at(-1), told = [text, then?.over];
    this.editing = undefined;
    this.chosen = this.button;
    this.done = !last || !(last.kind === "start" ? this.finish(last, then?.next) : askFor(this.form, then?.next));
    if (this.done) this.button.setAttribute("aria-disabled", "true");
    if (this.done && this.words.mode === "record" && !then?.over) told.push(this.words.waits);
    this.tell(told.filter(Boolean).join(" "));
    this.showAway();
    showStandings(this.form, then);
  }

  /** Ask for the rest of a deal that was started here. @param {Act} act @param {Next | undefined} turn */
  finish(act, turn) {
    const number = Number(new FormData(this.form).get("number"));
    if (number !== act.number && !askFor(this.form, turn, act.key)) return false;
    /** @type {HTMLInputElement} */ (this.form.querySelector("[name=key]")).value = act.key;
    turnTo(this.form, "finish");
    this.show(act);
    return true;
  }

  /** Fill in what was answered. @param {Act} act */
  show(act) {
    keepDraft(this.form, act.body);
    this.form.dispatchEvent(new Event("fresh"));
  }

  /** @param {Act} act @param {Next} [turn] of a deal that is written */
  async amend(act, turn) {
    const { then } = turn ? {} : await this.waiting();
    if (!askFor(this.form, turn ?? then?.deals.find(({ number }) => number === act.number)?.turn, act.key)) return;
    this.editing = act.id;
    this.show(act);
  }

  /** What another page has written meanwhile, or what has gone; and who deals where the last deal is taken back. */
  async follow() {
    if (this.sending || this.editing || this.words.mode === "amend" || !this.form.isConnected) return;
    const { acts, then } = await this.waiting(), data = new FormData(this.form), number = Number(data.get("number")), last = acts.at(-1), next = then?.next;
    const typed = sessionStorage.getItem(draftName(this.form));
    const started = last?.kind === "start" && last.number === number && this.words.mode !== "finish";
    if (started || acts.some((act) => act.kind === "record" && act.number >= number)) return this.goOn(this.words.kept);
    if (!acts.length && !typed && (this.done || number !== aheadOf(this.form)?.number)) return location.replace(this.words.after ?? "");
    if (this.words.mode === "record" && next?.number === number && isOther(next, turnOf(this.form))) askFor(this.form, next, String(data.get("key")));
    showStandings(this.form, then);
  }

  /** Without a network the page turns from recording to starting by itself. @param {Event} event */
  turn(event) {
    const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-turn-to]"));
    if (!link || !this.away) return;
    event.preventDefault();
    turnTo(this.form, link.dataset.turnTo === "start" ? "start" : "record");
    this.form.dispatchEvent(new Event("fresh"));
  }
}

/**
 * Save a form without losing anything. What the script does not understand is sent plainly.
 * @param {HTMLFormElement} form
 * @param {() => import("./pays.js").Paid | null} [reckon]
 * @param {() => Problem[]} [judge] what is wrong without asking the server
 */
export function saveSafely(form, reckon = () => null, judge = () => []) {
  const saving = new Saving(form, reckon, judge);
  form.addEventListener("submit", (event) => {
    if (saving.plainly) return;
    event.preventDefault();
    saving.chosen = /** @type {HTMLButtonElement | null} */ (event.submitter) ?? saving.button;
    keepDraft(form);
    saving.send();
  });
  form.addEventListener("input", () => {
    clearTimeout(saving.timer);
    saving.tell();
  });
  addEventListener("online", () => saving.lost && saving.send());
  if (form.dataset.ahead) readyGoingOn(saving);
}

/** @param {Saving} saving */
function readyGoingOn(saving) {
  saving.showAway(false);
  addEventListener("offline", () => saving.showAway());
  document.addEventListener("away", () => saving.showAway());
  document.addEventListener("click", (event) => saving.turn(event));
  for (const event of ["sent", "taken"]) document.addEventListener(event, () => saving.follow());
  saving.form.addEventListener("amend", (event) => saving.amend(.../** @type {CustomEvent<[Act, Next?]>} */ (event).detail));
  whenChanged(() => saving.follow());
  if (document.documentElement.dataset.kept && saving.words.mode === "record" && location.search === "?step=start") {
    turnTo(saving.form, "start");
    saving.form.dispatchEvent(new Event("fresh"));
  }
  if (/\/deals\/\d+\//.test(location.pathname)) import("./put_right.js").then(({ putRight }) => putRight(saving.form));
  else saving.follow();
}

/** The standings with what is not sent yet, and of which deals only the server knows what they pay. @param {HTMLFormElement} form @param {ReturnType<typeof foresee> | null} then */
function showStandings(form, then) {
  const place = /** @type {HTMLElement} */ (document.querySelector("[data-standings]"));
  place.hidden = !then?.deals.some(({ waits }) => waits);
  if (!then || place.hidden) return;
  const { sides = {} } = aheadOf(form) ?? {}, { unknown, standings, over, asked } = then, { text = "", unknown: words = "" } = place.dataset;
  const lines = standings.map(({ seat, balance }) => `${sides[seat]} ${signed(balance, asked.terms.lowest)}`), deals = unknown.map((number) => (form.dataset.heading ?? "").replace("#", String(number)));
  place.textContent = [text.replace("%s", lines.join(" · ")), deals.length ? words.replace("%s", deals.join(", ")) : "", over].join(" ");
}
