// @ts-check
/** What a session comes to once the server has what waits on this phone: sums of what the page knows and of the queue. */
import { noteTurns, turnAt } from "../deals/next_deal.js";

/** @typedef {import("../base/queue.js").Act} Act */
/** @typedef {Record<string, number>} Sums by seat */
/**
 * @typedef {object} Written a deal as the server has it
 * @property {number} number
 * @property {string} key
 * @property {number} version
 * @property {number} seen
 * @property {boolean} voided
 * @property {number} dealer
 * @property {number[]} active
 * @property {Sums} paid
 * @property {Record<string, string> | null} values what its form sends; null where it was not played
 */
/** @typedef {import("../deals/next_deal.js").Ahead & {version: number, lowest: boolean, deals: Written[], reasons: string[], words: Record<string, string>}} Known */
/**
 * @typedef {object} Row a deal as it will be
 * @property {number} number
 * @property {Sums | null} paid null where only the server can tell
 * @property {boolean} voided
 * @property {"" | "record" | "change"} waits
 * @property {string} told what waits, in words
 * @property {Sums} balances after it
 */

/** @param {Act} act @returns {Sums | null} */
const paidBy = ({ foretold, body }) => {
  const outcome = body.find(([name]) => name === "outcome")?.[1];
  return outcome && outcome !== "penalty" ? {} : foretold;
};

/** @param {Sums} sums @param {Sums | null} paid @param {number} [sign] */
const add = (sums, paid, sign = 1) => {
  for (const [seat, amount] of Object.entries(paid ?? {})) sums[seat] = (sums[seat] ?? 0) + sign * amount;
};

/** @type {Record<string, (act: Act) => Partial<Row>>} */
const CHANGES = { amend: (act) => ({ paid: act.foretold }), void: () => ({ voided: true }), restore: () => ({ voided: false }) };

/** The deals with what is done to them, in their order. @param {Known} known @param {Act[]} acts @returns {Row[]} */
function rowsOf(known, acts) {
  const rows = new Map(known.deals.map(({ number, paid, voided }) => [number, /** @type {Row} */ ({ number, paid, voided, waits: "", told: "", balances: {} })]));
  for (const act of acts) {
    const { number } = act, row = rows.get(number), told = act.facts.map(([, answer]) => answer).join(" · ") || act.title;
    if (act.kind === "record" && number >= known.number) rows.set(number, { number, paid: paidBy(act), voided: false, waits: "record", told, balances: {} });
    else if (row && CHANGES[act.kind]) rows.set(number, { ...row, ...CHANGES[act.kind](act), waits: "change", told });
  }
  return [...rows.values()].sort((one, other) => one.number - other.number);
}

/** By balance, then by seat; who is level shares a place. @param {Sums} balances @param {string[]} seats @param {boolean} lowest */
function placesOf(balances, seats, lowest) {
  const sign = lowest ? 1 : -1, ranked = seats.map((seat) => ({ seat: Number(seat), balance: balances[seat] }));
  ranked.sort((one, other) => sign * (one.balance - other.balance) || one.seat - other.seat);
  return ranked.map((row) => ({ ...row, place: 1 + ranked.findIndex(({ balance }) => balance === row.balance) }));
}

/** Who deals on, once more from the last deals where they are taken back. @param {Known} known @param {Row[]} rows */
function turnsOf({ deals, turns }, rows) {
  const newest = deals.toSorted((one, other) => other.number - one.number), then = new Map(rows.map((row) => [row.number, row]));
  const stands = newest.findIndex(({ number, voided }) => voided || !then.get(number)?.voided);
  const back = newest.slice(0, stands < 0 ? newest.length : stands).filter(({ values }) => values);
  return [...back.toReversed().map(({ dealer, active }) => ({ dealer, active })), ...turns];
}

/**
 * @param {Known} known
 * @param {Act[]} acts those of the session, in their order; what waits for an answer does not count
 * @param {string[]} [seats] who is in the standings: of partners the first
 */
export function foresee(known, acts, seats = Object.keys(known.balances)) {
  const waits = acts.filter(({ state }) => !state), rows = rowsOf(known, waits), balances = { ...known.balances };
  for (const { paid, voided } of known.deals) if (!voided) add(balances, paid, -1);
  for (const row of rows) {
    if (!row.voided) add(balances, row.paid);
    row.balances = { ...balances };
  }
  const last = waits.findLast(({ kind, number }) => kind === "record" && number >= known.number), number = last ? last.number + 1 : known.number;
  noteTurns(waits);
  const turn = known.turns.length ? turnAt({ ...known, turns: turnsOf(known, rows) }, number) : undefined;
  return {
    rows,
    standings: placesOf(balances, seats, known.lowest),
    next: turn && { number, times: last?.times ?? known.times, ...turn },
    unknown: rows.filter(({ paid, voided }) => !paid && !voided).map((row) => row.number),
  };
}
