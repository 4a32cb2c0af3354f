// @ts-check
/** What a deal of Briscola Chiamata pays by a score table, and whether its counts agree, for a phone that can't ask the server. */

const PACK = 120;
/** What a bid of a rank counts as, and the bid on which a draw can be. */
const LEAST = 61;
const MOST_TIMES = 100;
const IMPOSSIBLE = [1, 119];

/** @typedef {{caller: number, partner: number, defender: number, alone: number, against_alone: number}} Weights */
/**
 * @typedef {object} Pay
 * @property {string} kind
 * @property {[number, number][]} bands
 * @property {Weights} made
 * @property {Weights} missed
 * @property {{test: string, side: string, op: string, value: number} | null} cappotto
 * @property {number} blind
 * @property {number} floor
 * @property {[number, number][]} held the least and most card points that a side can have, by its tricks
 * @property {{card_points: number, times: number} | null} draw
 * @property {boolean} compound
 */
/**
 * @typedef {object} Sheet a partner of null: the caller was alone; points of null: a rank was bid
 * @property {number} caller
 * @property {number | null} partner
 * @property {number | null} points
 * @property {number | null} card_points
 * @property {boolean | null} made
 * @property {number | null} tricks_won
 * @property {boolean | null} cappotto
 * @property {boolean} blind
 * @property {number} times
 */
/** @typedef {{made?: boolean | null, paid: Record<string, number>, times: number, again?: boolean}} Paid `times` is how often the next deal counts, `again` whether the same dealer deals it */

/** @param {Pay} pay @param {Sheet} sheet */
const target = (pay, { points }) => points === null ? pay.floor : Math.max(pay.floor, points);

/** @param {Pay} pay @param {Sheet} sheet */
const isDrawn = (pay, sheet) => pay.draw !== null && target(pay, sheet) === LEAST && sheet.card_points === pay.draw.card_points;

/** The card points of the sheet or, uncounted, those that its tricks allow. @param {Pay} pay @param {Sheet} sheet */
function countedPoints(pay, { card_points, tricks_won }) {
  if (card_points !== null) return [card_points];
  const [low, high] = pay.held[tricks_won ?? -1] ?? [0, PACK];
  return Array.from({ length: high - low + 1 }, (_, more) => low + more).filter((points) => !IMPOSSIBLE.includes(points));
}

/** Those that agree with the result; none where it contradicts the counts. @param {Pay} pay @param {Sheet} sheet */
function pointsTaken(pay, sheet) {
  const { made } = sheet, needed = target(pay, sheet), counted = countedPoints(pay, sheet);
  if (made === null) return counted;
  return counted.filter((card_points) => !isDrawn(pay, { ...sheet, card_points }) && (card_points >= needed) === made);
}

/** Whether one side took everything by the test of the table, where the sheet tells. @param {Pay} pay @param {Sheet} sheet */
function tookEverything(pay, sheet) {
  const { tricks_won } = sheet, byTricks = pay.cappotto?.test === "all-tricks";
  if (byTricks && tricks_won !== null) return tricks_won === 0 || tricks_won === pay.held.length - 1;
  const taken = pointsTaken(pay, sheet);
  const everything = (taken.length ? taken : countedPoints(pay, sheet)).map((points) => points === 0 || points === PACK);
  if (!everything.includes(true)) return false;
  return byTricks || everything.includes(false) ? null : true;
}

/** The question whose answer contradicts the others about the end of the deal. @param {Pay} pay @param {Sheet} sheet */
export function contradicted(pay, sheet) {
  const { card_points, tricks_won, cappotto } = sheet, held = tricks_won === null ? [0, PACK] : pay.held[tricks_won];
  if (sheet.points === null && !pay.floor) return "bid";
  if (!pointsTaken(pay, sheet).length) return "made";
  if (!held) return "tricks_won";
  if (card_points !== null && (card_points < held[0] || card_points > held[1])) return "card_points";
  const counts = pay.cappotto && tookEverything(pay, sheet);
  return cappotto !== null && counts !== null && cappotto !== counts ? "cappotto" : null;
}

/**
 * Seven numbers round the target, the likeliest results: just missed, just made, and round ones.
 * @param {number} target @param {boolean} ofOthers whether the pile of the others is counted
 */
export function likelyPoints(target, ofOthers) {
  const below = 5 * Math.floor((target - 2) / 5);
  const above = 5 * Math.ceil((target + 1) / 5);
  const near = [target, target - 1, above, below, above + 5, below - 10, above + 15];
  const lower = [below - 5, below - 15, below - 20, below - 25];
  const lawful = [...near, ...lower].filter((points) => points >= 0 && points <= PACK && !IMPOSSIBLE.includes(points));
  const seven = lawful.slice(0, 7).sort((one, other) => one - other);
  return ofOthers ? seven.map((points) => PACK - points).reverse() : seven;
}

/** What a weight of 1 is paid. @param {Pay} pay @param {Sheet} sheet @param {boolean} made */
function unit(pay, sheet, made) {
  const { cappotto } = pay, bid = sheet.points ?? LEAST;
  let unit = pay.bands.findLast(([lowest]) => lowest <= bid)?.[1] ?? 0;
  const counts = tookEverything(pay, sheet) ?? Boolean(sheet.cappotto);
  if (cappotto && counts && (cappotto.side === "both" || made && pointsTaken(pay, sheet).includes(PACK))) {
    const { op, value } = cappotto;
    unit = op === "set" ? value : op === "add" ? unit + value : unit * value;
  }
  return unit;
}

/** What the caller's side and the others are paid, where the points that were bid are paid themselves. @param {Pay} pay @param {Sheet} sheet @param {boolean} made */
function declared(pay, sheet, made) {
  const bid = sheet.points ?? LEAST, taken = sheet.card_points ?? 0;
  if (made) return sheet.partner === null ? [2 * bid, 0, 0] : [bid, bid, 0];
  const short = taken - target(pay, sheet);
  return [short, short, PACK - taken];
}

/** @param {Pay} pay @param {Sheet} sheet @param {boolean} made */
function byRole(pay, sheet, made) {
  const weights = made ? pay.made : pay.missed, one = (made ? 1 : -1) * unit(pay, sheet, made);
  if (sheet.partner === null) return [weights.alone * one, 0, -weights.against_alone * one];
  return [weights.caller * one, weights.partner * one, -weights.defender * one];
}

/** @param {Pay} pay @param {Sheet} sheet @param {number[]} seats @returns {Paid} */
export function paidFor(pay, sheet, seats) {
  if (isDrawn(pay, sheet)) {
    const more = pay.draw?.times ?? 1;
    const times = pay.compound ? sheet.times * more : Math.max(sheet.times, more);
    return { made: null, paid: Object.fromEntries(seats.map((seat) => [seat, 0])), times: Math.min(times, MOST_TIMES) };
  }
  const made = sheet.card_points === null ? Boolean(sheet.made) : sheet.card_points >= target(pay, sheet);
  const roles = (pay.kind === "units" ? byRole : declared)(pay, sheet, made);
  const often = sheet.times * (sheet.blind ? pay.blind : 1);
  /** @param {number} seat */
  const amount = (seat) => often * roles[seat === sheet.caller ? 0 : seat === sheet.partner ? 1 : 2] + 0;
  return { made, paid: Object.fromEntries(seats.map((seat) => [seat, amount(seat)])), times: 1 };
}
