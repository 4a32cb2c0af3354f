// @ts-check
/** Which rules a new session has, and which mark each seat, as the names come. */

const MARKS = 10;

/** @typedef {{counts: number[], seats: number, pairs: boolean, kind: string, bestFor?: number[]}} Offer rules: for how many people, how many of them play, whether in pairs only, their kind, and to how many they are proposed */

/** Whether so many can play by the rules; some of those who are more than play sit out. @param {Offer} offer @param {number} count */
export const fits = ({ counts }, count) => counts.includes(count);

/**
 * The rules to be shown, the likeliest first, and which of them are chosen.
 * @template {Offer} Rules
 * @param {Rules[]} offers
 * @param {{count: number, kind: string, wanted: number, stays: boolean, picked?: boolean}} asked the people, the kind that was answered first, which rules were chosen, whether they are to stay all the same, and whether a person or an earlier session chose them
 */
export function choose(offers, { count, kind, wanted, stays, picked }) {
  const ofKind = offers.filter((offer) => !kind || !offer.kind || offer.kind === kind);
  const anyFits = ofKind.some((offer) => fits(offer, count));
  const fitting = anyFits ? ofKind.filter((offer) => fits(offer, count)) : ofKind;
  const likely = [...new Set([...ofKind.filter(({ seats }) => seats === count), ...fitting])];
  if (!ofKind.includes(offers[wanted])) [wanted, stays] = [offers.indexOf(likely[0]), false];
  const own = offers[wanted], instead = likely.find((offer) => fits(offer, count) && (own.pairs || !offer.pairs));
  const best = picked ? -1 : offers.findIndex(({ bestFor }) => bestFor?.includes(count));
  if (best >= 0) return { likely, fitting, wanted, stays, chosen: best };
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
