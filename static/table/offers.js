// @ts-check
/** Which rules a new session has, and which mark each seat, as the names come. */

const MARKS = 10;

/** @typedef {{counts: number[], seats: number, pairs: boolean, kind: string}} Offer rules: for how many people, how many of them play, whether in pairs only, and their kind */

/** Whether so many can play by the rules; some of those who are more than play sit out. @param {Offer} offer @param {number} count */
export const fits = ({ counts }, count) => counts.includes(count);

/**
 * The rules to be shown, the likeliest first, and which of them are chosen.
 * @template {Offer} Rules
 * @param {Rules[]} offers
 * @param {{count: number, kind: string, wanted: number, stays: boolean}} asked the people, the kind that was answered first, which rules were chosen, and whether they are to stay all the same
 */
export function choose(offers, { count, kind, wanted, stays }) {
  const ofKind = offers.filter((offer) => !kind || !offer.kind || offer.kind === kind);
  const anyFits = ofKind.some((offer) => fits(offer, count));
  const fitting = anyFits ? ofKind.filter((offer) => fits(offer, count)) : ofKind;
  const likely = [...new Set([...ofKind.filter(({ seats }) => seats === count), ...fitting])];
  if (!ofKind.includes(offers[wanted])) [wanted, stays] = [offers.indexOf(likely[0]), false];
  const own = offers[wanted], instead = likely.find((offer) => fits(offer, count) && (own.pairs || !offer.pairs));
  return { likely, fitting, wanted, stays, chosen: stays || fits(own, count) || !instead ? wanted : offers.indexOf(instead) };
}

/** The mark of each seat, by how many came to the circle before its player: whoever came first has the choice. @param {number[]} places */
export function marksOf(places) {
  const taken = new Set(), marks = places.map(() => 0);
  for (const seat of [...places.keys()].sort((one, other) => places[one] - places[other])) {
    let mark = places[seat] % MARKS;
    while (taken.has(mark)) mark = (mark + 1) % MARKS;
    taken.add(mark);
    marks[seat] = mark;
  }
  return marks;
}
