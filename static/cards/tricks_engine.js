// @ts-check
/**
 * What follows from cards played in turn: whose turn it is, who takes a trick, what everybody has.
 * How far the result is known, and who plays which role, the server says (scorer/cards/standing.py).
 *
 * @typedef {object} Facts what is known of the deal besides the cards
 * @property {number[]} playing the seats that play to the tricks, in turn
 * @property {number | null} dead the dead hand among the seats
 * @property {number | null} trump the suit that is trump
 * @property {number | null} first who leads first
 * @property {number} tricks how many there are in all
 * @property {number} monte how many cards the caller lays aside
 * @property {number} unit how many card points make a point
 * @property {string | null} turned the card turned up, which is drawn last
 * @property {number} drawn after how many tricks nothing is drawn any more
 * @property {Record<string, [suit: number, place: number, points: number]>} cards
 *
 * @typedef {null | string[] | {leader?: string, winner?: string, cards: string[]}} Written a trick; null is forgotten
 * @typedef {{tricks: Written[], discards?: string[], shown?: boolean}} Play the tricks, what is known to be laid aside, whether the called card was shown
 * @typedef {{number: number, seats: number[], cards: string[], winner: number | null, worth: number}} Trick
 */

const PACK = 120;

/** @param {Facts} facts @param {string[]} cards the place of the card that takes the trick */
function strongest(facts, cards) {
  const led = facts.cards[cards[0]][0];
  /** @param {string} card */
  const strength = (card) => {
    const [suit, place] = facts.cards[card];
    return (suit === facts.trump ? 200 : suit === led ? 100 : 0) - place;
  };
  return cards.reduce((best, card, place) => (strength(card) > strength(cards[best]) ? place : best), 0);
}

/** @param {Written} trick */
export const cardsOf = (trick) => (trick === null ? [] : Array.isArray(trick) ? trick : trick.cards);

/** A seat as cards are written down. @param {Facts} facts @param {number} seat */
const nameOf = (facts, seat) => (seat === facts.dead ? "dead" : String(seat));

/** @param {Facts} facts @param {string} name */
const seatOf = (facts, name) => (name === "dead" ? facts.dead : Number(name));

/** The seats in order of play from one on; nothing if it is unknown. @param {Facts} facts @param {number | null} leader */
function turns(facts, leader) {
  const at = leader === null ? -1 : facts.playing.indexOf(leader);
  return at < 0 ? [] : [...facts.playing.slice(at), ...facts.playing.slice(0, at)];
}

/** Who led, if this seat won with the card in that place. @param {Facts} facts @param {number | null} winner @param {number} place */
const countedBack = (facts, winner, place) => turns(facts, winner).at(-place % facts.playing.length) ?? null;

/** Who led a trick, if it was written down: as leader, or as winner. @param {Facts} facts @param {Written} trick @param {number} place */
function writtenLeader(facts, trick, place) {
  if (trick === null || Array.isArray(trick)) return null;
  if (trick.leader !== undefined) return seatOf(facts, trick.leader);
  return trick.winner !== undefined && place >= 0 ? countedBack(facts, seatOf(facts, trick.winner), place) : null;
}

/** Who led to each trick: whoever won the one before, or will have, if he led to the next. @param {Facts} facts @param {Written[]} written @param {number[]} places */
function leadersOf(facts, written, places) {
  /** @type {(number | null)[]} */
  const leaders = [];
  written.forEach((trick, index) => {
    const before = index ? turns(facts, leaders[index - 1])[places[index - 1]] ?? null : facts.first;
    leaders.push(trick === null ? null : before ?? writtenLeader(facts, trick, places[index]));
  });
  for (let index = leaders.length - 2; index >= 0; index -= 1) {
    const after = leaders[index + 1];
    if (places[index] >= 0 && after !== null) leaders[index] ??= countedBack(facts, after, places[index]);
  }
  return leaders;
}

/** @param {Facts} facts @param {Written[]} written @returns {Trick[]} */
function follow(facts, written) {
  const places = written.map((trick) => (cardsOf(trick).length === facts.playing.length ? strongest(facts, cardsOf(trick)) : -1));
  const leaders = leadersOf(facts, written, places);
  return written.map((trick, index) => {
    const cards = cardsOf(trick);
    const seats = turns(facts, leaders[index]);
    const worth = places[index] < 0 ? 0 : worthOf(facts, cards);
    return { number: index + 1, seats, cards, winner: seats[places[index]] ?? null, worth };
  });
}

