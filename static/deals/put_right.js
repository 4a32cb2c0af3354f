// @ts-check
/** Without a network the kept record form amends a deal that is written: its answers come from what the phone goes on by. It is voided and restored here, too. */
import { made } from "../base/page.js";
import { waitingOf } from "../base/queue.js";
import { foresee, isChange, knownAt } from "../live/evening.js";

/** @typedef {import("../live/evening.js").Ahead} Ahead */
/** @typedef {import("../live/evening.js").Booked} Booked */
/** @typedef {import("../base/queue.js").Act} Act */

/** @param {string} name @param {string | number} value */
const hidden = (name, value) => made("input", { type: "hidden", name, value: String(value) });

/** Void a deal for one of the reasons, or restore it. @param {Ahead} known @param {string} session @param {Booked} deal @param {number} version */
function voiding({ words, reasons }, session, { number, voided }, version) {
  const kind = voided ? "restore" : "void", title = words[kind].replace("#", String(number));
  const keys = reasons.map((reason) => made("button", { className: "name-chip", name: "answer", value: reason, textContent: reason }));
  const form = made("form", { method: "post", action: `${session}deals/${number}/${kind}`, className: "stack" }, [
    hidden("csrf_token", ""),
    hidden("version", version),
    voided ? made("button", { className: "plain", textContent: title })
      : made("fieldset", { className: "field" }, [made("legend", { textContent: words.because }), made("div", { className: "known" }, keys)]),
  ]);
  Object.assign(form.dataset, { act: kind, title, next: session });
  return voided ? form : made("details", { className: "reveal field" }, [made("summary", { className: "plain danger", textContent: title }), form]);
}

/** Whether the form asks for an answer: other rules may have asked otherwise. @param {HTMLFormElement} form @param {[string, string]} answer */
const asks = (form, [name, value]) => !value || name === "times"
  || [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`[name="${name}"]`))].some((input) => input.type !== "radio" || input.value === value);

/** Ask for the answers of a deal in the place of those of the next one. @param {HTMLFormElement} form @param {Ahead} known @param {string} session @param {Booked} deal @param {Act | undefined} before the amendment that waits */
function fill(form, { words }, session, deal, before) {
  const { number, key = "", values, dealer, active, times, terms, voided, paid } = deal, sits_out = terms.order.filter((seat) => !active.includes(seat));
  const field = /** @type {HTMLInputElement} */ (form.querySelector("[name=number]"));
  field.value = "";
  Object.assign(form.dataset, {
    heading: words.amend, title: words.amend.replace("#", String(number)), label: words.save,
    recordAt: `${session}deals/${number}/amend`, after: session,
  });
  const balances = Object.fromEntries(Object.entries(deal.balances).map(([seat, sum]) => [seat, sum - (voided ? 0 : paid?.[seat] ?? 0)]));
  const act = { number, key, id: before?.id, body: before?.body ?? Object.entries(values ?? {}) };
  form.dispatchEvent(new CustomEvent("amend", { detail: [act, { number, dealer, active, times, terms, sits_out, balances }] }));
  form.dataset.mode = "amend";
  return field.value === String(number) && Object.entries(values ?? {}).every((answer) => asks(form, answer));
}

/** @param {HTMLFormElement} form */
export async function putRight(form) {
  const [, session, circle, key, at] = /^(.*\/circles\/([^/]+)\/sessions\/([^/]+)\/)deals\/(\d+)\//.exec(location.pathname) ?? [];
  const known = await knownAt(session), waits = (await waitingOf(circle, key)).map((act) => ({ ...act, state: /** @type {const} */ ("") }));
  const deal = known && foresee(known, waits).deals.find(({ number, key: written }) => written && number === Number(at));
  if (!known || !deal) return location.replace(new URL("../../../offline", import.meta.url));
  const acts = waits.filter((act) => act.number === deal.number && isChange(act)), before = acts.find(({ kind }) => kind === "amend");
  const version = (deal.version ?? 0) + acts.length, { voided } = deal;
  for (const part of document.querySelectorAll("[data-when-away], [data-turn-to]")) part.remove();
  form.before(voiding(known, session, deal, version));
  form.hidden = voided || !deal.values || !fill(form, known, session, deal, before);
  if (form.hidden && deal.values && !voided) form.before(made("p", { className: "fine", textContent: known.words.unasked }));
  if (form.hidden) for (const part of document.querySelectorAll("header.top :is(h1, .under)")) part.textContent = part.localName === "h1" ? known.words.deal.replace("#", at) : "";
  const reason = made("input", { className: "text", name: "reason", maxLength: 200 });
  form.querySelector(".questions")?.append(made("div", { className: "field reason" }, [made("label", { className: "legend" }, [made("span", { textContent: known.words.reason }), reason])]));
  form.prepend(hidden("version", before?.body.find(([name]) => name === "version")?.[1] ?? version), hidden("seen", deal.seen ?? 0));
}
