// @ts-check
/** The page as it is on the server now, taken in without loading anew: what is the same stays, with focus, scroll, folds and typing. */

import { localTimes, made } from "../base/page.js";

/** What a page consists of. */
export const PARTS = ["header.top", "#main"];
const SHOWN = 1_000;
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
const inHand = (form) => Boolean(form.closest("main :is(details[open], .drawer:popover-open)")) ||
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
  for (const one of [...old.childNodes]) if (!staying.has(one) && !held(one)) {
    if (one instanceof Element && one.matches("section, .room")) gap ??= { parent: old, next: one.nextElementSibling };
    one.remove();
  }
  let place = old.firstChild;
  for (const [next, same] of paired) {
    let there = place;
    while (there && there !== same && !(there instanceof Element && staying.has(there))) there = there.nextSibling;
    if (same && there === same) place = same.nextSibling;
    else {
      const come = old.insertBefore(same ?? document.importNode(next, true), place);
      if (!same && come instanceof HTMLElement && come.localName === "section") arrived.push(come);
    }
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
  const shown = (name && parent.querySelector(`:scope > [data-key="${name}"]`)) || parent.closest("td, .last, .balance");
  if (shown && !blank) changed.add(shown);
}

/** Hold the lowest thing that is seen in its place, whatever comes or goes above it. */
function hold() {
  const root = document.documentElement;
  root.classList.add("held");
  const floor = document.querySelector(".bar")?.getBoundingClientRect().top ?? innerHeight;
  const things = [...document.querySelectorAll("main :is([data-key], section, figure, a, button, summary)")].filter((one) => !one.closest(".bar"));
  const seen = things.map((one) => ({ one, top: one.getBoundingClientRect().top })).filter(({ one, top }) => top < floor && one.getClientRects().length);
  const lowest = seen.sort((one, other) => other.top - one.top);
  return () => {
    const held = lowest.find(({ one }) => one.isConnected);
    const moved = () => held ? held.one.getBoundingClientRect().top - held.top : 0;
    scrollBy({ top: moved(), behavior: "instant" });
    if (moved() < 0) fill(moved);
    requestAnimationFrame(() => root.classList.remove("held"));
    tellAbove();
  };
}

/** The sections that came last. @type {Element[]} */
let arrived = [];

const isAbove = () => arrived.some((one) => one.isConnected && one.getBoundingClientRect().top < 0);

/** Say in sight what came above it, and lead there. */
function tellAbove() {
  const text = document.querySelector("[data-said]")?.textContent;
  if (!text || !isAbove()) return;
  document.querySelector("button.above")?.remove();
  const way = made("button", { className: "above", textContent: text }), seen = new AbortController(), { signal } = seen;
  document.body.append(way);
  way.addEventListener("click", () => arrived[0].scrollIntoView({ block: "center", behavior: "instant" }));
  addEventListener("scroll", () => {
    if (isAbove()) return;
    way.remove();
    seen.abort();
  }, { signal });
}

/** Where a section was taken away first. @type {{parent: Element, next: Node | null} | undefined} */
let gap;

/** The page can't be scrolled up so far: what went leaves its room behind. @param {() => number} moved */
function fill(moved) {
  if (!gap) return;
  const room = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  room.setAttribute("class", "room");
  room.setAttribute("height", "0");
  gap.parent.insertBefore(room, gap.next?.parentNode === gap.parent ? gap.next : null);
  if (moved() < 0) room.setAttribute("height", String(-moved()));
  else room.remove();
}

/** @param {Iterable<Element>} changed */
function show(changed) {
  for (const one of changed) {
    one.classList.add("updated");
    setTimeout(() => one.classList.remove("updated"), SHOWN);
  }
}

/** The rows of the standings, by the seat that each is of. */
const places = () => new Map([.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-seat]"))].map((row) => [row.dataset.seat, row]));

/** Note where everybody stands; whoever stands elsewhere afterwards slides there. */
function slide() {
  const before = new Map([...places()].map(([seat, row]) => [seat, row.offsetTop]));
  return () => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [seat, row] of places()) {
      const way = (before.get(seat) ?? row.offsetTop) - row.offsetTop;
      if (way) row.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], { duration: 250, easing: "ease-out" });
    }
  };
}

/** @param {string} [address] @returns {Promise<Document | null>} */
export const fetchPage = (address = location.pathname + location.search) => new Promise((resolve) => {
  const request = new XMLHttpRequest(); // the policy lets no text become a document otherwise
  request.open("GET", address);
  request.responseType = "document";
  request.onload = () => resolve(request.status === 200 ? request.responseXML : null);
  request.onerror = () => resolve(null);
  request.send();
});

/** Take in what changed; say whether the page was to be had. */
export async function takeIn() {
  const page = await fetchPage();
  if (!page) return false;
  localTimes(page);
  const focused = document.activeElement, stay = hold(), arrive = slide();
  [gap, arrived] = [undefined, []];
  /** @type {Set<Element>} */
  const changed = new Set();
  for (const part of PARTS) {
    const old = document.querySelector(part), now = page.querySelector(part);
    if (old && now) take(old, now, changed);
  }
  document.title = page.title;
  if (focused instanceof HTMLElement && focused !== document.activeElement) {
    (focused.isConnected ? focused : document.getElementById("main"))?.focus({ preventScroll: true });
  }
  stay();
  arrive();
  show(changed);
  return true;
}
