// @ts-check
/** Where no service worker answers for a network that is away, the page says so before the browser does. */
import { made } from "./page.js";

const PATIENCE = 3_000;
const SHOWN = 6_000;

const { closed = "" } = /** @type {HTMLElement} */ (document.getElementById("kept")).dataset;
let doubt = false, timer = 0;

/** @param {string} text */
function tell(text) {
  document.getElementById("away")?.remove();
  const notice = made("p", { id: "away", className: "notice", role: "alert", textContent: text });
  document.body.append(notice);
  clearTimeout(timer);
  timer = setTimeout(() => notice.remove(), SHOWN);
}

const answers = () => fetch(new URL("../../../health/live", import.meta.url), { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).then(() => true, () => false);

/** @param {MouseEvent} event */
async function follow(event) {
  const link = /** @type {Element} */ (event.target).closest("a"), plain = !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || event.defaultPrevented || !plain || navigator.onLine && !doubt) return;
  if (link.origin !== location.origin || link.target || link.dataset.turnTo || link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  doubt = !await answers();
  if (!doubt) location.assign(link.href);
  else if (link.dispatchEvent(new CustomEvent("unreachable", { bubbles: true, cancelable: true }))) tell(closed);
}

document.addEventListener("click", follow);
document.addEventListener("away", () => { doubt = true; });
