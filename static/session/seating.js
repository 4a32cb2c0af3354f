// @ts-check
/** Who is at the table made quick: the order by dragging, and what so many people come to. */

import { keepInOrder } from "../base/ordering.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("#seating"));
const list = /** @type {HTMLOListElement} */ (form.querySelector("[data-people]"));
const rules = /** @type {HTMLDetailsElement} */ (form.querySelector("[data-rules]"));
const counts = /** @type {HTMLElement[]} */ ([...form.querySelectorAll("[data-count]")]);
const offers = /** @type {HTMLElement[]} */ ([...form.querySelectorAll("[data-counts]")]);
const refused = /** @type {HTMLElement} */ (form.querySelector("[data-problem=people]"));
const guest = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=guest]"));

/** Places follow the rows. */
function renumber() {
  [...list.children].forEach((row, index) => {
    /** @type {HTMLInputElement} */ (row.querySelector("[name=place]")).value = String(index + 1);
  });
}

/** How many are there says who sits out, and which rules fit. */
function recount() {
  const number = String(form.querySelectorAll("[name=here]:checked").length + (guest?.value.trim() ? 1 : 0));
  const chosen = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=rules]:checked"));
  const told = counts.find((count) => count.dataset.count === number);
  for (const count of counts) count.hidden = count !== told || Boolean(chosen?.value) || !refused.hidden;
  for (const offer of offers) {
    const picked = offer.querySelector("input:checked") !== null;
    offer.hidden = !picked && !(offer.dataset.counts ?? "").split(" ").includes(number);
  }
  if (told && !("fits" in told.dataset)) rules.open = true;
}

keepInOrder(list, renumber);
form.addEventListener("input", () => {
  refused.hidden = true;
  recount();
});
renumber();
recount();
