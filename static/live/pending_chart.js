// @ts-check
/** The chart's last points with those that wait: lines as attributes only, which the policy allows. */
import { signed } from "../base/queue.js";

const WIDTH = 360, HEIGHT = 240, LEFT = 12, MARK = 22, TOP = 28, FOOT = 24, ROW = 17;
const MOST = 12;

/** @typedef {import("./evening.js").Booked} Booked */
/** @typedef {{seat: string, name: string, short: string, mark: string}} Line */

/** @param {string} name @param {Record<string, string | number>} attributes @param {(Element | string)[]} [inside] */
export function svg(name, attributes, inside = []) {
  const one = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, String(value));
  one.append(...inside);
  return one;
}

/** The width of the widest text, as the style sheet sets it. @param {string[]} texts */
function widest(texts) {
  const { fontFamily } = getComputedStyle(document.body), { fontSize } = getComputedStyle(document.documentElement);
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  pen.font = `${0.75 * parseFloat(fontSize)}px ${fontFamily}`;
  return Math.max(...texts.map((text) => pen.measureText(text).width));
}

/** Heights far enough from each other, in their order. @param {number[]} heights */
export function apart(heights) {
  const order = [...heights.keys()].sort((one, other) => heights[one] - heights[other]), spread = [...heights];
  order.forEach((at, place) => { if (place) spread[at] = Math.max(spread[at], spread[order[place - 1]] + ROW); });
  const over = Math.max(0, Math.max(...spread) - (HEIGHT - 4));
  order.toReversed().forEach((at, place, all) => { spread[at] = place ? Math.min(spread[at], spread[all[place - 1]] - ROW) : spread[at] - over; });
  return spread;
}

/** @param {Booked[]} deals @param {Line[]} lines @param {string} word @param {string} symbols where the marks are */
export function drawLines(deals, lines, word, symbols) {
  const shown = deals.slice(-MOST), sums = shown.flatMap(({ balances }) => lines.map(({ seat }) => balances[seat])), high = Math.max(0, ...sums), low = Math.min(0, ...sums);
  const ends = shown.at(-1)?.balances ?? {}, labels = lines.map(({ seat, short }) => `${short} ${signed(ends[seat])}`), right = WIDTH - MARK - widest(labels) - 4;
  const across = (/** @type {number} */ at) => LEFT + at * (right - LEFT) / Math.max(1, shown.length - 1);
  const down = (/** @type {number} */ sum) => TOP + (high - sum) * (HEIGHT - TOP - FOOT) / Math.max(1, high - low);
  const stands = Math.max(0, shown.findIndex(({ waits }) => waits) - 1);
  const heights = apart(lines.map(({ seat }) => down(ends[seat]) + 4));
  const path = (/** @type {string} */ seat, /** @type {number} */ from, /** @type {number} */ to) =>
    shown.slice(from, to).map(({ balances }, at) => `${across(from + at)},${down(balances[seat])}`).join(" ");
  const drawn = lines.map(({ seat, mark }, at) => svg("g", { class: mark }, [
    svg("polyline", { points: path(seat, 0, stands + 1) }),
    svg("polyline", { points: path(seat, stands, shown.length), "stroke-dasharray": "5 4" }),
    svg("use", { href: `${symbols}#${mark.replace("seat", "mark")}`, x: right + 8, y: heights[at] - 9, width: 10, height: 10 }),
    svg("text", { x: right + MARK, y: heights[at] }, [labels[at]]),
  ]));
  const numbers = shown.map(({ number }, at) => svg("text", { x: across(at), y: HEIGHT - 6, "text-anchor": "middle" }, [String(number)]));
  const zero = svg("line", { x1: LEFT, x2: right, y1: down(0), y2: down(0) });
  const text = lines.map(({ seat, name }) => `${name} ${signed(ends[seat])}`).join(", ");
  return svg("svg", { class: "pending-chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${word}: ${text}`, "data-pending": "" }, [
    zero, ...numbers, svg("text", { x: right, y: 16, "text-anchor": "end" }, [`- - ${word}`]), ...drawn,
  ]);
}
