// @ts-check
/** What a deal pays by the data of its page, for a phone that can't ask the server. */

export const PACK = 120;
/** What a bid of a rank counts as. */
const LEAST = 61;
export const IMPOSSIBLE = [1, 119];
const MOST_TIMES = 100;
/** What every form has beside the answers. */
const NO_ANSWERS = ["csrf_token", "key", "number", "version", "seen", "reason", "action", "back", "times"];

/**
 * What a side gets, if `when` names no other answer of a question: `worth` for each point of an answer of its own (`each`) or of its seats (`held`, more than once only where `ticked`), or once as that of the `closer`, or as the one
 * that has the `most` of a question (the least where `few` is good), and that at `least`; of those that are level whoever is `named` wins, or nobody, and then the same dealer deals `again`.
 * The `others` get so much then. Where a side has it and the term is `untold`, only the server can tell.
 * @typedef {{each?: string, held?: string, closer?: string, ticked?: string, worth?: number, when?: [string, string]}} Counted
 * @typedef {Counted & {most?: string, least?: number, named?: string, again?: boolean, untold?: boolean, few?: boolean, others?: number}} Term
 */
/** @typedef {Record<string, Record<string, number>>} Solo what each of the others pays whoever plays alone, by the bid, and by the hand points, or y and n for made and missed */
/** @typedef {"unit" | "bid" | "short" | "rest"} Worth */
/** @typedef {{of: Worth[], with: number[], alone: number[]}} Shares of the caller, the partner and each other: multiples of what is worth something */
/** @typedef {{more: number, compound: boolean}} Carried how often the next deal counts; `compound` multiplies what is carried over */
/**
 * @typedef {object} Called the table of payouts of a deal that somebody calls
 * @property {[number, number, number, number][]} bids the least bid of a row, its worth, and that with everything taken by the caller's side, or by the others
 * @property {Shares} made
 * @property {Shares} missed
 * @property {number} blind
 * @property {number} floor
 * @property {[number, number][]} held the least and most card points that a side can have, by its tricks
 * @property {boolean} by_tricks whether tricks say that a side took everything
 * @property {Carried & {needed: number, card_points: number} | null} draw
 */
/**
 * Answers add up to totals; one that has so much of its name, or says so, wins the match.
 * @typedef {{sides: number[][], fine: number, terms?: Term[], totals?: Record<string, number>, wins?: {name: string, least?: number, told?: string}, called?: Called, solo?: Solo}} Pays
 */
/** @typedef {Record<string, string>} Answers */
/**
 * @typedef {object} Paid
 * @property {boolean | null} [made] null for a draw
 * @property {Record<string, number>} paid
 * @property {number} next how often the next deal counts
 * @property {boolean} again whether the same dealer deals it
 * @property {boolean} [wins] whether it wins the match
 * @property {number[][]} [counted] the points of each side, in the order of counting
 */

/** The number in a box, with a hyphen or a real minus; none is 0. @param {string} [text] */
export const numberIn = (text = "") => Number(text.replace("−", "-")) || 0;

/** What nobody has yet of a total; less than nothing where they have too much. @param {number} total @param {string[]} values */
export const leftOf = (total, values) => values.reduce((left, value) => left - numberIn(value), total);

/** @param {number} times @param {Carried} how */
export const carried = (times, { more, compound }) => Math.min(compound ? times * more : Math.max(times, more), MOST_TIMES);

/** What was agreed pays: each side what is typed for its first seat. @param {Pays} pays @param {Record<string, string>} answers @param {number[]} active */
export function agreed({ sides }, answers, active) {
  return Object.fromEntries(sides.flatMap((side) => side.filter((seat) => active.includes(seat)).map((seat) => [String(seat), numberIn(answers[`payouts-${side[0]}`])])));
}

