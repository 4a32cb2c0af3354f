// @ts-check
/**
 * The grid made quick: a tap is answered here, and the cards are sent at the end of every trick.
 * Without a connection they are kept in this browser; the plain form does the same by itself.
 * How far the result is known, and who plays which role, the server answers to each tap.
 */
import { readyArrows } from "../base/arrows.js";
import { made, stayAwake } from "../base/page.js";
import { cardsOf, forgotten, inPoints, led, moment, played, takenBack } from "./tricks_engine.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("tricks"));
const facts = /** @type {import("./tricks_engine.js").Facts} */ (JSON.parse(form.dataset.facts ?? ""));
const playBoxes = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("[name=play]")]);
const seenBoxes = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("[name=seen]")]);
const notice = /** @type {HTMLElement} */ (form.querySelector("[data-notice]"));
const bounds = /** @type {HTMLElement} */ (form.querySelector("[data-bounds]"));
const said = /** @type {HTMLElement} */ (form.querySelector("[data-said]"));
const loose = /** @type {HTMLElement} */ (form.querySelector("[data-loose]"));
const count = /** @type {HTMLElement} */ (document.querySelector("[data-count]"));
const buttons = /** @type {HTMLButtonElement[]} */ ([...form.querySelectorAll(".grid .play-card")]);
const places = /** @type {HTMLElement[]} */ ([...form.querySelectorAll("[data-seat]")]);
const grid = /** @type {HTMLElement} */ (form.querySelector(".grid"));
const afters = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-after]"));
const tools = /** @type {HTMLButtonElement[]} */ (["[data-undo]", "[value=forget]", "[value=stop]"].map((which) => document.querySelector(`[name=do]${which}`)));
const [back, forget, stop] = tools;
/** Where there is a monte. */
const panel = /** @type {HTMLElement | null} */ (form.querySelector("[data-panel]"));
const laid = /** @type {HTMLElement} */ (panel?.querySelector("[data-aside]"));
const shows = /** @type {HTMLButtonElement | null} */ (form.querySelector(".shows"));
const unknown = /** @type {HTMLButtonElement} */ (document.querySelector("[value=unknown]"));
const lay = /** @type {HTMLButtonElement} */ (document.querySelector("[data-lay]"));
const AGAIN = 5000;
/** What a server that is busy, or was away, says: the same later may do. */
const LATER = [429, 500, 502, 503, 504, 507];
const draft = `tricks${location.pathname}`;

/** @typedef {{ standing: string, status: string, roles: Record<string, string> }} News */

/** @type {import("./tricks_engine.js").Play & { called_card?: string, turned_up?: string, trump?: string }} */
let play = JSON.parse(playBoxes[0].value);
/** Whether the cards that are tapped are laid aside. */
let laying = form.classList.contains("laying");
/** Whether undo takes up what was laid aside. */
let byAside = laying;
/** What the server has written down: not what was tapped before this script came. */
let sent = form.dataset.unsent === undefined ? playBoxes[0].value : "";
let waiting = 0;
/** Where to go as soon as all is written down. */
let next = "";
let queue = Promise.resolve();

/** @param {string | undefined} text @param {Record<string, string | number>} values */
const filled = (text, values) => (text ?? "").replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** @param {number | null} seat */
const nameOf = (seat) => places.find(({ dataset }) => dataset.seat === String(seat))?.querySelector(".who > span")?.textContent ?? "";

/** @param {string} code */
const buttonOf = (code) => /** @type {HTMLButtonElement} */ (buttons.find(({ value }) => value === code));

const aside = () => play.discards ?? [];

/** @param {string} code */
const cardName = (code) => buttonOf(code).getAttribute("aria-label") ?? "";

/** What is only read aloud. @param {string} textContent */
const aloud = (textContent) => made("span", { className: "sr", textContent });

/** What comes next. @param {ReturnType<typeof moment>} now */
function following(now) {
  if (laying) return form.dataset[aside().length < facts.monte ? "lays" : "laid"] ?? "";
  if (now.over) return form.dataset.over ?? "";
  if (now.turn === null) return filled(form.dataset.asks, { trick: now.number });
  return filled(now.fresh ? form.dataset.leads : form.dataset.plays, { name: nameOf(now.turn) });
}

