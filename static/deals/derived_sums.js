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
 * @typedef {object} Pays what answers pay: a typed figure of each side, what each seat holds, or a share of a total
 * @property {number[][]} sides
 * @property {string} [typed]
 * @property {string} [hands]
 * @property {string} [plus] what is added for each side
 * @property {Record<string, number>} [factors] how often the hands count by a tick
 * @property {string} [shared]
 * @property {Record<string, Record<string, number>>} [table] by the shares
 */

/** What a deal pays by the data of its page; null where only the server can tell. @param {Pays} pays @param {Record<string, string>} answers */
export function paidBy({ sides, typed = "", hands = "", plus = "", factors = {}, shared = "", table }, answers) {
  const known = [typed, hands, plus, shared, ...Object.keys(factors)].filter(Boolean);
  const given = Object.entries(answers).filter(([, value]) => !["", "nobody"].includes(value)).map(([name]) => name.replace(/-\d+$/, ""));
  if (given.some((name) => !known.includes(name))) return null;
  if (table) return table[sides.map((_, side) => numberIn(answers[`${shared}-${side}`])).join(" ")] ?? null;
  const factor = given.reduce((product, name) => product * (factors[name] ?? 1), 1);
  const sums = sides.map((seats, side) => {
    const held = seats.reduce((sum, seat) => sum + numberIn(answers[`${hands}-${seat}`]), 0);
    return numberIn(answers[`${typed}-${side}`]) + factor * held + numberIn(answers[`${plus}-${side}`]);
  });
  return Object.fromEntries(sides.flatMap((seats, side) => seats.map((seat) => [String(seat), sums[side]])));
}