/** What a penalty pays: the offender's side pays every other one. @param {Pays} pays @param {number} offender @param {number[]} active */
export function fined({ sides, fine }, offender, active) {
  const playing = playingOf(sides, active);
  return Object.fromEntries(playing.flatMap((side) => side.map((seat) => [String(seat), side.includes(offender) ? -fine * (playing.length - 1) : fine])));
}

/** @param {number[][]} sides @param {number[]} active */
const playingOf = (sides, active) => sides.map((side) => side.filter((seat) => active.includes(seat))).filter(({ length }) => length);

/** What a deal pays; null where only the server can tell. @param {Pays} pays @param {Answers} answers @param {number[]} active who plays @param {number} times how often it counts @returns {Paid | null} */
export function paidBy(pays, answers, active, times) {
  if (pays.called) return paidToCaller(pays.called, answers, active, times);
  if (pays.solo) return paidToSoloist(pays.solo, answers, active);
  const { terms = [], totals = {}, wins } = pays, sides = playingOf(pays.sides, active);
  const known = terms.flatMap(({ each, held, closer, ticked, most, named, when }) => [each, held, closer, ticked, most, named, when?.[0]]);
  const given = Object.entries(answers).filter(([name, value]) => !NO_ANSWERS.includes(name) && !["", "nobody"].includes(value)).map(([name, value]) => ({ name: name.replace(/-\d+$/, ""), value }));
  /** @param {string} name */
  const left = (name) => leftOf(totals[name], given.filter((answer) => answer.name === name).map(({ value }) => value));
  if (!terms.length || given.some(({ name }) => !known.includes(name) || totals[name] && left(name))) return null;
  if (terms.some((term) => term.untold && winner(term, sides, answers) !== undefined)) return null;
  const counted = terms.map((term) => sides.map((_, side) => worthOf(term, side, sides, answers)));
  return {
    paid: Object.fromEntries(sides.flatMap((seats, side) => seats.map((seat) => [String(seat), counted.reduce((sum, row) => sum + row[side], 0)]))),
    next: 1,
    again: terms.some((term) => term.again && winner(term, sides, answers) === undefined),
    wins: wins && (wins.told ? answers[wins.name] === wins.told : sides.some((_, side) => amount(answers, `${wins.name}-${side}`) >= (wins.least ?? 0))),
    counted,
  };
}

/** @param {Answers} answers @param {string} name */
const amount = (answers, name) => answers[name] === "y" ? 1 : numberIn(answers[name]);

/** What each side has of an answer, of its own or of its seats. @param {Term} term @param {number[][]} sides @param {Answers} answers */
const had = ({ each, most, held }, sides, answers) =>
  sides.map((seats, side) => held ? seats.reduce((sum, seat) => sum + amount(answers, `${held}-${seat}`), 0) : amount(answers, `${each ?? most}-${side}`));

/** Which side wins by a term. @param {Term} term @param {number[][]} sides @param {Answers} answers */
function winner(term, sides, answers) {
  const { named = "", least = 0, few } = term, amounts = had(term, sides, answers), best = few ? Math.min(...amounts) : Math.max(...amounts);
  const level = [...amounts.keys()].filter((side) => amounts[side] === best);
  return best < least ? undefined : level.length === 1 ? level[0] : level.find((side) => answers[named] === String(side));
}

/** @param {Term} term @param {number} side @param {number[][]} sides @param {Answers} answers */
function worthOf(term, side, sides, answers) {
  const { each, held, closer, least, ticked = "", worth = 1, others = 0, when } = term;
  if (when && answers[when[0]] !== when[1]) return 0;
  if (closer) return sides[side].some((seat) => String(seat) === answers[closer]) ? worth : 0;
  if (each || held && least === undefined) return had(term, sides, answers)[side] * (each || answers[ticked] ? worth : 1);
  const wins = winner(term, sides, answers);
  return wins === side ? worth : wins === undefined ? 0 : others;
}

