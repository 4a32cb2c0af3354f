// @ts-check
/** How the time that a timer has left is shown and told. */

const SECOND = 1_000;
/** So much is left when it is told that the turn is nearly up. */
export const SOON = 300 * SECOND;
/** What happened longer ago is not told any more: the phone slept. */
const LATELY = 10 * SECOND;

/** How a timer is shown that has so many milliseconds left. @param {number} left */
export function face(left) {
  const seconds = Math.max(0, Math.ceil(left / SECOND));
  return { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`, up: left <= 0, soon: left > 0 && left <= SOON };
}

/** Whether the time that is left has just come down to a mark. @param {number} before @param {number} left @param {number} mark */
export const passed = (before, left, mark) => before > mark && left <= mark && left > mark - LATELY;
