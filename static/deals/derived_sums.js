// @ts-check
/** What the answers in the form of any game imply: what is left of a total, who is out, what is asked next. */

/** @typedef {{value: string, worked: boolean, low: number}} Box a number box: whether it was filled by `rest`, and its least */
/** @typedef {{group?: string, answered: boolean}} Question of a group one answer is enough */
/**
 * @typedef {object} Answers what a question has: numbers as typed, counters, and whether lists and chips are chosen
 * @property {boolean} required
 * @property {string[]} numbers
 * @property {string[]} counters
 * @property {string[]} lists
 * @property {boolean[]} chips
 */

/** @param {string} text */
export const isNumber = (text) => /^[-−]?\d+$/.test(text);

/** The number in a box, with a hyphen or a real minus; none is 0. @param {string} [text] */
export const numberIn = (text = "") => Number(text.replace("−", "-")) || 0;

/** What nobody has yet of a total; less than nothing where they have too much. @param {number} total @param {string[]} values */
export const leftOf = (total, values) => values.reduce((left, value) => left - numberIn(value), total);

/** What all the others have not, the last box has: of two always, of more the one not yet answered. @param {number} total @param {Box[]} boxes @param {number} typed the place of the box that was typed in */
export function rest(total, boxes, typed) {
  if (!isNumber(boxes[typed].value)) return null;
  const others = [...boxes.keys()].filter((place) => place !== typed);
  const open = others.length === 1 ? others : others.filter((place) => !boxes[place].value || boxes[place].worked);
  if (open.length !== 1) return null;
  const [place] = open, said = boxes.filter((_, at) => at !== place).map(({ value }) => value);
  return { place, value: Math.max(boxes[place].low, leftOf(total, said)) };
}

/** The balance after a deal. @param {number} before @param {string[]} hands what a side holds @param {number} times how often that counts @param {string} [bonus] */
export const balanceAfter = (before, hands, times, bonus) =>
  before + times * hands.reduce((sum, hand) => sum + numberIn(hand), 0) + numberIn(bonus);

/** Whether a question is answered. @param {Answers} answers */
export function isAnswered({ required, numbers, counters, lists, chips }) {
  if (required && counters.length) return counters.some(Boolean);
  if (lists.length) return lists.some(Boolean);
  return (!chips.length || chips.some(Boolean)) && numbers.every(Boolean);
}

/** The place of the first question that is open; -1 where all are answered. @param {Question[]} questions */
export const firstOpen = (questions) =>
  questions.findIndex(({ group, answered }) =>
    group ? !questions.some((other) => other.group === group && other.answered) : !answered);

/**
 * What a side gets: `worth` for each point of an answer of its own (`each`) or of its seats (`held`, more than once only where `ticked`), or once as the one
 * that has the `most` of a question, and that at `least`; of those that are level whoever is `named` wins, or nobody, and then the same dealer deals `again`.
 * Where a side has it and the term is `untold`, only the server can tell.
 * @typedef {{each?: string, held?: string, ticked?: string, worth?: number}} Counted
 * @typedef {Counted & {most?: string, least?: number, named?: string, again?: boolean, untold?: boolean}} Term
 */
/** @typedef {{sides: number[][], terms: Term[], totals: Record<string, number>, out_from?: number}} Pays answers add up to totals; out_from is a balance */
/** @typedef {Record<string, string>} Answered */

/** @param {Answered} answers @param {string} name */
const amount = (answers, name) => answers[name] === "y" ? 1 : numberIn(answers[name]);

/** Which side wins by a term. @param {Term} term @param {number[][]} sides @param {Answered} answers */
function winner({ most, named = "", least = 0 }, sides, answers) {
  const had = sides.map((_, side) => amount(answers, `${most}-${side}`)), best = Math.max(...had), level = [...had.keys()].filter((side) => had[side] === best);
  return best < least ? undefined : level.length === 1 ? level[0] : level.find((side) => answers[named] === String(side));
}

/** @param {Term} term @param {number} side @param {number[][]} sides @param {Answered} answers */
function worthOf(term, side, sides, answers) {
  const { each, held, ticked = "", worth = 1 } = term;
  if (each) return worth * amount(answers, `${each}-${side}`);
  if (!held) return winner(term, sides, answers) === side ? worth : 0;
  return sides[side].reduce((sum, seat) => sum + amount(answers, `${held}-${seat}`), 0) * (answers[ticked] ? worth : 1);
}

/** What a deal pays by the terms of its page; null where only the server can tell. @param {Pays} pays @param {Answered} answers */
export function paidBy({ sides, terms, totals }, answers) {
  const known = terms.flatMap(({ each, held, ticked, most, named }) => [each, held, ticked, most, named]);
  const given = Object.entries(answers).filter(([, value]) => !["", "nobody"].includes(value)).map(([name]) => name.replace(/-\d+$/, ""));
  if (given.some((name) => !known.includes(name) || totals[name] && leftOf(totals[name], sides.map((_, side) => answers[`${name}-${side}`] ?? "")))) return null;
  if (terms.some((term) => term.untold && winner(term, sides, answers) !== undefined)) return null;
  const sums = sides.map((_, side) => terms.reduce((sum, term) => sum + worthOf(term, side, sides, answers), 0));
  const again = terms.some((term) => term.again && winner(term, sides, answers) === undefined);
  return { paid: Object.fromEntries(sides.flatMap((seats, side) => seats.map((seat) => [String(seat), sums[side]]))), times: 1, again };
}
