// @ts-check
/** An evening in the words of the server (scorer/evening): what waits on this phone is taken act by act, and the deals are booked by the terms of the page. */
import { agreed, carried, fined, paidBy } from "../deals/pays.js";

/** @typedef {import("../base/queue.js").Act} Act */
/** @typedef {import("../deals/pays.js").Pays} Pays */
/** @typedef {Record<string, number>} Sums by seat */
/**
 * What ends the evening: so many points or deals, the best of so many deals, or all but one side being out. Where two are level they go on, unless they
 * share it or the last points, always or then counted in their order, say who was first.
 * @typedef {{target?: number, deals?: number, best_of?: number, out_from?: number, by_seat?: boolean, shared?: boolean, in_order?: "always" | "level" | null}} Ends
 */
/** @typedef {import("../deals/pays.js").Carried & {again: boolean}} NotPlayed who deals then */
/**
 * What holds from a deal on: all at the table in order of play, who was chosen to sit out and, until a deal from `since` on stands, to deal; how many play
 * where the others sit out in turn (`rota`), and how many can; whether the `lowest` leads.
 * @typedef {{from: number, order: number[], sits_out: number[] | null, dealer: number | null, since: number, rota: number | null, playing: number[]}} Seated
 * @typedef {Seated & {sides: number[][], lowest: boolean, ends: Ends, pays: Pays, outcomes: Record<string, NotPlayed>}} Terms
 */
/** @typedef {{number: number, dealer: number, order: number[], again: boolean, next: number}} Last that stands: whether its dealer deals again, and how often the next deal counts */
/** @typedef {{outcome?: string, paid: Sums | null, called?: number} & Partial<Omit<import("../deals/pays.js").Paid, "made" | "paid">>} Entry `paid` is null where only the server can tell; a side has `called` itself the winner */
/** @typedef {{number: number, dealer: number, times: number, active: number[]}} Turn */
/** @typedef {Turn & {sits_out: number[], balances: Sums, terms: Terms}} Next a deal that is asked for, and the balances before it */
/** @typedef {{key?: string, version?: number, seen?: number, values?: Record<string, string> | null}} Written of a deal that the server has; `values` are what its form sends, if it was played */
/** @typedef {{waits?: "record" | "change", told?: string, turn?: Next}} Waiting what waits in words, and how the deal is asked for, if that can be told */
/** @typedef {Turn & Entry & Waiting & Written & {voided: boolean}} Deal */
/** @typedef {Deal & {terms: Terms, balances: Sums}} Booked with the balances after it */
/**
 * An evening before its first deal here: by seat the last deal that stands in which they were in, where somebody can be out, who has `won` outright, whether nothing more is recorded (`closed`), who stands in one place by the
 * first seat, and the words for the end.
 * @typedef {{number: number, played: number, balances: Sums, since: Sums | null, ended: boolean, won: number[], closed: boolean, last: Last, terms: Terms[], deals: Deal[]}} Begun
 * @typedef {Begun & {names: string[], sides: Record<string, string>, over: string}} Known
 * @typedef {Known & {version: number, reasons: string[], words: Record<string, string>}} Ahead
 */

/** The next of some around the table. @param {number} seat @param {number[]} order @param {number[]} among */
function nextSeat(seat, order, among = order) {
  const place = order.indexOf(seat) + 1;
  return /** @type {number} */ ([...order.slice(place), ...order.slice(0, place)].find((other) => among.includes(other)));
}

/** The order with a place for a dealer who has left: before the player after him. @param {number} dealer @param {number[]} before @param {number[]} order */
function withDealer(dealer, before, order) {
  const stayed = before.filter((seat) => order.includes(seat));
  if (order.includes(dealer)) return order;
  if (!stayed.length || !before.includes(dealer)) return [dealer, ...order];
  return order.toSpliced(order.indexOf(nextSeat(dealer, before, stayed)), 0, dealer);
}

/** What an act says of a deal. @param {Act} act @param {Terms} terms @param {Turn} turn @returns {Entry} */
function entryOf({ body, foretold }, { pays }, { active, times }) {
  const answers = Object.fromEntries(body), { outcome, offender = "" } = answers;
  if (outcome === "agreed") return { outcome, paid: agreed(pays, answers, active) };
  if (outcome === "penalty") return { outcome, paid: offender ? fined(pays, Number(offender), active) : null };
  return { outcome, called: undefined, paid: outcome ? {} : foretold, ...outcome ? {} : paidBy(pays, answers, active, times) };
}

