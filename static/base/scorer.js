// @ts-check
/** On every page: the phone is in use today; times in the phone's own zone and the reader's language; a form that was refused shows where; no page takes somebody back who is leaving it; pages are kept, where HTTPS allows it. */

const when = new Intl.DateTimeFormat(document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** Say times in the phone's own zone. @param {Document} page */
export function localTimes(page) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (page.querySelectorAll("time[data-local]"))) {
    time.textContent = when.format(new Date(time.dateTime));
  }
}
localTimes(document);

let leaving = false;
addEventListener("beforeunload", () => { leaving = true; });
addEventListener("pageshow", () => { leaving = false; });

/** Load this page anew, unless somebody is on the way to another. */
export function loadAnew() {
  if (!leaving) location.reload();
}

const used = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-used]"));
if (used) navigator.sendBeacon(used.action, new FormData(used));

const wrong = /** @type {HTMLElement | null} */ (document.querySelector("main [data-problem]:not([hidden])"));

/** The first control that can be seen of what is wrong, or what is said of it. @param {HTMLElement} problem */
function control(problem) {
  const asked = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(`[aria-describedby~="${problem.id}"]`)]);
  const inputs = asked.flatMap((one) => one.matches("fieldset") ? [.../** @type {NodeListOf<HTMLElement>} */ (one.querySelectorAll("input, select, textarea, button"))] : [one]);
  const seen = inputs.filter((one) => one.checkVisibility() && !one.matches(":disabled, [type=hidden]"));
  return seen.find((one) => one.matches("[aria-invalid=true]")) ?? seen[0] ?? problem;
}

if (wrong) {
  for (let fold = wrong.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
  const first = control(wrong);
  if (first === wrong) wrong.tabIndex = -1;
  first.focus({ preventScroll: true });
  wrong.scrollIntoView({ block: "center" });
}

/** Let the service worker keep pages, this one among them. */
function keepPages() {
  const { serviceWorker } = navigator, trusted = /** @type {any} */ (globalThis).trustedTypes;
  const policy = trusted?.createPolicy("sw", { createScriptURL: (/** @type {string} */ address) => address });
  if (!serviceWorker.controller) serviceWorker.ready.then(({ active }) => active?.postMessage("adopt"));
  const worker = new URL("../../../worker.js", import.meta.url).href;
  serviceWorker.register(policy?.createScriptURL(worker) ?? worker).catch(() => {}); // a certificate that the phone does not trust
}

if (location.protocol === "https:" && navigator.serviceWorker) addEventListener("load", keepPages);
if (document.documentElement.dataset.kept) import("./kept.js");
