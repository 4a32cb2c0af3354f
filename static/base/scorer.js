// @ts-check
/** On every page: the phone is in use today; times are local; a form that was refused shows where; pages are kept, where HTTPS allows it. */
import { localTimes } from "./page.js";

localTimes(document);

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

/** What is said of an answer is gone with the next one; where the form is judged as it is filled in, it comes again. */
addEventListener("input", ({ target }) => {
  const box = /** @type {HTMLElement} */ (target), asked = [box, box.closest("fieldset[aria-describedby]")];
  for (const id of asked.flatMap((one) => one?.getAttribute("aria-describedby")?.split(" ") ?? [])) {
    const problem = document.getElementById(id);
    if (problem?.matches("[data-problem]")) problem.hidden = true;
  }
  if (box.getAttribute("aria-invalid") === "true") box.setAttribute("aria-invalid", "false");
});

/** Let the service worker keep pages, this one among them. */
function keepPages() {
  const { serviceWorker } = navigator, trusted = /** @type {any} */ (globalThis).trustedTypes;
  const policy = trusted?.createPolicy("sw", { createScriptURL: (/** @type {string} */ address) => address });
  if (!serviceWorker.controller) serviceWorker.ready.then(({ active }) => active?.postMessage("adopt"));
  const worker = new URL("../../../worker.js", import.meta.url).href;
  serviceWorker.register(policy?.createScriptURL(worker) ?? worker).catch(() => {}); // a certificate that the phone does not trust
}

if (location.protocol === "https:" && navigator.serviceWorker) addEventListener("load", keepPages);
/** On the form once it is touched, so that it is there at once. */
const tellAway = () => import("./away.js").catch(() => {});
if (!navigator.serviceWorker?.controller && document.querySelector("form#record")) for (const event of ["input", "offline"]) addEventListener(event, tellAway);
else if (!navigator.serviceWorker?.controller) tellAway();
if (document.documentElement.dataset.kept) import("./kept.js");
/** A drawer closes when the focus leaves it for what lies below. */
addEventListener("focusin", ({ target }) => {
  const drawer = /** @type {HTMLElement | null} */ (document.querySelector(".drawer:is(:popover-open)"));
  if (!drawer?.contains(/** @type {Node} */ (target))) drawer?.hidePopover();
});