/** @type {Record<string, (deal: Booked, act: Act) => Partial<Deal>>} */
const CHANGES = { amend: (deal, act) => entryOf(act, deal.terms, deal), void: () => ({ voided: true }), restore: () => ({ voided: false }) };

/** Whether an act changes a deal that is written. @param {Act} act */
export const isChange = ({ kind }) => kind in CHANGES;

/** Whether one side was the first at the target, the points of the last deal counted in their order. @param {number[]} sums after it @param {number} target @param {number[][]} [counted] */
function isFirst(sums, target, counted = []) {
  const running = sums.map((sum, side) => sum - counted.reduce((all, row) => all + row[side], 0));
  return counted.some((row) => {
    row.forEach((points, side) => { running[side] += points; });
    const best = Math.max(...running);
    return best >= target && running.filter((sum) => sum === best).length === 1;
  });
}

/** The evening before the next deal. */
export class Evening {
  /** @type {Booked[]} */
  deals = [];

  /** @param {Known} known @param {Deal[]} deals to be booked one by one */
  constructor(known, deals = known.deals) {
    this.known = known;
    this.number = known.number;
    this.played = known.played;
    this.ended = known.ended;
    this.last = known.last;
    this.balances = { ...known.balances };
    this.since = { ...known.since };
    this.won = known.won;
    for (const deal of deals) this.book(deal);
  }

  /** The terms of the next deal. */
  get terms() {
    return /** @type {Terms} */ (this.known.terms.findLast(({ from }) => from <= this.number));
  }

  /** All at the table who are not out by their balances. */
  get here() {
    const { order, sides, ends: { out_from = Infinity } } = this.terms, sums = this.sums(sides), least = Math.min(...sums);
    return order.filter((seat) => sides.some((side, at) => side.includes(seat) && (sums[at] < out_from || sums[at] === least)));
  }

  /** The last deal that each one who is out was in. @returns {Sums} */
  get out() {
    const { known, here, since } = this;
    return known.since ? Object.fromEntries(Object.entries(since).filter(([seat]) => !here.includes(Number(seat)))) : {};
  }

  /** The deals of which only the server knows what they pay. */
  get unknown() {
    return this.deals.filter(({ paid, voided }) => !paid && !voided).map(({ number }) => number);
  }

  /** The deal that the server asks for next: who deals and plays it, and how often it counts. @returns {Next} */
  get asked() {
    const { number, last, here, terms, balances } = this, order = withDealer(last.dealer, last.order, here);
    const following = last.again ? last.dealer : nextSeat(last.dealer, order), chosen = last.number < terms.since ? terms.dealer : null;
    const dealer = [chosen, following].find((seat) => seat !== null && here.includes(seat)) ?? nextSeat(following, order, here);
    const active = this.active(dealer);
    return { number, dealer, times: last.next, active, sits_out: terms.order.filter((seat) => !active.includes(seat)), balances: { ...balances }, terms };
  }

  /** The next deal, if there is one and that can be told. */
  get next() {
    const { asked, unknown, terms } = this, told = !terms.ends.out_from || !unknown.length;
    return told && !this.known.closed && terms.playing.includes(asked.active.length) ? asked : undefined;
  }

  /** Who plays: where too many came those who dealt last sit out. @param {number} dealer */
  active(dealer) {
    const { here, terms: { sits_out, rota } } = this, place = here.indexOf(dealer) + 1;
    const playing = [...here.slice(place), ...here.slice(0, place)].slice(0, rota ?? here.length);
    return here.filter((seat) => sits_out ? !sits_out.includes(seat) : playing.includes(seat));
  }

  /** The balance of each side. @param {number[][]} sides */
  sums(sides) {
    return sides.map((side) => Math.max(...side.map((seat) => this.balances[seat])));
  }

