// @ts-check
/** What waits on this phone, on pages that list sessions: what each comes to with it, dashed, and the way to it. Home, which is of no circle, sends it too. */
import { loadAnew, made as element } from "../base/page.js";
import { everyAct, markApp, summaryOf, whenChanged } from "../base/queue.js";
import { delivered, deliver } from "../base/sending.js";
import { amountOf, clear, instead, made } from "./drawing.js";
import { foresee, knownAt } from "./evening.js";

/** @typedef {import("../base/queue.js").Act} Act */

const AGAIN = 5_000;
const SESSION = /^.*\/circles\/[^/]+\/sessions\/[^/]+\//;

const words = /** @type {HTMLElement} */ (document.getElementById("waits")).dataset;
const atHome = !document.getElementById("unsent");

/** The page of its session. @param {Act} act */
const pathOf = ({ action }) => SESSION.exec(new URL(action, location.href).pathname)?.[0] ?? "";

/** What waits, by the page of its session. @param {Act[]} acts */
function bySession(acts) {
  const found = /** @type {Map<string, Act[]>} */ (new Map());
  for (const act of acts) found.set(pathOf(act), [...found.get(pathOf(act)) ?? [], act]);
  return found;
}

/** What waits, and the way to it. @param {string} href @param {Act[]} acts @param {string} [told] of what it is not in */
function noteOf(href, acts, told = "#") {
  const { asks, line } = summaryOf(words, acts, "");
  const note = element("a", { href, className: asks.length ? "unsent-note asks" : "unsent-note", textContent: told.replace("#", line) });
  note.dataset.pending = "";
  return note;
}

/** @param {Element} list the balances on a card @param {import("./evening.js").Known} known @param {Act[]} acts */
function drawBalances(list, known, acts) {
  const { deals, standings } = foresee(known, acts);
  if (!deals.some(({ waits }) => waits)) return list;
  const copy = instead(list), burden = list.closest(".unsigned") !== null, items = new Map([...copy.children].map((item) => [item.getAttribute("data-seat"), item]));
  for (const { seat, balance } of standings) {
    const item = items.get(String(seat));
    item?.querySelector("b")?.replaceChildren(amountOf(balance, { burden }));
    if (item) copy.append(item);
  }
  const told = made("p", words.with, "fine");
  told.dataset.pending = "";
  copy.after(told);
  return told;
}

let drawing = 0;

async function draw() {
  const turn = drawing += 1, waits = bySession(await everyAct());
  const known = new Map(await Promise.all([...waits.keys()].map(async (path) => /** @type {const} */ ([path, await knownAt(path)]))));
  if (turn !== drawing) return;
  clear();
  const standings = document.querySelector(".lifelong"), here = /\/circles\/[^/]+\//.exec(location.pathname)?.[0];
  for (const [path, own] of waits) if (standings && here && path.includes(here)) standings.after(noteOf(path, own, words.without));
  for (const card of document.querySelectorAll(".session-card")) {
    const { pathname: path } = /** @type {HTMLAnchorElement} */ (card.querySelector("a[data-keep]")), list = /** @type {Element} */ (card.querySelector(".seats"));
    const own = waits.get(path), knows = known.get(path);
    if (own) (knows ? drawBalances(list, knows, own) : list).after(noteOf(path, own));
    waits.delete(path);
  }
  if (atHome) document.getElementById("waits")?.after(...[...waits].map(([path, own]) => noteOf(path, own)));
}

let timer = 0;

/** Send what waits, of one circle after the other; a page of what was before is loaded anew. */
async function send() {
  clearTimeout(timer);
  for (const circle of new Set((await everyAct()).filter(({ state }) => !state).map((act) => act.circle))) await deliver(circle);
  if (delivered.size) return loadAnew();
  timer = (await everyAct()).some(({ state }) => !state) ? setTimeout(send, AGAIN) : 0;
}

const soon = () => {
  draw();
  if (atHome) markApp();
};
whenChanged(soon);
document.addEventListener("taken", soon);
soon();
if (atHome) {
  addEventListener("online", send);
  send();
}
