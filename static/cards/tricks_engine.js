// @ts-check
/**
 * What follows from cards played in turn, as the server reckons it (scorer/cards).
 *
 * @typedef {object} Cards what is known of the deal besides the cards
 * @property {number[]} playing the seats that play to the tricks, in turn
 * @property {number | null} trump the suit that is trump
 * @property {number | null} first who leads first
 * @property {number} each tricks in all
 * @property {number} target
 * @property {Record<string, [suit: number, strength: number, points: number]>} cards
 *
 * @typedef {object} OfCaller where the caller's partner is found out
 * @property {number | null} dead the dead hand among the seats; whoever calls a card of it is alone
 * @property {number} caller
 * @property {string} called
 * @property {number | null} said who is believed to hold the called card, as the sheet says
 * @property {number} monte how many cards the caller lays aside
 * @property {number | null} draw
 *
 * @typedef {object} OfSides where the sides are known
 * @property {number[][]} sides
 * @property {number} unit how many card points make a point
 * @property {number} lastWorth what the last trick is worth by itself, in card points
 * @property {string | null} turned the card turned up, which is drawn last
 * @property {number} drawn after how many tricks nothing is drawn any more
 *
 * @typedef {Cards & OfCaller & OfSides} Deal one of both
 *
 * @typedef {null | string[] | {leader?: string, winner?: string, cards: string[]}} Written a trick; null is forgotten
 * @typedef {{tricks: Written[], discards?: string[], shown?: boolean}} Play the tricks, what is known to be laid aside, whether the called card was shown
 * @typedef {{number: number, seats: number[], cards: string[], winner: number | null, worth: number}} Trick
 */

const PACK = 120;

/** @param {Deal} deal @param {string[]} cards the place of the card that takes the trick */
function strongest(deal, cards) {
  const { trump } = deal;
  const led = deal.cards[cards[0]][0];
  /** @param {string} card */
  const strength = (card) => {
    const [suit, place] = deal.cards[card];
    return (suit === trump ? 200 : suit === led ? 100 : 0) - place;
  };
  return cards.reduce((best, card, place) => (strength(card) > strength(cards[best]) ? place : best), 0);
}

/** @param {Written} trick */
export const cardsOf = (trick) => (trick === null ? [] : Array.isArray(trick) ? trick : trick.cards);

/** A seat as cards are written down. @param {Deal} deal @param {number} seat */
const nameOf = (deal, seat) => (seat === deal.dead ? "dead" : String(seat));

/** @param {Deal} deal @param {string} name */
const seatOf = (deal, name) => (name === "dead" ? deal.dead : Number(name));

/** The seats in order of play from one on; nothing where nobody knows who it is. @param {Deal} deal @param {number | null} leader */
function turns(deal, leader) {
  const at = leader === null ? -1 : deal.playing.indexOf(leader);
  return at < 0 ? [] : [...deal.playing.slice(at), ...deal.playing.slice(0, at)];
}

/** Who led, when this seat won with the card in that place. @param {Deal} deal @param {number | null} winner @param {number} place */
const countedBack = (deal, winner, place) => turns(deal, winner).at(-place % deal.playing.length) ?? null;

/** Who led a trick, if it was written down: as leader, or as winner. @param {Deal} deal @param {Written} trick @param {number} place */
function toldLeader(deal, trick, place) {
  if (trick === null || Array.isArray(trick)) return null;
  if (trick.leader !== undefined) return seatOf(deal, trick.leader);
  return trick.winner !== undefined && place >= 0 ? countedBack(deal, seatOf(deal, trick.winner), place) : null;
}

/** Who led to each trick: whoever won the one before, or will have, if he led to the next. @param {Deal} deal @param {Written[]} written @param {number[]} places */
function leadersOf(deal, written, places) {
  const winner = (/** @type {number | null} */ leader, /** @type {number} */ place) => turns(deal, leader)[place] ?? null;
  /** @type {(number | null)[]} */
  const leaders = [];
  written.forEach((trick, index) => {
    const before = index ? winner(leaders[index - 1], places[index - 1]) : deal.first;
    leaders.push(trick === null ? null : before ?? toldLeader(deal, trick, places[index]));
  });
  for (let index = leaders.length - 2; index >= 0; index -= 1) {
    const after = leaders[index + 1];
    if (places[index] >= 0 && after !== null) leaders[index] ??= countedBack(deal, after, places[index]);
  }
  return leaders;
}

