// @ts-check
/** The replay by keys and swipes: each step is a link of the page. */

const FAR = 40;
const KEYS = { ArrowRight: "next", ArrowLeft: "prev" };

/** @param {string | undefined} rel */
const follow = (rel) => /** @type {HTMLAnchorElement | null} */ (document.querySelector(`a[rel=${rel}][href]`))?.click();

addEventListener("keydown", ({ key, altKey, ctrlKey, metaKey }) => {
  if (altKey || ctrlKey || metaKey || !(key in KEYS)) return;
  follow(KEYS[/** @type {keyof typeof KEYS} */ (key)]);
});

let from = 0;
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
main.addEventListener("touchstart", ({ touches }) => (from = touches[0].clientX), { passive: true });
main.addEventListener("touchend", ({ changedTouches }) => {
  const by = changedTouches[0].clientX - from;
  if (Math.abs(by) > FAR) follow(by < 0 ? "next" : "prev");
}, { passive: true });

for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".steps a[href], .all-tricks a"))) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    location.replace(link.href);
  });
}

const share = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-share]"));
if (share) {
  share.hidden = !("share" in navigator);
  share.addEventListener("click", () => navigator.share({ title: share.dataset.share, url: location.href }).catch(() => {}));
}
