// @ts-check
/** Send the link of a circle, or a text, with a picture where there is one. It needs a secure connection; without it the link is mailed. Copying and printing is that of `copy.js`. */
import { written } from "./copy.js";

const link = document.getElementById("link");
const send = /** @type {HTMLElement | null} */ (document.querySelector("[data-send]"));

/** The picture as a file, where the browser can send one. @param {string} address @returns {Promise<{ files?: File[] }>} */
async function withPicture(address) {
  const answer = await fetch(address);
  const files = [new File([await answer.blob()], "scorer.png", { type: "image/png" })];
  return answer.ok && navigator.canShare?.({ files }) ? { files } : {};
}

if (link && send) {
  const shares = "share" in navigator, { picture } = send.dataset;
  send.hidden = !shares && send.localName === "button";
  if (shares) send.addEventListener("click", async (event) => {
    event.preventDefault();
    const said = link.localName === "input" ? { text: send.dataset.send, url: written(link) } : { text: written(link) };
    const more = picture ? await withPicture(picture).catch(() => ({})) : {};
    navigator.share({ ...said, ...more }).catch(({ name }) => {
      if (name !== "AbortError" && send instanceof HTMLAnchorElement) location.assign(send.href);
    });
  });
}
