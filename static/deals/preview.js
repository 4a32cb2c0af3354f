// @ts-check
/** What a deal would pay, asked of the server while its form is filled in, and shown above Save. */
import { signed } from "../base/queue.js";
import { showProblems } from "./saving.js";

const DEBOUNCE = 120;

/** @typedef {{seat: number, text: string}} Payout */
/** @typedef {{made?: boolean | null, headline?: string, notes?: string[], payouts?: Payout[], problems?: import("./saving.js").Problem[]}} Answer */

/**
 * @typedef {object} Preview
 * @property {(text: string) => void} clear say what is asked next; nothing is paid yet
 * @property {() => void} foresee ask what the form as it stands pays, in a moment
 */

/**
 * @param {HTMLFormElement} form
 * @param {(made: boolean | undefined) => void} [told] what else shows the result
 * @param {() => import("./pays.js").Paid | null} [reckon] what this phone says it pays, where it can
 * @param {() => import("./saving.js").Problem[]} [judge] what this phone finds wrong, where it can
 * @returns {Preview}
 */
export function readyPreview(form, told = () => {}, reckon = () => null, judge = () => []) {
  const preview = document.getElementById("preview");
  let asking = new AbortController();
  let waiting = 0;

  /** @param {string} text @param {string} [notes] */
  function say(text, notes = "") {
    /** @type {HTMLElement} */ (preview?.querySelector("[data-headline]")).textContent = text;
    /** @type {HTMLElement} */ (preview?.querySelector("[data-notes]")).textContent = notes;
  }

  /** @param {Payout[]} payouts */
  function showAmounts(payouts) {
    preview?.toggleAttribute("data-paid", payouts.length > 0);
    for (const place of preview?.querySelectorAll("[data-seat]") ?? []) {
      const amount = /** @type {HTMLElement} */ (place.querySelector("[data-amount]"));
      const payout = payouts.find(({ seat }) => String(seat) === /** @type {HTMLElement} */ (place).dataset.seat);
      amount.textContent = payout?.text ?? "·";
      amount.className = { "0": "zero", "·": "zero", "−": "minus" }[amount.textContent[0]] ?? "plus";
    }
  }

  /** @param {boolean | null | undefined} made */
  function showResult(made) {
    preview?.removeAttribute("data-stale");
    if (preview) preview.dataset.made = made === undefined || made === null ? "" : made ? "yes" : "no";
    told(made ?? undefined);
  }

  /** Show what this phone reckons, marked as such. */
  function showOwn() {
    const { unreachable = "", own, yes, no, draw } = preview?.dataset ?? {}, found = reckon(), problems = judge();
    showProblems(form, problems);
    if (problems.length) {
      showResult(undefined);
      showAmounts([]);
    }
    if (!found) return say(problems[0]?.message ?? unreachable);
    showResult(found.made);
    showAmounts(Object.entries(found.paid).map(([seat, amount]) => ({ seat: Number(seat), text: signed(amount) })));
    say({ true: yes, false: no, null: draw }[String(found.made)] ?? "", own);
  }

  /** Ask the server what the sheet as it stands pays; an older question is dropped. */
  async function ask() {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    try {
      const question = { method: "POST", body: new FormData(form), headers: { Accept: "application/json" }, signal };
      const reply = await fetch(form.dataset.preview ?? "", question);
      const said = /** @type {Answer} */ (await reply.json());
      showProblems(form, said.problems ?? []);
      showResult(said.made);
      showAmounts(said.payouts ?? []);
      say(said.headline ?? said.problems?.[0]?.message ?? "", (said.notes ?? []).join(" · "));
    } catch {
      if (signal.aborted) return;
      document.dispatchEvent(new Event("away"));
      showOwn();
    }
  }

  return {
    clear(text) {
      if (!preview) return;
      clearTimeout(waiting);
      asking.abort();
      showResult(undefined);
      showAmounts([]);
      say(text);
    },
    foresee() {
      if (!preview) return;
      clearTimeout(waiting);
      asking.abort();
      preview.dataset.stale = "";
      waiting = setTimeout(ask, DEBOUNCE);
    },
  };
}