/** @param {Facts} facts @param {string[]} cards */
const worthOf = (facts, cards) => cards.reduce((sum, card) => sum + facts.cards[card][2], 0);

/** What the last winner takes besides: the cards laid aside, as far as they are known. @param {Facts} facts @param {Trick[]} tricks @param {string[]} aside */
function asideWorth(facts, tricks, aside) {
  if (!facts.monte || tricks.length < facts.tricks || (tricks.at(-1)?.winner ?? null) === null) return null;
  const whole = tricks.every(({ cards }) => cards.length === facts.playing.length);
  if (whole) return PACK - tricks.reduce((sum, { worth }) => sum + worth, 0);
  return aside.length ? worthOf(facts, aside) : null;
}

/** Whose turn it is; null where nobody knows who leads. @param {Facts} facts @param {Trick[]} tricks @param {boolean} over */
function turnOf(facts, tricks, over) {
  const last = tricks.at(-1);
  if (over) return null;
  if (!last) return facts.first;
  return last.cards.length < facts.playing.length && last.seats.length ? last.seats[last.cards.length] : last.winner;
}

/** Whether the card turned up can't come next: it lies in the stock, or somebody else drew it. @param {Facts} facts @param {Trick[]} tricks @param {number} index @param {number | null} turn */
function barred(facts, tricks, index, turn) {
  if (!facts.turned) return false;
  const drawer = turns(facts, tricks[facts.drawn - 1]?.winner ?? null).at(-1) ?? null;
  return index < facts.drawn || (turn !== null && drawer !== null && drawer !== turn);
}

/** @param {Facts} facts @param {Play} play */
export function moment(facts, { tricks: written, discards = [] }) {
  const tricks = follow(facts, written);
  const last = tricks.at(-1);
  const open = Boolean(last && written.at(-1) !== null && last.cards.length < facts.playing.length);
  const over = written.length >= facts.tricks && !open;
  const aside = asideWorth(facts, tricks, discards);
  const points = Object.fromEntries(facts.playing.map((seat) => [seat, 0]));
  for (const { winner, worth } of tricks) if (winner !== null) points[winner] += worth;
  if (aside !== null) points[Number(last?.winner)] += aside;
  const turn = turnOf(facts, tricks, over);
  return {
    tricks, points, over, turn, aside,
    number: written.length + (open || over ? 0 : 1),
    gone: [...tricks.flatMap(({ cards }) => cards), ...discards],
    barred: barred(facts, tricks, written.length - Number(open), turn) ? facts.turned : null,
    ended: !open && !over,
    fresh: !last || !open || !last.cards.length,
  };
}

/** Card points as people count them: in whole points, and thirds. @param {Facts} facts @param {number} worth */
export function inPoints(facts, worth) {
  if (facts.unit === 1) return String(worth);
  return `${Math.floor(worth / facts.unit) || ""}${["", "⅓", "⅔"][worth % facts.unit]}` || "0";
}

/** The tricks after one more card. @param {Facts} facts @param {Written[]} written @param {string} card @returns {Written[]} */
export function played(facts, written, card) {
  const last = written.at(-1) ?? null;
  if (last === null || cardsOf(last).length >= facts.playing.length) return [...written, [card]];
  const cards = [...cardsOf(last), card];
  return [...written.slice(0, -1), Array.isArray(last) ? cards : { ...last, cards }];
}

/** The tricks and one that nobody remembers. @param {Written[]} written @returns {Written[]} */
export const forgotten = (written) => [...written, null];

/** The tricks and who leads the next, or led to the one begun. @param {Facts} facts @param {Written[]} written @param {number} leader @returns {Written[]} */
export function led(facts, written, leader) {
  const last = written.at(-1) ?? null;
  if (last === null || cardsOf(last).length >= facts.playing.length) return [...written, { leader: nameOf(facts, leader), cards: [] }];
  return [...written.slice(0, -1), { ...(Array.isArray(last) ? {} : last), leader: nameOf(facts, leader), cards: cardsOf(last) }];
}

/** The tricks without the last card. @param {Written[]} written @returns {Written[]} */
export function takenBack(written) {
  const last = written.at(-1) ?? null;
  const before = written.slice(0, -1);
  const cards = cardsOf(last).slice(0, -1);
  if (last === null || !cardsOf(last).length) return before;
  if (!Array.isArray(last) && last.leader !== undefined) return [...before, { leader: last.leader, cards }];
  return cards.length ? [...before, cards] : before;
}
