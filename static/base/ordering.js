// @ts-check
/** Rows that are put in order by dragging their grip, or by a button that moves them up. */

/**
 * @param {HTMLElement} list
 * @param {() => void} moved told after every move
 */
export function keepInOrder(list, moved) {
  /** @param {HTMLElement} row @param {number} step */
  function move(row, step) {
    const other = step < 0 ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    if (step < 0) other.before(row);
    else other.after(row);
    moved();
  }

  /** @param {PointerEvent} event */
  function drag(event) {
    const grip = /** @type {HTMLElement} */ (event.target).closest("[data-grip]");
    const row = /** @type {HTMLElement | null} */ (grip?.closest("li"));
    if (!grip || !row) return;
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    row.classList.add("held");
    /** @param {Event} pointer */
    const follow = (pointer) => {
      const { clientY } = /** @type {PointerEvent} */ (pointer);
      const { top, bottom } = row.getBoundingClientRect();
      if (clientY < top) move(row, -1);
      else if (clientY > bottom && !(/** @type {HTMLElement | null} */ (row.nextElementSibling)?.hidden)) move(row, 1);
    };
    grip.addEventListener("pointermove", follow);
    grip.addEventListener("lostpointercapture", () => {
      grip.removeEventListener("pointermove", follow);
      row.classList.remove("held");
    }, { once: true });
  }

  list.addEventListener("pointerdown", drag);
  list.addEventListener("click", ({ target }) => {
    const button = /** @type {HTMLElement} */ (target).closest("button");
    if (!button?.dataset.move) return;
    move(/** @type {HTMLElement} */ (button.closest("li")), Number(button.dataset.move));
    button.focus();
  });
}
