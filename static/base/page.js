// @ts-check
/** The page as a whole: its times in the phone's own zone and the reader's language, and loading it anew. */

const when = new Intl.DateTimeFormat(document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** Say times in the phone's own zone. @param {Document} page */
export function localTimes(page) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (page.querySelectorAll("time[data-local]"))) {
    time.textContent = when.format(new Date(time.dateTime));
  }
}

let leaving = false;
addEventListener("beforeunload", () => { leaving = true; });
addEventListener("pageshow", () => { leaving = false; });

/** Load this page anew, unless somebody is on the way to another. */
export function loadAnew() {
  if (!leaving) location.reload();
}
