// @ts-check
/**
 * Cards counted by tapping them, for any box that has a key for it: which, or how often, and what they come to. Where
 * cards of one worth are many, a panel that `goesOn` adds them to the number in the box.
 */
import { numberIn } from "./pays.js";

/**
 * @param {HTMLElement} form
 * @param {(name: string, points: number) => void} use where the sum goes
 */
export function readyCounter(form, use) {
  const panel = /** @type {HTMLDialogElement | null} */ (document.getElementById("counter"));
  if (!panel) return;
  const cards = /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll("[data-worth]"));
  const sums = /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll("[data-text]"));
  const whose = panel.querySelector("[data-whose]");
  /** What was tapped for each box, in order. @type {Map<string, HTMLElement[]>} */
  const tapped = new Map();
  let box = "", before = 0;

  const mine = () => tapped.get(box) ?? [];
  const sum = () => mine().reduce((points, card) => points + Number(card.dataset.worth), before);
  /** @param {HTMLElement} card */
  const timesOf = (card) => mine().filter((one) => one === card).length;

  function tell() {
    for (const card of cards) {
      const times = timesOf(card), told = card.querySelector("[data-times]");
      if (told) told.textContent = times ? `×${times}` : "";
      else card.setAttribute("aria-pressed", String(times > 0));
    }
    for (const told of sums) {
      const { text = "", of } = told.dataset;
      told.textContent = text.replace("%s", String(of ? Number(of) - sum() : sum()));
    }
  }
  /** A card that there is once is taken back by the next tap. @param {HTMLElement} card */
  function tap(card) {
    const { most } = card.dataset;
    if (timesOf(card) < Number(most ?? 1)) tapped.set(box, [...mine(), card]);
    else if (!most) tapped.set(box, mine().filter((one) => one !== card));
  }
  form.addEventListener("click", ({ target }) => {
    const key = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-count-for]"));
    if (!key) return;
    box = key.dataset.countFor ?? "";
    if (panel.dataset.goesOn !== undefined) {
      tapped.set(box, []);
      before = numberIn(/** @type {HTMLInputElement | null} */ (form.querySelector(`[name="${box}"]`))?.value);
    }
    if (whose) whose.textContent = key.dataset.whose ?? "";
    tell();
    panel.showModal();
  });
  panel.addEventListener("click", ({ target }) => {
    const button = /** @type {HTMLElement} */ (target).closest("button");
    if (target === panel || button?.matches("[data-close], [data-use]")) panel.close();
    if (button?.matches("[data-use]")) use(button.dataset.use || box, sum());
    else if (button?.matches("[data-back]")) tapped.set(box, mine().slice(0, -1));
    else if (button?.dataset.worth) tap(button);
    tell();
  });
}
