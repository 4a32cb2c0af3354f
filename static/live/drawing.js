// @ts-check
/** Copies of what the server said, for what waits on this phone to be drawn in; the page as it was stays below. */
import { made as element } from "../base/page.js";
import { signed } from "../base/queue.js";

/** @param {string} name @param {string} [textContent] @param {string} [className] */
export const made = (name, textContent = "", className = "") => element(name, { textContent, className });

/** @param {number | undefined} amount @param {{voided?: boolean, burden?: boolean}} [more] */
export function amountOf(amount, { voided = false, burden } = {}) {
  if (amount === undefined) return made("span", "–", "none");
  const one = made("span", signed(amount, burden), ["minus", "zero", "plus"][Math.sign(amount) + 1]);
  if (!voided) return one;
  const struck = made("s");
  struck.append(one);
  return struck;
}

/** A copy to draw in, in the place of what the server said. @template {Element} T @param {T} old @returns {T} */
export function instead(old) {
  const copy = /** @type {T} */ (old.cloneNode(true));
  copy.removeAttribute("id");
  copy.setAttribute("data-pending", "");
  old.setAttribute("data-stands", "");
  old.toggleAttribute("hidden", true);
  old.after(copy);
  return copy;
}

/** The page as the server said it. */
export function clear() {
  for (const copy of document.querySelectorAll("[data-pending]")) copy.remove();
  for (const old of document.querySelectorAll("[data-stands]")) for (const name of ["hidden", "data-stands"]) old.removeAttribute(name);
}