/** @param {Solo} solo @param {Answers} answers @param {number[]} active @returns {Paid | null} */
function paidToSoloist(solo, { soloist, bid, hand_points, made }, active) {
  const [each, ...same] = [hand_points, made].filter(Boolean).map((taken) => solo[bid]?.[taken]);
  if (!soloist || each === undefined || same.some((other) => other === undefined || other > 0 !== each > 0)) return null;
  return { made: each > 0, paid: Object.fromEntries(active.map((seat) => [String(seat), String(seat) === soloist ? each * (active.length - 1) : -each])), next: 1, again: false };
}

/** A whole number that was typed, or none. @param {string} [text] */
const typed = (text = "") => /^\d+$/.test(text) ? Number(text) : null;

/** What was answered about the end of a deal: which card points that allows, and what they needed to be. @param {Called} called @param {Answers} answers */
function ending({ held, floor, draw }, { bid_points, card_points, other_points, cappotto, result, tricks_won }) {
  const bid = typed(bid_points), needed = Math.max(floor, bid ?? 0), tricks = typed(tricks_won), others = typed(other_points);
  const points = cappotto ? Number(cappotto === "caller") * PACK : others === null ? typed(card_points) : PACK - others;
  const drawn = draw && draw.needed === needed ? draw.card_points : null, [low, high] = held[tricks ?? -1] ?? [0, PACK];
  const uncounted = [...Array(high + 1).keys()].slice(low).filter((some) => !IMPOSSIBLE.includes(some) && some !== drawn && some >= needed === (result === "made"));
  return { bid, needed, tricks, points, drawn, low, high, taken: points === null ? uncounted : [points] };
}

/** The question whose answer contradicts the others about the end of the deal. @param {Called} called @param {Answers} answers */
export function contradicted(called, answers) {
  const { bid, tricks, points, low, high, taken } = ending(called, answers), { held, floor, by_tricks } = called;
  if (bid === null && !floor) return "bid";
  if (tricks !== null && !held[tricks]) return taken.length ? "tricks_won" : "card_points";
  const half = answers.cappotto && by_tricks && tricks !== null && tricks > 0 && tricks < held.length - 1;
  return !taken.length || half || points !== null && (points < low || points > high) ? "card_points" : null;
}

/** @param {Called} called @param {Answers} answers @param {number[]} active @param {number} before how often it counts, if it doesn't say so @returns {Paid | null} */
function paidToCaller(called, answers, active, before) {
  const { caller, partner, result, cappotto, blind, times: said } = answers, { bids, missed, draw, held, by_tricks } = called;
  const { bid, needed, tricks, points, drawn, taken } = ending(called, answers), times = typed(said) ?? before;
  if (!caller || !partner || points === null && !(result === "made" || result === "missed" && missed.of[0] === "unit")) return null;
  if (draw && points !== null && points === drawn) return { made: null, paid: Object.fromEntries(active.map((seat) => [seat, 0])), next: carried(times, draw), again: false };
  const made = points === null ? result === "made" : points >= needed, edge = taken.every((some) => some === 0 || some === PACK);
  const everything = by_tricks && tricks !== null ? tricks === 0 || tricks === held.length - 1 : edge && (!by_tricks || Boolean(cappotto));
  const row = bids.findLast(([least]) => least <= (bid ?? LEAST)) ?? [0, 0, 0, 0];
  const unit = row[!everything ? 1 : made && taken.includes(PACK) ? 2 : 3], worth = { unit, bid: bid ?? LEAST, short: (points ?? 0) - needed, rest: PACK - (points ?? 0) };
  const shares = called[made ? "made" : "missed"], often = times * (blind ? called.blind : 1);
  /** @param {number} seat */
  const amountOf = (seat) => {
    const role = String(seat) === caller ? 0 : String(seat) === partner ? 1 : 2;
    return often * shares[partner === "alone" ? "alone" : "with"][role] * worth[shares.of[role]] + 0;
  };
  return { made, paid: Object.fromEntries(active.map((seat) => [seat, amountOf(seat)])), next: 1, again: false };
}