/** What has just happened: the card that is seen on the table is only read aloud, as is that who takes a trick leads. @param {ReturnType<typeof moment>} now */
function happened(now) {
  const last = now.tricks.at(-1);
  if (byAside && aside().length) return aloud(filled(form.dataset.aside, { card: cardName(/** @type {string} */ (aside().at(-1))) }));
  if (!last?.cards.length) return "";
  if (last.winner !== null) {
    const told = { name: nameOf(last.winner), trick: last.number, points: inPoints(facts, last.worth) };
    return now.aside === null ? filled(form.dataset.took, told) : filled(form.dataset.tookAll, { ...told, aside: now.aside });
  }
  const card = cardName(/** @type {string} */ (last.cards.at(-1)));
  return aloud(filled(form.dataset.put, { name: nameOf(last.seats[last.cards.length - 1] ?? null), card }));
}

/** @param {HTMLElement} place @param {ReturnType<typeof moment>} now */
function drawPlace(place, now) {
  const seat = Number(place.dataset.seat);
  const last = now.tricks.at(-1);
  const card = last?.cards[last.seats.indexOf(seat)];
  const slot = /** @type {HTMLElement} */ (place.querySelector("[data-slot]"));
  if (slot.dataset.card !== (card ?? "")) {
    slot.dataset.card = card ?? "";
    slot.replaceChildren(...(card ? [faceOf(card)] : []));
  }
  place.classList.toggle("turn", seat === now.turn);
  place.classList.toggle("winner", seat === last?.winner);
  /** @type {HTMLElement} */ (place.querySelector("[data-points]")).textContent = inPoints(facts, now.points[seat]);
  /** @type {HTMLButtonElement} */ (place.querySelector(".leads")).hidden = now.over || now.turn !== null;
}

/** A card as it lies on the table: the face of its button. @param {string} code */
function faceOf(code) {
  const button = buttonOf(code);
  const drawn = [...button.childNodes].map((node) => node.cloneNode(true));
  return made("span", { className: `${button.className.replace("gone", "")} lying` }, [...drawn, aloud(cardName(code))]);
}

/** What lies aside, and the places that are free. */
function drawAside() {
  if (!panel) return;
  const free = Array.from({ length: facts.monte - aside().length }, () => made("span", { className: "play-card lying free" }));
  laid.replaceChildren(...aside().map(faceOf), ...free);
  panel.hidden = unknown.hidden = !laying;
  unknown.disabled = !aside().length;
  lay.setAttribute("aria-pressed", String(laying));
  const words = /** @type {HTMLElement} */ (lay.querySelector("[data-text]"));
  words.textContent = filled(words.dataset.text, { count: aside().length, monte: facts.monte });
  shows?.setAttribute("aria-pressed", String(Boolean(play.shown)));
}

/** Show how far the result is known, and the roles. @param {News} news */
function drawNews({ standing, status, roles }) {
  bounds.dataset.status = status;
  bounds.textContent = standing;
  for (const place of places) /** @type {HTMLElement} */ (place.querySelector("[data-role]")).textContent = roles[place.dataset.seat ?? ""] ?? "";
}

function draw() {
  const now = moment(facts, play);
  const gone = new Set(now.gone);
  const full = laying ? aside().length >= facts.monte : now.over;
  form.classList.toggle("laying", laying);
  form.classList.toggle("over", now.over && !laying);
  for (const button of buttons) {
    button.classList.toggle("gone", gone.has(button.value));
    button.disabled = full || gone.has(button.value) || button.value === now.barred;
  }
  drawAside();
  for (const place of places) drawPlace(place, now);
  const lying = now.tricks.at(-1);
  loose.replaceChildren(...(lying && !lying.seats.length ? lying.cards.map(faceOf) : []));
  const before = happened(now), then = following(now), leads = now.fresh && typeof before === "string" && before;
  said.replaceChildren(before, " ", leads ? aloud(then) : then);
  count.textContent = filled(count.dataset.text, { trick: now.number, of: facts.tricks });
  back.disabled = byAside ? !aside().length : !play.tricks.length && !aside().length && back.dataset.asked === undefined;
  forget.disabled = !now.ended;
  grid.hidden = stop.hidden = now.over && !laying;
  forget.hidden = now.over || laying;
  for (const after of afters) after.hidden = !now.over || laying;
  return now;
}

function keep() {
  const written = JSON.stringify(play);
  for (const box of playBoxes) box.value = written;
  localStorage.setItem(draft, JSON.stringify([seenBoxes[0].value, play]));
}

