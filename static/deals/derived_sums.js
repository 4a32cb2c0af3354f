// @ts-check
/** What the answers in the form of any game imply: what is left of a total, who is out, what is asked next. */

import { IMPOSSIBLE, PACK, leftOf, numberIn } from "./pays.js";

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