/** @param {Deal} deal @param {Written[]} written @returns {Trick[]} */
function follow(deal, written) {
  const places = written.map((trick) => (cardsOf(trick).length === deal.playing.length ? strongest(deal, cardsOf(trick)) : -1));
  const leaders = leadersOf(deal, written, places);
  return written.map((trick, index) => {
    const cards = cardsOf(trick);
    const seats = turns(deal, leaders[index]);
    const worth = places[index] < 0 ? 0 : cards.reduce((sum, card) => sum + deal.cards[card][2], 0);
    return { number: index + 1, seats, cards, winner: seats[places[index]] ?? null, worth };
  });
}

/** Who may hold the called card. @param {Deal} deal @param {Trick[]} tricks @param {string[]} aside */
function holdersOf(deal, tricks, aside) {
  const seen = tricks.find(({ cards }) => cards.includes(deal.called));
  if (seen) {
    const seat = seen.seats[seen.cards.indexOf(deal.called)];
    return seat === undefined ? deal.playing : [seat];
  }
  if (aside.includes(deal.called)) return [deal.caller];
  const shown = Object.fromEntries(deal.playing.map((seat) => [seat, 0]));
  for (const { seats, cards } of tricks) {
    const by = cards.length === deal.playing.length ? deal.playing : seats.slice(0, cards.length);
    for (const seat of by) shown[seat] += 1;
  }
  const free = deal.playing.filter((seat) => shown[seat] < deal.each || (aside.length < deal.monte && seat === deal.caller));
  return free.length ? free : deal.playing;
}

/** Who becomes the partner when the caller shows the called card. @param {Deal} deal */
export const neighbourOf = (deal) => turns(deal, deal.caller)[1];

/** @param {Deal} deal @param {number[]} holders @param {number | null} said who is believed to be the partner */
function partnerOf(deal, holders, said) {
  const neighbour = neighbourOf(deal);
  const mayShow = deal.monte && holders.includes(deal.caller) ? neighbour : null;
  const alike = holders.map((seat) => (seat === deal.dead ? deal.caller : seat));
  let among = deal.playing.filter((seat) => alike.includes(seat) || (said === neighbour && seat === mayShow));
  if (mayShow !== null && holders.length === 1) {
    const alone = said === null || said === deal.caller;
    among = alone ? [deal.caller] : said === neighbour ? [neighbour] : [deal.caller, neighbour];
  }
  const proved = among.length === 1;
  const believed = said !== null && (among.includes(said) || said === mayShow);
  return { proved, among, sides: proved || !believed ? among : [/** @type {number} */ (said)] };
}

/** @param {Deal} deal @param {Record<number, number>} points @param {number[]} sides */
function bounds(deal, points, sides) {
  const rest = Math.max(0, PACK - Object.values(points).reduce((sum, taken) => sum + taken, 0));
  const shares = sides.map((seat) => (seat === deal.caller ? 0 : points[seat]));
  const own = points[deal.caller];
  return [own + Math.min(...shares), Math.min(PACK, own + Math.max(...shares) + rest)];
}

/** Whose turn it is; null where nobody knows who leads. @param {Deal} deal @param {Trick[]} tricks @param {boolean} over */
function turnOf(deal, tricks, over) {
  const last = tricks.at(-1);
  if (over) return null;
  if (!last) return deal.first;
  return last.cards.length < deal.playing.length && last.seats.length ? last.seats[last.cards.length] : last.winner;
}

/** What the last winner takes besides: what was laid aside, as far as it is told, or all that is left. @param {Deal} deal @param {Trick[]} tricks @param {string[]} aside */
function laidAside(deal, tricks, aside) {
  const sum = (/** @type {number[]} */ worths) => worths.reduce((one, other) => one + other, 0);
  const whole = tricks.every(({ cards }) => cards.length === deal.playing.length);
  if (whole) return PACK - sum(tricks.map(({ worth }) => worth));
  return aside.length ? sum(aside.map((card) => deal.cards[card][2])) : null;
}

/** Whether these bounds make the bid, miss it, are a draw, or leave that open. @param {Deal} deal @param {number} low @param {number} high */
function statusOf(deal, low, high) {
  if (deal.draw !== null && low <= deal.draw && deal.draw <= high) return low === high ? "drawn" : "open";
  return low >= deal.target ? "made" : high < deal.target ? "missed" : "open";
}

