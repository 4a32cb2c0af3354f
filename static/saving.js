// @ts-check
/** Saving a form so that nothing is lost: drafts, a network that is away, problems beside their questions. */

const PATIENCE = 4000;
const GIVE_UP = 20000;
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

/**
 * Send by script, so that a missing network costs nothing; whatever the script does not understand
 * is sent plainly.
 * @param {HTMLFormElement} form
 */
export function saveSafely(form) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button.big[name=action]"));
  const notice = /** @type {HTMLElement} */ (form.querySelector("[data-notice]"));
  const label = button.textContent;
  let chosen = button;
  let plainly = false;
  let sending = false;
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
    button.textContent = busy ? form.dataset.saving ?? label : label;
  }
  function sendPlainly() {
    plainly = true;
    sessionStorage.removeItem(draftName(form));
    form.requestSubmit(chosen);
  }
  /** @param {Response} reply */
  async function understand(reply) {
    /** @type {{ok?: boolean, next: string, problems?: Problem[]}} */
    const said = await reply.json().catch(() => ({}));
    if (reply.ok && said.ok) {
      sessionStorage.removeItem(draftName(form));
      location.replace(said.next);
    } else if (reply.status === 422 && said.problems) {
      rest(false);
      showProblems(form, said.problems);
      tell(form.dataset.refused);
      form.querySelector("[data-problem]:not([hidden])")?.scrollIntoView({ block: "center" });
    } else sendPlainly();
  }
  async function send() {
    if (sending) return;
    rest(true);
    tell();
    clearTimeout(timer);
    const slow = setTimeout(() => tell(form.dataset.slow), PATIENCE);
    const body = new FormData(form);
    body.append(chosen.name, chosen.value);
    try {
      const signal = AbortSignal.timeout(GIVE_UP);
      const headers = { Accept: "application/json" };
      const reply = await fetch(form.getAttribute("action") ?? "", { method: "POST", body, headers, signal });
      clearTimeout(slow);
      tell();
      await understand(reply);
    } catch {
      rest(false);
      tell(form.dataset.offline);
      timer = setTimeout(send, AGAIN);
    } finally {
      clearTimeout(slow);
    }
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
  addEventListener("online", () => {
    if (!notice.hidden && !sending && notice.textContent === form.dataset.offline) send();
  });
}
