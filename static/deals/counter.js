// @ts-check
/** The card counter: tap the cards that lie in the pile, read off what it is worth. */

const ALL_POINTS = 120;

/** @param {HTMLElement} card */
const pressed = (card) => card.getAttribute("aria-pressed") === "true";

/**
 * @param {HTMLElement} root
 * @param {(points: number, others: boolean) => void} use what to do with the sum
 */
export function readyCounter(root, use) {
  const panel = /** @type {HTMLDialogElement | null} */ (document.getElementById("counter"));
  if (!panel) return;
  const cards = /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll("[data-points]"));
  const total = /** @type {HTMLElement} */ (panel.querySelector("[data-sum]"));
  const rest = /** @type {HTMLElement} */ (panel.querySelector("[data-rest]"));
  const take = /** @type {HTMLElement} */ (panel.querySelector("[data-use]"));

  const sum = () => [...cards].filter(pressed).reduce((points, card) => points + Number(card.dataset.points), 0);

  function tell() {
    total.textContent = String(sum());
    rest.textContent = (rest.dataset.text ?? "").replace("%s", String(ALL_POINTS - sum()));
    take.textContent = (take.dataset.text ?? "").replace("%s", String(sum()));
  }
  /** @param {boolean} others */
  function finish(others) {
    panel?.close();
    use(sum(), others);
  }
  root.querySelector("[data-open=counter]")?.addEventListener("click", () => panel.showModal());
  panel.addEventListener("click", ({ target }) => {
    const button = /** @type {HTMLElement} */ (target).closest("button");
    if (button?.dataset.points) {
      button.setAttribute("aria-pressed", String(!pressed(button)));
      tell();
    } else if (target === panel || button?.matches("[data-close]")) panel.close();
    else if (button?.matches("[data-use]")) finish(false);
    else if (button?.matches("[data-theirs-pile]")) finish(true);
  });
  tell();
}
