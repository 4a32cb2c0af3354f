// @ts-check
/**
 * The grid made quick: a tap is answered here, and the cards are sent at the end of every trick.
 * Without a connection they are kept in this browser; the plain form does the same by itself.
 */
import { readyArrows } from "./arrows.js";
import "./awake.js";
import { cardsOf, forgotten, led, moment, played, takenBack } from "./tricks_engine.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("tricks"));
const deal = /** @type {import("./tricks_engine.js").Deal} */ (JSON.parse(form.dataset.deal ?? ""));
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
const after = /** @type {HTMLElement | null} */ (document.querySelector(".after"));
const tools = /** @type {HTMLButtonElement[]} */ (["back", "forget", "stop"].map((name) => form.querySelector(`[name=do][value=${name}]`)));
const [back, forget, stop] = tools;
const AGAIN = 5000;
/** What a server that is busy, or was away, says: the same later may do. */
const LATER = [429, 500, 502, 503, 504, 507];
const draft = `tricks${location.pathname}`;

const play = JSON.parse(playBoxes[0].value);
let sent = playBoxes[0].value;
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

/** What comes next. @param {ReturnType<typeof moment>} now */
function following(now) {
  if (now.over) return form.dataset.over ?? "";
  if (now.turn === null) return filled(form.dataset.asks, { trick: now.number });
  return filled(now.fresh ? form.dataset.leads : form.dataset.plays, { name: nameOf(now.turn) });
}

/** What has just happened: the card that is seen on the table is only read aloud. @param {ReturnType<typeof moment>} now */
function happened(now) {
  const last = now.tricks.at(-1);
  if (!last?.cards.length) return "";
  if (last.winner !== null) return filled(form.dataset.took, { name: nameOf(last.winner), trick: last.number, points: last.worth });
  const put = document.createElement("span");
  const card = buttonOf(/** @type {string} */ (last.cards.at(-1))).getAttribute("aria-label") ?? "";
  put.className = "sr";
  put.textContent = filled(form.dataset.put, { name: nameOf(last.seats[last.cards.length - 1] ?? null), card });
  return put;
}

/** @param {number} seat @param {ReturnType<typeof moment>} now */
function partOf(seat, now) {
  if (seat === deal.caller) return now.alone ? "alone" : "caller";
  if (now.alone !== null) return seat === now.partner ? "partner" : "";
  return now.among.length < deal.active.length && now.among.includes(seat) ? "candidate" : "";
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
  /** @type {HTMLElement} */ (place.querySelector("[data-points]")).textContent = String(now.points[seat]);
  /** @type {HTMLElement} */ (place.querySelector("[data-part]")).textContent = form.dataset[partOf(seat, now)] ?? "";
  /** @type {HTMLButtonElement} */ (place.querySelector(".leads")).hidden = now.over || now.turn !== null;
}

/** A card as it lies on the table: the face of its button. @param {string} code */
function faceOf(code) {
  const button = buttonOf(code);
  const face = document.createElement("span");
  const name = document.createElement("span");
  face.className = `${button.className.replace("gone", "")} lying`;
  name.className = "sr";
  name.textContent = button.getAttribute("aria-label");
  face.append(...[...button.childNodes].map((node) => node.cloneNode(true)), name);
  return face;
}

function draw() {
  const now = moment(deal, play.tricks);
  const gone = new Set(now.tricks.flatMap(({ cards }) => cards));
  for (const button of buttons) {
    button.classList.toggle("gone", gone.has(button.value));
    button.disabled = now.over || gone.has(button.value);
  }
  for (const place of places) drawPlace(place, now);
  const lying = now.tricks.at(-1);
  loose.replaceChildren(...(lying && !lying.seats.length ? lying.cards.map(faceOf) : []));
  bounds.dataset.status = now.status;
  bounds.textContent = filled(form.dataset[now.status], { low: now.low, high: now.high, target: deal.target });
  said.replaceChildren(happened(now), " ", following(now));
  count.textContent = filled(count.dataset.text, { trick: now.number, of: deal.each });
  back.disabled = !play.tricks.length && back.dataset.asked === undefined;
  forget.disabled = !now.ended;
  for (const part of [grid, forget, stop]) part.hidden = now.over;
  if (after) after.hidden = !now.over;
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
  const box = document.createElement("input");
  Object.assign(box, { type: "hidden", name: "do", value: "save" });
  form.append(box);
  localStorage.removeItem(draft);
  form.submit();
}

/** Write down what there is. */
async function write() {
  const sending = playBoxes[0].value;
  const body = new FormData(form);
  body.set("do", "save");
  const reply = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" }, keepalive: true });
  if (LATER.includes(reply.status)) throw new Error(reply.statusText);
  if (!reply.ok) return askServer();
  const { seen } = await reply.json();
  sent = sending;
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

/** @param {import("./tricks_engine.js").Written[]} tricks */
function go(tricks) {
  const forward = tricks.flatMap(cardsOf).length > play.tricks.flatMap(cardsOf).length;
  play.tricks = tricks;
  keep();
  const now = draw();
  next = now.over ? form.dataset.end ?? "" : "";
  if (forward && now.fresh) send();
}

/** By keys one goes on from the next card, since the one that was played is gone. @param {HTMLButtonElement} button */
function playCard(button) {
  const byKeys = button.matches(":focus-visible");
  go(played(deal, play.tricks, button.value));
  const left = buttons.filter(({ disabled }) => !disabled);
  if (byKeys) (left.find((other) => buttons.indexOf(other) > buttons.indexOf(button)) ?? left.at(-1))?.focus();
}

form.addEventListener("submit", (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (button?.value === "back" && !play.tricks.length) return localStorage.removeItem(draft);
  event.preventDefault();
  if (button?.name === "card") playCard(button);
  else if (button?.name === "leader") go(led(deal, play.tricks, Number(button.value)));
  else if (button?.value === "back") go(takenBack(play.tricks));
  else if (button?.value === "forget") go(forgotten(play.tricks));
  else stopHere();
});

function stopHere() {
  next = form.dataset.back ?? "";
  send();
}

/** What was tapped here and never arrived; if others have written meanwhile, the server asks which cards hold. */
function restore() {
  const [seen, kept] = JSON.parse(localStorage.getItem(draft) ?? "[null, null]");
  if (!kept) return;
  if (seen === seenBoxes[0].value && kept.called_card === play.called_card) return go(kept.tricks);
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
