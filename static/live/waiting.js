// @ts-check
/** What waits on this phone, drawn into the page of its session: standings, sheet, chart and next deal as they will be, dashed, with the word. */
import { waitingOf, whenChanged } from "../base/queue.js";
import { amountOf, clear, instead, made } from "./drawing.js";
import { drawLines, svg } from "./pending_chart.js";
import { foresee, knownAt } from "./evening.js";

/** @typedef {ReturnType<typeof foresee>} Then */
/** @typedef {import("./evening.js").Booked} Booked */

/** What goes at once is not worth drawing. */
const SOON = 400;

const place = /** @type {HTMLAnchorElement} */ (document.getElementById("pending"));
const words = place.dataset;
const [, circle, session] = /circles\/([^/]+)\/sessions\/([^/]+)/.exec(place.href) ?? ["", "", ""];
const symbols = (document.querySelector("use")?.getAttribute("href") ?? "").split("#")[0];

/** What the page goes by, of the same version. */
async function read() {
  const known = await knownAt(place.pathname.replace(/ahead$/, "")), watch = /** @type {HTMLElement | null} */ (document.querySelector("[data-watch]"));
  return String(known?.version) === watch?.dataset.version ? known : undefined;
}

/** @param {string} symbol @param {string} label */
function icon(symbol, label) {
  const use = svg("use", { href: `${symbols}#${symbol}` });
  return svg("svg", { class: "icon", role: "img", "aria-label": label }, [use]);
}

/** Where pages without standings tell them. */
const standingsIn = () => /** @type {HTMLElement} */ (document.querySelector("#unsent [data-standings]"));

/** @param {Element} list @param {Then} then */
function drawStandings(list, { standings, next, deals, unknown, over }) {
  const copy = instead(list), items = new Map([...copy.children].map((item) => [item.getAttribute("data-seat"), item]));
  const last = deals.findLast(({ paid, voided }) => !voided && paid && Object.keys(paid).length)?.paid;
  const dealing = next?.terms.sides.find((side) => side.includes(next.dealer))?.[0];
  copy.replaceChildren(...standings.map(({ seat, place, balance, out }) => {
    const item = /** @type {Element} */ (items.get(String(seat))), [name, paid, sum] = [".name", ".last", ".balance"].map((part) => /** @type {Element} */ (item.querySelector(part)));
    /** @type {ChildNode} */ (item.querySelector(".place")?.lastChild).textContent = String(place);
    item.classList.toggle("leader", place === 1);
    item.classList.toggle("out", out);
    for (const old of name.querySelectorAll(".icon, .badge")) old.remove();
    if (out) name.append(made("b", words.gone, "badge"));
    if (seat === dealing) name.append(icon("dealer", words.next ?? ""));
    paid.replaceChildren(...last?.[seat] === undefined ? [] : [amountOf(last[seat])]);
    sum.replaceChildren(amountOf(balance));
    return item;
  }));
  const told = unknown.map((number) => (words.deal ?? "").replace("#", String(number))).join(", ");
  const lines = [made("p", told ? (standingsIn().dataset.unknown ?? "").replace("%s", told) : words.with, "fine"), ...over ? [made("p", over, "level")] : []];
  for (const line of lines) line.dataset.pending = "";
  copy.after(...lines);
}

/** @param {HTMLTableRowElement} line @param {Booked} deal @param {string[]} seats */
function fillRow(line, { paid, balances, voided }, seats) {
  const cells = [...line.cells].slice(1);
  seats.forEach((seat, at) => cells[at].replaceChildren(
    words.show === "balances" ? amountOf(balances[seat]) : paid ? amountOf(paid[seat], { voided }) : made("span", "?"),
  ));
}

/** What was done to a written deal waits. @param {HTMLTableRowElement} line @param {Booked} deal */
function markRow(line, { voided, told }) {
  const [head, ...cells] = line.cells, wide = /** @type {HTMLTableCellElement} */ (cells.pop());
  line.className = "pending";
  head.firstElementChild?.append(made("span", ` ${words.word}`, "sr"));
  if (voided) return;
  wide.textContent = told ?? "";
  for (const cell of cells) cell.className = "";
}

/** The sheet of an evening that has none, with the line of a deal. */
const blank = () => /** @type {Element} */ (/** @type {HTMLTemplateElement} */ (document.getElementById("blank-sheet")).content.firstElementChild?.cloneNode(true));

