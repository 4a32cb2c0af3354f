// @ts-check
/** What a session comes to once the server has what waits on this phone: sums of what the page knows and of the queue. */

/** @typedef {import("../base/queue.js").Act} Act */
/** @typedef {Record<string, number>} Sums by seat */
/** @typedef {import("../deals/next_deal.js").Turn} Turn */
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
 * @property {number} by which of the tables holds for it
 * @property {Record<string, string> | null} values what its form sends; null where it was not played
 * @property {Turn} next the turn after it, by today's seats
 */
/** @typedef {import("../deals/next_deal.js").Ahead & {deals: Written[]}} Played what a session has come to */
/** @typedef {Pick<Played, "pay" | "pays">} Paying */
/** @typedef {Played & {version: number, opening: Turn, reasons: string[], words: Record<string, string>, tables: Paying[]}} Known whose tables are those of all rules, today's first */
/** @typedef {Turn & {number: number, times: number, balances: Sums}} Next a deal that is asked for, and the balances before it */
/**
 * @typedef {object} Row a deal as it will be
 * @property {number} number
 * @property {Sums | null} paid null where only the server can tell
 * @property {boolean} voided
 * @property {boolean} played
 * @property {"" | "record" | "change"} waits
 * @property {string} told what waits, in words
 * @property {Sums} balances after it
 * @property {Act} [act] by which it is recorded
 * @property {Next} [turn] as it is asked for where it waits; none where only the server can tell
 */

/** What became of a deal that was not played. @param {Act} act */
const outcomeOf = ({ body }) => body.find(([name]) => name === "outcome")?.[1] ?? "";

/** @param {Act} act @returns {Sums | null} */
const paidBy = (act) => ["", "penalty"].includes(outcomeOf(act)) ? act.foretold : {};

/** @param {Sums} sums @param {Sums | null} paid @param {number} [sign] */
const add = (sums, paid, sign = 1) => {
  for (const [seat, amount] of Object.entries(paid ?? {})) sums[seat] = (sums[seat] ?? 0) + sign * amount;
};

/** @type {Record<string, (act: Act) => Partial<Row>>} */
const CHANGES = { amend: (act) => ({ paid: act.foretold }), void: () => ({ voided: true }), restore: () => ({ voided: false }) };

/** Whether an act changes a deal that is written. @param {Act} act */
export const isChange = ({ kind }) => kind in CHANGES;

/** Whether an act records a deal that the server does not have. @param {Played} known @param {Act} act */
const isNew = (known, { kind, number }) => kind === "record" && number >= known.number;

/** The deals with what is done to them, in their order. @param {Played} known @param {Act[]} acts @returns {Row[]} */
function rowsOf(known, acts) {
  const rows = new Map(known.deals.map(({ number, paid, voided, values }) => [number, /** @type {Row} */ ({ number, paid, voided, played: Boolean(values), waits: "", told: "", balances: {} })]));
  for (const act of acts) {
    const { number } = act, row = rows.get(number), told = act.facts.map(([, answer]) => answer).join(" · ") || act.title;
    if (isNew(known, act)) rows.set(number, { number, paid: paidBy(act), voided: false, played: !outcomeOf(act), waits: "record", told, balances: {}, act });
    else if (row && CHANGES[act.kind]) rows.set(number, { ...row, ...CHANGES[act.kind](act), waits: "change", told });
  }
  return [...rows.values()].sort((one, other) => one.number - other.number);
}

/** By balance, then by seat, after them who is out, the last one first; who is level shares a place, and partners have one. @param {Sums} balances @param {Played} known */
function placesOf(balances, { lowest, sides, out = {}, pays }) {
  const sign = lowest ? 1 : -1, limit = pays?.out_from ?? Infinity;
  const ranked = Object.keys(sides).map((seat) => ({ seat: Number(seat), balance: balances[seat], until: out[seat] ?? (balances[seat] < limit ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER) }));
  ranked.sort((one, other) => other.until - one.until || sign * (one.balance - other.balance) || one.seat - other.seat);
  return ranked.map(({ until, ...row }) => ({ ...row, place: 1 + ranked.findIndex((other) => other.balance === row.balance && other.until === until) }));
}

