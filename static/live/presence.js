// @ts-check
/** Who is here, who of them has the pen, and who is writing a deal down: said anew in the page where it changes. */
import { made } from "../base/page.js";

/** @typedef {{id: string, phone: string, player: string | null, role: string, writes: number | null}} Person */

/** @param {string} selector */
const part = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector));

/** @param {Person} person */
const called = ({ player, phone }) => player ?? (part("#writing")?.dataset.phone ?? "").replace("#", phone);

/** Change what is said only where it is something else: a screen reader says it again. @param {HTMLElement | null} place @param {string} text */
function say(place, text) {
  if (place && place.textContent?.trim() !== text) place.textContent = text;
}

/** @param {Person[]} here */
function list(here) {
  const person = /** @type {HTMLTemplateElement | null} */ (part("#presence template"))?.content.firstElementChild;
  if (!person) return;
  const items = here.map((one) => {
    const item = /** @type {HTMLElement} */ (person.cloneNode(true));
    say(item.querySelector("span"), called(one));
    if (!["owner", "scorekeeper"].includes(one.role)) item.querySelector("svg")?.remove();
    return item;
  });
  part("#presence [data-present]")?.replaceChildren(...items);
}

/** Who could take the pen; nobody is moved away from under a thumb. @param {Person[]} takers */
function offer(takers) {
  const fold = /** @type {HTMLDetailsElement | null} */ (part("#presence details"));
  if (!fold || fold.open) return;
  fold.hidden = !takers.length;
  const chip = { className: "name-chip", name: "phone_id" };
  fold.querySelector(".known")?.replaceChildren(...takers.map((one) => made("button", { ...chip, value: one.id, textContent: called(one) })));
}

/** @param {{here: Person[], more: number}} present */
export function meet({ here, more }) {
  const place = part("#writing"), rest = part("#presence [data-more]");
  const writing = here.filter(({ writes }) => writes);
  say(place, writing.map((one) => (place?.dataset.writing ?? "").replace("#", String(one.writes)).replace("@", () => called(one))).join(" · "));
  list(here);
  offer(here.filter(({ role }) => role === "player"));
  if (rest) {
    rest.hidden = !more;
    say(rest, more ? (rest.dataset.more ?? "").replace("#", String(more)) : "");
  }
}
