// @ts-check
/** Buttons that copy the text of the page, or print the page. Without a secure connection the text is selected. */

const text = /** @type {HTMLInputElement | HTMLTextAreaElement | null} */ (document.querySelector("#link, #text"));
const copy = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-copy]"));

if (text && copy) copy.addEventListener("click", async () => {
  text.select();
  await navigator.clipboard?.writeText(text.value);
  if (navigator.clipboard || document.execCommand("copy")) copy.textContent = copy.dataset.done ?? "";
});
for (const print of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-print]"))) {
  print.hidden = false;
  print.addEventListener("click", () => globalThis.print());
}
