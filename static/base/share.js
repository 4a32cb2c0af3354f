// @ts-check
/** Copy, send or print the link of a circle, or a text, with a picture where there is one. The first two need a secure connection; without it the link is selected, or mailed. */

const link = /** @type {HTMLInputElement | HTMLTextAreaElement | null} */ (document.getElementById("link"));
const copy = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-copy]"));
const send = /** @type {HTMLElement | null} */ (document.querySelector("[data-send]"));
const print = document.querySelector("[data-print]");

/** The picture as a file, where the browser can send one. @param {string} address @returns {Promise<{ files?: File[] }>} */
async function withPicture(address) {
  const answer = await fetch(address);
  const files = [new File([await answer.blob()], "scorer.png", { type: "image/png" })];
  return answer.ok && navigator.canShare?.({ files }) ? { files } : {};
}

if (link && copy && send) {
  copy.addEventListener("click", async () => {
    link.select();
    await navigator.clipboard?.writeText(link.value);
    if (navigator.clipboard || document.execCommand("copy")) copy.textContent = copy.dataset.done ?? "";
  });
  const shares = "share" in navigator, { picture } = send.dataset;
  send.hidden = !shares && send.localName === "button";
  if (shares) send.addEventListener("click", async (event) => {
    event.preventDefault();
    const said = link.localName === "textarea" ? { text: link.value } : { text: send.dataset.send, url: link.value };
    const more = picture ? await withPicture(picture).catch(() => ({})) : {};
    navigator.share({ ...said, ...more }).catch(() => {});
  });
  print?.addEventListener("click", () => globalThis.print());
}
