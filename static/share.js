// @ts-check
/** Copy, send or print the link of a circle, or a text. The first two need a secure connection; without it the link is selected, or mailed. */

const link = /** @type {HTMLInputElement | HTMLTextAreaElement | null} */ (document.getElementById("link"));
const copy = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-copy]"));
const send = /** @type {HTMLElement | null} */ (document.querySelector("[data-send]"));
const print = document.querySelector("[data-print]");

if (link && copy && send) {
  copy.addEventListener("click", async () => {
    link.select();
    await navigator.clipboard?.writeText(link.value);
    if (navigator.clipboard || document.execCommand("copy")) copy.textContent = copy.dataset.done ?? "";
  });
  const shares = "share" in navigator;
  send.hidden = !shares && send.localName === "button";
  if (shares) send.addEventListener("click", (event) => {
    event.preventDefault();
    const said = link.localName === "textarea" ? { text: link.value } : { text: send.dataset.send, url: link.value };
    navigator.share(said).catch(() => {});
  });
  print?.addEventListener("click", () => globalThis.print());
}