/** @param {string} text */
function tell(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

/** What was not taken is sent plainly, and the server says why: others have written other cards, for one. */
function askServer() {
  form.append(made("input", { type: "hidden", name: "do", value: "save" }));
  localStorage.removeItem(draft);
  form.submit();
}

/** @param {string} act what the server does with the cards: write them down, or look at them */
function post(act) {
  const body = new FormData(form);
  body.set("do", act);
  return fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" }, keepalive: true });
}

/** Write down what there is. */
async function write() {
  const sending = playBoxes[0].value;
  const reply = await post("save");
  if (LATER.includes(reply.status)) throw new Error(reply.statusText);
  if (!reply.ok) return askServer();
  const { seen, ...news } = /** @type {News & {seen: string}} */ (await reply.json());
  sent = sending;
  if (playBoxes[0].value === sending) drawNews(news);
  for (const box of seenBoxes) box.value = seen;
  if (playBoxes[0].value === sent) localStorage.removeItem(draft);
  else keep();
}

async function deliver() {
  clearTimeout(waiting);
  try {
    if (sent !== playBoxes[0].value) await write();
    tell("");
    if (next && sent === playBoxes[0].value) location.assign(next);
  } catch {
    tell(form.dataset.offline ?? "");
    waiting = setTimeout(send, AGAIN);
  }
}

/** One after the other, so that no trick overtakes the one before. */
function send() {
  queue = queue.then(deliver);
}

/** Ask what only the server works out; without an answer the page says what it said before. */
async function look() {
  const asked = playBoxes[0].value;
  const reply = await post("look").catch(() => null);
  if (reply?.ok && playBoxes[0].value === asked) drawNews(await reply.json());
}

/** From one play to another; what the page came with is told of the first. @param {typeof play} other */
function go(other) {
  if (other !== play) for (const after of afters) after.remove();
  play = other;
  keep();
  const now = draw();
  next = now.over && !laying ? form.dataset.end ?? "" : "";
  return now;
}

/** @param {import("./tricks_engine.js").Written[]} tricks */
function goOn(tricks) {
  const forward = tricks.flatMap(cardsOf).length > play.tricks.flatMap(cardsOf).length;
  laying = byAside = false;
  const now = go({ ...play, tricks });
  if (now.over || (forward && now.fresh)) send();
  else queue = queue.then(look);
}

/** @param {string[]} cards */
function putAside(cards) {
  const full = cards.length > aside().length && cards.length === facts.monte;
  byAside = true;
  laying = !full;
  go({ ...play, discards: cards.length ? cards : undefined });
  if (full) send();
  else queue = queue.then(look);
}

/** From the tricks to what was laid aside, and back. */
function turnOver() {
  laying = byAside = !laying;
  go(play);
  if (!laying) send();
}

function takeBack() {
  if (byAside || !play.tricks.length) putAside(aside().slice(0, -1));
  else goOn(takenBack(play.tricks));
}

/** By keys one goes on from the next card, since the one that was played is gone. @param {HTMLButtonElement} button */
function playCard(button) {
  const byKeys = button.matches(":focus-visible");
  if (laying) putAside([...aside(), button.value]);
  else goOn(played(facts, play.tricks, button.value));
  const left = buttons.filter(({ disabled }) => !disabled);
  if (byKeys) (left.find((other) => buttons.indexOf(other) > buttons.indexOf(button)) ?? left.at(-1))?.focus();
}

form.addEventListener("submit", (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (button === back && !byAside && !play.tricks.length && !aside().length) return localStorage.removeItem(draft);
  event.preventDefault();
  if (button && grid.contains(button)) playCard(button);
  else if (button?.name === "leader") goOn(led(facts, play.tricks, Number(button.value)));
  else if (button === back) takeBack();
  else if (button === lay) turnOver();
  else if (button === shows) show();
  else if (button === unknown) forgetAside();
  else if (button === forget) goOn(forgotten(play.tricks));
  else {
    next = form.dataset.back ?? "";
    send();
  }
});

function show() {
  go({ ...play, shown: play.shown ? undefined : true });
  send();
}

function forgetAside() {
  laying = byAside = false;
  go({ ...play, discards: undefined });
  send();
}

/** What was tapped here and never arrived; if others have written meanwhile, the server asks which cards hold. */
function restore() {
  /** @type {[string, typeof play] | [null, null]} */
  const [seen, kept] = JSON.parse(localStorage.getItem(draft) ?? "[null, null]");
  if (!kept) return;
  if (seen === seenBoxes[0].value && kept.called_card === play.called_card && kept.turned_up === play.turned_up && kept.trump === play.trump) {
    go(kept);
    return send();
  }
  playBoxes[0].value = JSON.stringify(kept);
  seenBoxes[0].value = seen;
  askServer();
}

restore();
readyArrows(grid);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) send();
});
addEventListener("online", send);
stayAwake();
