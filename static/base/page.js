// @ts-check
/** The page as a whole: its times in the phone's own zone and the reader's language, elements of its own, loading it anew, and a screen that stays on. */

const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
const hour = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit" });
const hours = new Intl.DateTimeFormat(language, hour), when = new Intl.DateTimeFormat(language, { weekday: "short", day: "numeric", month: "short", ...hour });

/** Say times in the phone's own zone. @param {Document} page */
export function localTimes(page) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (page.querySelectorAll("time[data-local]"))) {
    time.textContent = (time.dataset.local ? hours : when).format(new Date(time.dateTime));
  }
}

/** An element with its properties and what is in it. @param {string} name @param {object} [more] @param {(Node | string)[]} [inside] */
export function made(name, more = {}, inside = []) {
  const element = Object.assign(document.createElement(name), more);
  element.append(...inside);
  return element;
}

let leaving = false;
addEventListener("beforeunload", () => { leaving = true; });
/** A tap counts more than what was on the way before it, which may have been a file to keep. */
for (const event of ["pageshow", "click"]) addEventListener(event, () => { leaving = false; }, true);

/** Go on to what a script leads to, unless somebody is on the way to another page. @param {() => void} lead */
export function unlessLeaving(lead) {
  if (!leaving) lead();
}

/** Load this page anew, unless somebody is on the way to another. */
export const loadAnew = () => unlessLeaving(() => location.reload());

const wake = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});

/** Keep the screen on while this page is in sight; only a secure connection may ask for that. */
export function stayAwake() {
  document.addEventListener("visibilitychange", wake);
  wake();
}
