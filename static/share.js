// @ts-check
/** Copy or send the link of a circle. Both need a secure connection; without it the link is selected. */

const link = /** @type {HTMLInputElement | null} */ (document.getElementById("link"));
const copy = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-copy]"));
const send = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-send]"));

if (link && copy && send) {
  copy.addEventListener("click", async () => {
    link.select();
    await navigator.clipboard?.writeText(link.value);
    if (navigator.clipboard || document.execCommand("copy")) copy.textContent = copy.dataset.done ?? "";
  });
  send.hidden = !("share" in navigator);
  send.addEventListener("click", () => navigator.share({ text: send.dataset.send, url: link.value }).catch(() => {}));
}