/** Who deals on after the last deal that stands, or first, as the server says: what is done to it counts until another deal is recorded. @param {Known | Played} known @param {Act[]} acts @returns {Turn[]} */
function turnsOf(known, acts) {
  const recorded = acts.findIndex((act) => isNew(known, act)), before = recorded < 0 ? acts : acts.slice(0, recorded);
  const then = new Map(rowsOf(known, before).map((row) => [row.number, row])), newest = known.deals.toSorted((one, other) => other.number - one.number);
  const last = newest.find(({ number }) => !then.get(number)?.voided), first = last ? last.next : /** @type {Known} */ (known).opening;
  if (!first || last === newest.find(({ voided }) => !voided)) return known.turns;
  return [first, ...known.turns.slice(1 + known.turns.findIndex(({ dealer }) => dealer === first.dealer))];
}

/** Whether that ends the session, if the balances alone tell: where two are level they may go on. @param {Played} known @param {ReturnType<typeof placesOf>} standings @param {Row[]} rows */
function isOver({ limits: { target, deals }, pays, played, deals: written }, standings, rows) {
  const more = rows.filter((row) => row.played && !row.voided).length - written.filter(({ values, voided }) => values && !voided).length;
  const most = Math.max(...standings.map(({ balance }) => balance)), left = standings.filter(({ balance }) => balance < (pays?.out_from ?? Infinity));
  const reached = target && most >= target || deals && played + more >= deals || left.length < 2;
  return Boolean(reached) && standings[1]?.place !== 1 && rows.some(({ waits }) => waits);
}

/**
 * @param {Played} known
 * @param {Act[]} acts those of the session, in their order; what waits for an answer does not count
 */
export function foresee(known, acts) {
  const going = acts.filter(({ state }) => !state), rows = rowsOf(known, going), turns = turnsOf(known, going), balances = { ...known.balances };
  const unknown = rows.filter(({ paid, voided }) => !paid && !voided).map(({ number }) => number), out = known.pays?.out_from ?? Infinity;
  const recorded = rows.filter(({ act }) => act), first = recorded[0]?.number ?? known.number;
  let at = first - known.number, before = /** @type {Act | undefined} */ (undefined);
  /** A deal that is asked for, of those who are in by then. @param {number} number @returns {Next | undefined} */
  const turn = (number) => {
    const told = out === Infinity || !unknown.some((one) => one < number);
    while (turns[at] && balances[turns[at].dealer] >= out) at += 1;
    const active = turns[at]?.active.filter((seat) => balances[seat] < out) ?? [];
    return told && active.length > 1 ? { ...turns[at], active, number, times: before?.times ?? turns[at].times ?? known.times, balances: { ...balances } } : undefined;
  };
  for (const { paid, voided } of known.deals) if (!voided) add(balances, paid, -1);
  for (const row of rows) {
    if (row.act) {
      row.turn = turn(row.number);
      at += Number(!row.act.again);
      before = row.act;
    }
    if (!row.voided) add(balances, row.paid);
    row.balances = { ...balances };
  }
  const standings = placesOf(balances, known);
  return { rows, standings, next: turn(first + recorded.length), unknown, over: isOver(known, standings, rows) ? known.over : "" };
}

/** @type {Map<string, Known>} */
const last = new Map();

/** What a phone goes on by, as it was last to be had. @param {string} session its path */
export async function knownAt(session) {
  const reply = await fetch(`${session}ahead`).catch(() => undefined), known = reply?.ok ? await reply.json().catch(() => undefined) : undefined;
  if (known) last.set(session, known);
  return last.get(session);
}