/** @param {Booked} deal @param {string[]} seats */
function newRow(deal, seats) {
  const line = /** @type {HTMLTableRowElement} */ (blank().querySelector("tbody tr"));
  line.cells[0].prepend(`${deal.number} `);
  line.cells[seats.length + 1].textContent = deal.told ?? "";
  fillRow(line, deal, seats);
  return line;
}

function newSheet() {
  const empty = document.querySelector(".sheet-section .empty");
  if (!empty) return; // as on the big screen
  const scroller = blank(), table = /** @type {HTMLTableElement} */ (scroller.querySelector("table"));
  table.tBodies[0].replaceChildren();
  instead(empty).replaceWith(scroller);
  return table;
}

/** @param {Then} then @param {string[]} seats in the order of the columns */
function drawSheet({ deals, standings }, seats) {
  const old = document.querySelector("table.sheet"), table = old ? /** @type {HTMLTableElement} */ (instead(old)) : newSheet();
  if (!table) return;
  const first = deals.find(({ waits }) => waits)?.number ?? 0, body = table.tBodies[0];
  for (const deal of deals) {
    const line = /** @type {HTMLTableRowElement | null} */ (body.querySelector(`[data-key="deal-${deal.number}"]`));
    if (deal.waits === "record" && words.show !== "older") body.prepend(newRow(deal, seats));
    if (!line || (!deal.waits && (words.show !== "balances" || deal.number < first))) continue;
    fillRow(line, deal, seats);
    if (deal.waits) markRow(line, deal);
  }
  const sums = new Map(standings.map(({ seat, balance }) => [String(seat), balance])), foot = table.tFoot?.rows[0].cells;
  if (foot) seats.forEach((seat, at) => foot[at + 1].replaceChildren(amountOf(sums.get(seat))));
  const key = document.querySelector(".sheet-section .key"), told = made("li", ` ${words.word}`);
  told.prepend(made("span", "±", "pending"));
  if (key) instead(key).prepend(told);
}

/** @param {Then["next"]} next @param {string[]} names */
function drawNext(next, names) {
  const dealer = document.querySelector(".bar .dealer, #next-deal"), link = document.querySelector(".bar #record"), start = document.querySelector(".bar .next a");
  if (!dealer) return;
  if (start) instead(start).remove();
  if (!next && link) instead(link).remove();
  const copy = instead(dealer);
  if (!next) copy.textContent = words.later ?? "";
  if (!next) return;
  const out = next.sits_out.filter((seat) => seat !== next.dealer).map((seat) => names[seat]);
  const told = [made("b", ((next.active.includes(next.dealer) ? words.deals : words.dealsOut) ?? "").replace("%s", names[next.dealer]))];
  if (out.length) told.push(made("span", ` · ${(words.out ?? "").replace("%s", out.join(", "))}`));
  if (next.times > 1) told.push(made("span", ` ${(words.times ?? "").replace("#", String(next.times))}`, "times"));
  copy.replaceChildren(.../** @type {Element[]} */ ([copy.querySelector(".icon"), ...told].filter(Boolean)));
  if (link) instead(link).textContent = (words.record ?? "").replace("#", String(next.number));
}

/** @param {Element} head of a column */
const named = (head, name = head.textContent?.trim() ?? "") => ({
  name,
  short: head.querySelector("[data-short]")?.getAttribute("data-short") ?? name,
  mark: head.querySelector(".mark")?.getAttribute("class")?.split(" ")[1] ?? "",
});

let drawing = 0;

async function draw() {
  const turn = drawing += 1;
  const acts = await waitingOf(circle, session), page = acts.length || !navigator.serviceWorker?.controller ? await read() : undefined;
  const list = document.querySelector(":is(.standings, .board ol):not([data-pending])");
  if (turn !== drawing) return;
  clear();
  if (!page || !acts.length || !list) return;
  const seats = Object.keys(page.sides), then = foresee(page, acts);
  if (!then.deals.some(({ waits }) => waits)) return;
  standingsIn().hidden = true;
  drawStandings(list, then);
  drawSheet(then, seats);
  drawNext(then.next, page.names);
  const chart = document.querySelector("figure.chart picture");
  if (chart) instead(chart).replaceWith(drawLines(then.deals, [...blank().querySelectorAll("[scope=col]")].map((one, at) => ({ seat: seats[at], ...named(one) })), words.word ?? "", symbols));
}

let timer = 0;
const soon = () => {
  clearTimeout(timer);
  timer = setTimeout(draw, SOON);
};
whenChanged(soon);
for (const event of ["taken", "sent"]) document.addEventListener(event, soon);
draw();
