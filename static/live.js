// @ts-check
/** The page as it is on the server now, taken in without loading anew: what is the same stays, with focus, scroll, folds and typing. */

import { localTimes } from "./scorer.js";

const SHOWN = 2_500;
const TYPED = "input:not([type=hidden]), textarea, select";

/** What a node is among its siblings. @param {Node} one */
function key(one) {
  if (!(one instanceof Element)) return one.nodeName;
  const names = ["id", "data-key", "aria-labelledby", "aria-label", "action", "class"];
  return [one.localName, names.map((name) => one.getAttribute(name)).find(Boolean)].join(" ");
}

/** Whether somebody changed what a box of a form came with. @param {Element} one */
export const typedIn = (one) =>
  one instanceof HTMLInputElement ? (["checkbox", "radio"].includes(one.type) ? one.checked !== one.defaultChecked : one.value !== one.defaultValue)
    : one instanceof HTMLTextAreaElement ? one.value !== one.defaultValue
      : one instanceof HTMLSelectElement && [...one.options].some((option) => option.selected !== option.defaultSelected);

/** @param {Element} form */
const inHand = (form) => Boolean(form.closest("main details[open]")) ||
  [...form.querySelectorAll(TYPED)].some((input) => typedIn(input) || input === document.activeElement);

/** Whether somebody is in the middle of a form here, which is then left alone, with the section that says what it is about. @param {Node} one */
const held = (one) => one instanceof Element && (one.matches("form") ? inHand(one) : [...one.querySelectorAll("form")].some(inHand));

/** @param {Element} old @param {Element} now */
function takeAttributes(old, now) {
  const own = /** @param {string} name */ (name) => name === "open" && old.localName === "details";
  for (const { name } of [...old.attributes]) if (!now.hasAttribute(name) && !own(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value && !own(name)) old.setAttribute(name, value);
}

/**
 * Which child of the old element each child of the new one is.
 * @param {Element} old @param {Element} now
 */
function pairs(old, now) {
  const known = /** @type {Map<string, ChildNode[]>} */ (new Map());
  for (const one of old.childNodes) known.set(key(one), [...known.get(key(one)) ?? [], one]);
  return new Map([...now.childNodes].map((next) => [next, known.get(key(next))?.shift()]));
}

/**
 * Make an element what another one is. What stays is not moved, so that it keeps the focus.
 * @param {Element} old @param {Element} now @param {Set<Element>} changed
 */
function take(old, now, changed) {
  if (old.isEqualNode(now) || old.matches("[data-said]") || (old.matches("form, section") && held(old))) return;
  takeAttributes(old, now);
  const paired = pairs(old, now), staying = new Set(paired.values());
  for (const one of [...old.childNodes]) if (!staying.has(one) && !held(one)) one.remove();
  let place = old.firstChild;
  for (const [next, same] of paired) {
    let there = place;
    while (there && there !== same && !(there instanceof Element && staying.has(there))) there = there.nextSibling;
    if (same && there === same) place = same.nextSibling;
    else old.insertBefore(same ?? document.importNode(next, true), place);
    if (same instanceof Element) take(same, /** @type {Element} */ (next), changed);
    else if (same?.nodeValue !== next.nodeValue || !same) tell(same, next, old, changed);
  }
}

/**
 * Note where a reader sees something new.
 * @param {ChildNode | undefined} same @param {ChildNode} next @param {Element} parent @param {Set<Element>} changed
 */
function tell(same, next, parent, changed) {
  const blank = !(same?.nodeValue ?? "").trim() && !(next.textContent ?? "").trim();
  if (same) same.nodeValue = next.nodeValue;
  const name = next instanceof Element ? next.getAttribute("data-key") : null;
  const shown = (name && parent.querySelector(`:scope > [data-key="${name}"]`)) || parent.closest("[data-key]");
  if (shown && !blank) changed.add(shown);
}

/** The first thing that is seen, to be held in its place where the browser doesn't do it. */
function anchor() {
  if (CSS.supports("overflow-anchor", "auto") || !scrollY) return () => {};
  const seen = [...document.querySelectorAll("main [data-key]")].find((one) => one.getBoundingClientRect().top >= 0);
  const before = seen?.getBoundingClientRect().top ?? 0;
  return () => seen?.isConnected && scrollBy(0, seen.getBoundingClientRect().top - before);
}

/** @param {Iterable<Element>} changed */
function show(changed) {
  for (const one of changed) {
    one.classList.add("updated");
    setTimeout(() => one.classList.remove("updated"), SHOWN);
  }
}

/** @returns {Promise<Document | null>} */
const fetchPage = () => new Promise((resolve) => {
  const request = new XMLHttpRequest(); // the policy lets no text become a document otherwise
  request.open("GET", location.pathname + location.search);
  request.responseType = "document";
  request.onload = () => resolve(request.status === 200 ? request.responseXML : null);
  request.onerror = () => resolve(null);
  request.send();
});

/** Take in what changed; say whether the page was to be had. @param {string[]} parts */
export async function takeIn(parts) {
  const page = await fetchPage();
  if (!page) return false;
  localTimes(page);
  const focused = document.activeElement, stay = anchor();
  /** @type {Set<Element>} */
  const changed = new Set();
  for (const part of parts) {
    const old = document.querySelector(part), now = page.querySelector(part);
    if (old && now) take(old, now, changed);
  }
  document.title = page.title;
  if (focused instanceof HTMLElement && focused !== document.activeElement) {
    (focused.isConnected ? focused : document.getElementById("main"))?.focus({ preventScroll: true });
  }
  stay();
  show(changed);
  return true;
}
