// @ts-check
/** What a page says of what is not sent yet, in its words: how much it is, what has to be answered, why it waits. */

/** @typedef {import("./queue.js").Act} Act */

/** What everybody is paid. @param {Act} act @param {Record<string, number>} paid */
export const amounts = ({ names }, paid) =>
  Object.entries(paid).map(([seat, amount]) => `${names[seat] ?? seat} ${amount > 0 ? "+" : amount < 0 ? "−" : ""}${Math.abs(amount)}`).join(" · ");

/** Why an act has not gone, or what the server pays instead. @param {DOMStringMap} words @param {Act} act */
export function why(words, act) {
  if (act.state !== "differs") return (act.state && words[act.state] || "") + (act.said && ` ${act.said}`);
  return (words.differs ?? "").replace("%s", amounts(act, JSON.parse(act.said)));
}

/** How much is not sent: a deal that was started and finished is one deal. @param {DOMStringMap} words @param {Act[]} acts */
function lineOf(words, acts) {
  const deals = new Set(acts.map(({ session, number }) => `${session} ${number}`)).size;
  const other = acts.some(({ kind }) => kind !== "record" && kind !== "start");
  const text = other ? words.acts : deals === 1 ? words.one : words.many;
  return (text ?? "").replace("#", String(other ? acts.length : deals));
}

/** @param {DOMStringMap} words @param {Act} act */
function questionOf(words, { kind, number, state }) {
  const text = state === "refused" ? words.notTaken : kind === "record" || kind === "start" ? words.twice : words.changed;
  return (text ?? "").replace("#", String(number));
}

/** The line of the panel, what it tells below, and what waits for an answer, but for the act (by its key) that this page asks of. @param {DOMStringMap} words @param {Act[]} acts @param {string} trouble @param {string} [settles] */
export function summaryOf(words, acts, trouble, settles) {
  const unsent = acts.filter(({ state }) => state !== "differs");
  const asks = acts.filter(({ key, state }) => (state === "conflict" || state === "refused") && key !== settles);
  if (asks.length) return { asks, line: questionOf(words, asks[0]), told: unsent.length > 1 ? lineOf(words, unsent) : "" };
  const doubt = acts.some(({ state }) => state === "conflict");
  return { asks, line: unsent.length ? lineOf(words, unsent) : words.otherwise ?? "", told: unsent.length && !doubt ? words[trouble || "away"] ?? "" : "" };
}
