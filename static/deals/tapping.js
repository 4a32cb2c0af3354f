// @ts-check
/** Cards counted by tapping them, for any box that has a key for it: how often, and what they come to. */

/**
 * @param {HTMLElement} form
 * @param {(name: string, points: number) => void} use where the sum goes
 */
export function readyTapping(form, use) {
  const panel = /** @type {HTMLDialogElement | null} */ (document.getElementById("tapping"));
  if (!panel) return;
  const cards = /** @type {HTMLElement[]} */ ([...panel.querySelectorAll("[data-worth]")]);
  const total = /** @type {HTMLElement} */ (panel.querySelector("[data-sum]"));
  const whose = /** @type {HTMLElement} */ (panel.querySelector("[data-whose]"));
  const take = /** @type {HTMLElement} */ (panel.querySelector("[data-use]"));
  /** What was tapped for each box, in order. @type {Map<string, HTMLElement[]>} */
  const tapped = new Map();
  let box = "";

  const mine = () => tapped.get(box) ?? [];
  const sum = () => mine().reduce((points, card) => points + Number(card.dataset.worth), 0);

  function tell() {
    for (const card of cards) {
      const times = mine().filter((one) => one === card).length;
      /** @type {HTMLElement} */ (card.querySelector("[data-times]")).textContent = times ? `×${times}` : "";
    }
    total.textContent = String(sum());
    take.textContent = (take.dataset.text ?? "").replace("%s", String(sum()));
  }
  /** @param {HTMLElement} card */
  function tap(card) {
    const already = mine().filter((one) => one === card).length;
    if (already < Number(card.dataset.most)) tapped.set(box, [...mine(), card]);
  }
  form.addEventListener("click", ({ target }) => {
    const key = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-count-for]"));
    if (!key) return;
    box = key.dataset.countFor ?? "";
    whose.textContent = key.dataset.whose ?? "";
    tell();
    panel.showModal();
  });
  panel.addEventListener("click", ({ target }) => {
    const button = /** @type {HTMLElement} */ (target).closest("button");
    if (target === panel || button?.matches("[data-close]")) panel.close();
    else if (button?.matches("[data-use]")) {
      panel.close();
      use(box, sum());
    } else if (button?.matches("[data-back]")) tapped.set(box, mine().slice(0, -1));
    else if (button?.dataset.worth) tap(button);
    tell();
  });
}
