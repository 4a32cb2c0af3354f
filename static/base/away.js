// @ts-check
/** Where no service worker answers for a network that is away, the page says so by itself, and of a link before the browser does. */
import { ageOf } from "./age.js";
import { made } from "./page.js";

const PATIENCE = 3_000, SHORT = 800;
const SHOWN = 6_000;

const { closed = "", asOf = "" } = /** @type {HTMLElement} */ (document.getElementById("kept")).dataset;
const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
let doubt = false, timer = 0, closing = 0;
/** Since when the page says that the network is away. @type {Date | undefined} */
let since;

/** Say it above what is done on this page, in its place: nothing lies over it. @param {string} text @param {"alert" | "status"} role */
function tell(text, role) {
  document.getElementById("away")?.remove();
  const notice = made("p", { id: "away", className: "notice", role, textContent: text }), bar = document.querySelector(".bar");
  if (bar) bar.prepend(notice);
  else document.body.append(notice);
}

/** Say of when the page is, or nothing; what was said of a link is read first. */
function tellAge() {
  clearTimeout(timer);
  if (closing) return;
  if (!since) return document.getElementById("away")?.remove();
  tell(asOf.replace("%s", ageOf(since, new Date(), language)), "status");
  timer = setTimeout(tellAge, 60_000);
}

/** @param {number} patience */
const answers = (patience) => fetch(new URL("../../../health/live", import.meta.url), { cache: "no-store", signal: AbortSignal.timeout(patience) }).then(() => true, () => false);

/** @param {MouseEvent} event */
async function follow(event) {
  const link = /** @type {Element} */ (event.target).closest("a"), plain = !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || event.defaultPrevented || !plain || navigator.onLine && !doubt) return;
  if (link.origin !== location.origin || link.target || link.dataset.turnTo || link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  doubt = !await answers(PATIENCE);
  if (!doubt) return location.assign(link.href);
  if (!link.dispatchEvent(new CustomEvent("unreachable", { bubbles: true, cancelable: true }))) return;
  tell(closed, "alert");
  clearTimeout(closing);
  closing = setTimeout(ended, SHOWN);
}

function ended() {
  clearTimeout(closing);
  closing = 0;
  tellAge();
}

document.addEventListener("click", follow);
document.addEventListener("away", async () => {
  doubt = true;
  const before = since ?? new Date();
  if (await answers(SHORT) || !doubt) return;
  since = before;
  tellAge();
});
document.addEventListener("taken", tellAge);
document.addEventListener("back", () => {
  doubt = false;
  since = undefined;
  ended();
});