/** What the caller's side has, and who is on it. @param {Deal} deal @param {Play} play @param {Trick[]} tricks @param {Record<number, number>} points */
function ofCaller(deal, { tricks: written, discards: aside = [], shown = false }, tricks, points) {
  const taker = deal.monte && written.length === deal.each ? tricks.at(-1)?.winner ?? null : null;
  const more = taker === null ? null : laidAside(deal, tricks, aside);
  if (taker !== null && more !== null) points[taker] += more;
  const { proved, among, sides } = partnerOf(deal, holdersOf(deal, tricks, aside), shown ? neighbourOf(deal) : deal.said);
  const [low, high] = bounds(deal, points, sides);
  const partner = proved && among[0] !== deal.caller ? among[0] : null;
  return { aside: more, low, high, status: statusOf(deal, low, high), partner, among, alone: proved ? among[0] === deal.caller : null };
}

/** What each side has, the last trick with it, and whether the result is known. @param {Deal} deal @param {Trick[]} tricks @param {Record<number, number>} points */
function ofSides(deal, tricks, points) {
  const last = tricks.length === deal.each ? tricks.at(-1)?.winner ?? null : null;
  const taken = deal.sides.map((side) => side.reduce((sum, seat) => sum + points[seat], 0));
  const each = taken.map((worth, side) => worth + (last !== null && deal.sides[side].includes(last) ? deal.lastWorth : 0));
  const pack = Object.values(deal.cards).reduce((sum, [, , worth]) => sum + worth, deal.lastWorth);
  const whole = (/** @type {number} */ worth) => Math.floor(worth / deal.unit);
  const counted = each.reduce((sum, worth) => sum + whole(worth), 0) === whole(pack);
  const won = deal.unit === 1 && taken.some((worth) => worth >= deal.target);
  return { aside: null, each, status: counted || won ? "settled" : "open", partner: null, among: /** @type {number[]} */ ([]), alone: null };
}

/** Whether the card turned up can't come next: it lies in the stock, or somebody else drew it. @param {Deal} deal @param {Trick[]} tricks @param {number} index @param {number | null} turn */
function barred(deal, tricks, index, turn) {
  if (!deal.turned) return false;
  const drawer = turns(deal, tricks[deal.drawn - 1]?.winner ?? null).at(-1) ?? null;
  return index < deal.drawn || (turn !== null && drawer !== null && drawer !== turn);
}

/** @param {Deal} deal @param {Play} play */
export function moment(deal, play) {
  const { tricks: written } = play;
  const tricks = follow(deal, written);
  const last = tricks.at(-1);
  const open = Boolean(last && written.at(-1) !== null && last.cards.length < deal.playing.length);
  const over = written.length >= deal.each && !open;
  /** @type {Record<number, number>} */
  const points = Object.fromEntries(deal.playing.map((seat) => [seat, 0]));
  for (const { winner, worth } of tricks) if (winner !== null) points[winner] += worth;
  const known = deal.sides ? ofSides(deal, tricks, points) : ofCaller(deal, play, tricks, points);
  const turn = turnOf(deal, tricks, over);
  return {
    tricks, points, over, turn,
    /** @type {number[]} */
    each: [],
    low: 0,
    high: 0,
    ...known,
    number: written.length + (open || over ? 0 : 1),
    barred: barred(deal, tricks, written.length - Number(open), turn) ? deal.turned : null,
    ended: !open && !over,
    fresh: !last || !open || !last.cards.length,
  };
}

/** Card points as people count them: in whole points, and thirds. @param {Deal} deal @param {number} worth */
export function inPoints(deal, worth) {
  if (!deal.sides || deal.unit === 1) return String(worth);
  return `${Math.floor(worth / deal.unit) || ""}${["", "⅓", "⅔"][worth % deal.unit]}` || "0";
}

/** The tricks after one more card. @param {Deal} deal @param {Written[]} written @param {string} card @returns {Written[]} */
export function played(deal, written, card) {
  const last = written.at(-1) ?? null;
  if (last === null || cardsOf(last).length >= deal.playing.length) return [...written, [card]];
  const cards = [...cardsOf(last), card];
  return [...written.slice(0, -1), Array.isArray(last) ? cards : { ...last, cards }];
}

/** The tricks and one that nobody remembers. @param {Written[]} written @returns {Written[]} */
export const forgotten = (written) => [...written, null];

/** The tricks and who leads the next, or led to the one begun. @param {Deal} deal @param {Written[]} written @param {number} leader @returns {Written[]} */
export function led(deal, written, leader) {
  const last = written.at(-1) ?? null;
  if (last === null || cardsOf(last).length >= deal.playing.length) return [...written, { leader: nameOf(deal, leader), cards: [] }];
  return [...written.slice(0, -1), { ...(Array.isArray(last) ? {} : last), leader: nameOf(deal, leader), cards: cardsOf(last) }];
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