  /** @param {Deal} deal */
  book(deal) {
    const { terms } = this, { number, dealer, outcome, voided, paid, again = false, next = 1 } = deal, how = outcome && terms.outcomes[outcome];
    const times = how ? this.last.next : deal.times;
    if (!voided) {
      for (const seat of this.here) this.since[seat] = number;
      for (const [seat, amount] of Object.entries(paid ?? {})) this.balances[seat] += amount;
      this.played += Number(!how);
      if (this.known.since && deal.wins && paid && !this.ended) this.won = [Number(Object.keys(paid).reduce((best, seat) => paid[seat] < paid[best] ? seat : best))];
      this.ended ||= this.isEnd(deal, terms);
      this.last = { number, dealer, order: terms.order, ...how ? { again: how.again, next: carried(times, how) } : { again, next } };
    }
    this.deals.push({ ...deal, times, terms, balances: { ...this.balances } });
    this.number += 1;
  }

  /** Whether a deal ends the evening. @param {Deal} deal @param {Terms} terms */
  isEnd({ wins, called, counted }, { sides, ends, lowest }) {
    const { target = Infinity, deals = Infinity, best_of, out_from, by_seat, shared, in_order } = ends;
    const sums = by_seat ? Object.values(this.balances) : this.sums(sides), most = Math.max(...sums), best = lowest ? Math.min(...sums) : most;
    if (wins || called !== undefined && sums[called] >= target) return true;
    if (out_from) return sides.filter((side) => side.every((seat) => this.here.includes(seat))).length < 2;
    const level = sums.filter((sum) => sum === best).length > 1, [second] = sums.toSorted((one, other) => other - one).slice(1);
    if (best_of) return best > second + Math.max(0, best_of - sums.reduce((all, sum) => all + sum, 0));
    if ((most >= target || this.played >= deals) && (!level || shared)) return true;
    return (in_order === "always" || in_order === "level" && level) && counted?.[0].length === sums.length && isFirst(sums, target, counted);
  }

  /** The evening with what was done next. @param {Act} act @returns {Evening} */
  take(act) {
    const { known, deals } = this, told = act.facts.map(([, answer]) => answer).join(" · ") || act.title;
    if (isChange(act)) return new Evening(known, deals.map((deal) => deal.number === act.number ? { ...deal, ...CHANGES[act.kind](deal, act), waits: "change", told } : deal));
    if (act.kind !== "record" || act.number < this.number) return this;
    const { asked, next, terms } = this, { number, dealer, active, times } = asked, missed = number < act.number;
    const entry = missed ? { paid: null } : { ...entryOf(act, terms, asked), waits: /** @type {const} */ ("record"), told, turn: next };
    const then = new Evening(known, [...deals, { number, dealer, active, times, voided: false, ...entry }]);
    return missed ? then.take(act) : then;
  }

  /** By balance, then by seat, after them who is out, the last one first; whoever won the match outright is before all. Who is level shares a place, and partners have one. */
  get standings() {
    const { known, balances, number, out, terms, won } = this, sign = terms.lowest ? 1 : -1;
    const ahead = (/** @type {number} */ seat) => won.length && !won.includes(seat) ? number : Number.MAX_VALUE;
    const ranked = Object.keys(known.sides).map(Number).map((seat) => ({ seat, balance: balances[seat], until: out[seat] ?? ahead(seat) }));
    ranked.sort((one, other) => other.until - one.until || sign * (one.balance - other.balance) || one.seat - other.seat);
    return ranked.map(({ until, ...row }) => ({ ...row, out: row.seat in out, place: 1 + ranked.findIndex((other) => other.balance === row.balance && other.until === until) }));
  }
}

/** What an evening comes to with what waits of it; what waits for an answer does not count. @param {Known} known @param {Act[]} acts in their order */
export function foresee(known, acts) {
  const begun = new Evening(known), then = acts.filter(({ state }) => !state).reduce((evening, act) => evening.take(act), begun);
  const { deals, unknown, standings, asked, next, ended } = then;
  return { deals, unknown, standings, asked, next, ended, over: ended && !begun.ended ? known.over : "" };
}

/** @type {Map<string, Ahead>} */
const last = new Map();

/** What a phone goes on by, as it was last to be had. @param {string} session its path */
export async function knownAt(session) {
  const reply = await fetch(`${session}ahead`).catch(() => undefined), known = reply?.ok ? await reply.json().catch(() => undefined) : undefined;
  if (known) last.set(session, known);
  return last.get(session);
}
