// @ts-check
/** Where no service worker keeps pages, the page of a session has its record form in memory: it opens without a network, and Back leads here again. */
import { fetchPage, PARTS } from "./live.js";

/** What a page consists of, and its own address. @typedef {{address: string, title: string, className: string, parts: Element[]}} Shown */

const session = location.pathname;
/** @type {Document | null} */
let fetched = null;
/** @type {Shown | undefined} */
let form;
/** @type {Shown | undefined} */
let here;
/** Once its script has found the form in the page. */
let ready = Promise.resolve();

/** The script of the form with what it imports, so that the browser has them. @param {string} address @param {Set<string>} [seen] */
async function warm(address, seen = new Set()) {
  if (seen.has(address)) return;
  seen.add(address);
  const text = await fetch(address).then((reply) => reply.text(), () => "");
  await Promise.all([...text.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)].map(([, name]) => warm(new URL(name, address).href, seen)));
}

const script = () => /** @type {HTMLScriptElement | null} */ (fetched?.querySelector('script[src*="/deals/"]'))?.src;

async function remember() {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a#record"));
  if (!link || form) return;
  fetched = await fetchPage(link.pathname) ?? fetched;
  if (script()) await warm(script() ?? "");
}

/** @param {Shown} shown */
function put({ title, className, parts }) {
  PARTS.forEach((part, at) => document.querySelector(part)?.replaceWith(parts[at]));
  [document.title, document.body.className] = [title, className];
  scrollTo(0, 0);
  document.dispatchEvent(new Event("taken"));
}

/** @param {string} address @param {Document} page @returns {Shown} */
const shownIn = (address, page) => ({
  address, title: page.title, className: page.body.className,
  parts: PARTS.map((part) => /** @type {Element} */ (page === document ? page.querySelector(part) : document.importNode(/** @type {Element} */ (page.querySelector(part)), true))),
});

/** @param {string} address of the form */
function open(address) {
  const begun = Boolean(form);
  here = shownIn(session, document);
  form ??= shownIn(address, /** @type {Document} */ (fetched));
  history.pushState(null, "", address);
  put(form);
  if (!begun) ready = import(script() ?? "").catch(() => {});
}

document.addEventListener("unreachable", (event) => {
  const { pathname } = /** @type {HTMLAnchorElement} */ (event.target);
  if (pathname === session && location.pathname !== session) history.back();
  else if (pathname.endsWith("/record") && location.pathname === session && (form || script())) open(pathname);
  else return;
  event.preventDefault();
});
addEventListener("popstate", async () => {
  await ready;
  const shown = location.pathname === session ? here : form;
  if (shown && !shown.parts[0].isConnected) put(shown);
});
document.addEventListener("taken", remember);
remember();
