// @ts-check
/** Buttons that copy the text of the page, or print the page. Without a secure connection the text is selected. */

const text = /** @type {HTMLElement | null} */ (document.querySelector("#link, #text"));
const copy = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-copy]"));

/** What is written in a field or in the page. @param {HTMLElement} place */
export const written = (place) => place instanceof HTMLInputElement || place instanceof HTMLTextAreaElement ? place.value : place.textContent ?? "";

if (text && copy) copy.addEventListener("click", async () => {
  if (text instanceof HTMLInputElement || text instanceof HTMLTextAreaElement) text.select();
  else getSelection()?.selectAllChildren(text);
  await navigator.clipboard?.writeText(written(text));
  if (navigator.clipboard || document.execCommand("copy")) copy.textContent = copy.dataset.done ?? "";
});
for (const print of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-print]"))) {
  print.hidden = false;
  print.addEventListener("click", () => globalThis.print());
}
