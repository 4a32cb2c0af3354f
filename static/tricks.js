// @ts-check
/**
 * The grid made quick: a tap is answered here, and the cards are sent at the end of every trick.
 * Without a connection they are kept in this browser; the plain form does the same by itself.
 */
import "./awake.js";
import { cardsOf, moment, played, takenBack } from "./tricks_engine.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("tricks"));
const deal = /** @type {import("./tricks_engine.js").Deal} */ (JSON.parse(form.dataset.deal ?? ""));
const playBox = /** @type {HTMLInputElement} */ (form.elements.namedItem("play"));
const seenBox = /** @type {HTMLInputElement} */ (form.elements.namedItem("seen"));
const notice = /** @type {HTMLElement} */ (form.querySelector("[data-notice]"));
const back = /** @type {HTMLButtonElement} */ (form.querySelector("[value=back]"));
const buttons = /** @type {HTMLButtonElement[]} */ ([...form.querySelectorAll(".grid .play-card")]);
const places = /** @type {HTMLElement[]} */ ([...form.querySelectorAll("[data-seat]")]);
const AGAIN = 5000;
const draft = `tricks${location.pathname}`;

const play = JSON.parse(playBox.value);
let sent = playBox.value;
let next = "";
let waiting = 0;

/** @param {string | undefined} text @param {Record<string, string | number>} values */
const filled = (text, values) => (text ?? "").replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** @param {number | null} seat */
const nameOf = (seat) => places.find(({ dataset }) => dataset.seat === String(seat))?.querySelector(".who > span")?.textContent ?? "";

/** @param {string} code */
const buttonOf = (code) => /** @type {HTMLButtonElement} */ (buttons.find(({ value }) => value === code));

/** What has just happened and what comes next. @param {ReturnType<typeof moment>} now */
function saying(now) {
  const last = now.tricks.at(-1);
  const following = now.over ? form.dataset.over : filled(now.fresh ? form.dataset.leads : form.dataset.plays, { name: nameOf(now.turn) });
  if (!last?.cards.length) return following ?? "";
  if (last.winner !== null) {
    const took = filled(form.dataset.took, { name: nameOf(last.winner), trick: last.number, points: last.worth });
    return now.over ? took : `${took} ${following}`;
  }
  const card = buttonOf(/** @type {string} */ (last.cards.at(-1))).getAttribute("aria-label") ?? "";
  return `${filled(form.dataset.put, { name: nameOf(last.seats[last.cards.length - 1]), card })} ${following}`;
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
  const part = seat === deal.caller ? (now.alone ? "alone" : "caller") : seat === now.partner ? "partner" : "";
  /** @type {HTMLElement} */ (place.querySelector("[data-part]")).textContent = part && (form.dataset[part] ?? "");
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
    button.disabled = gone.has(button.value);
  }
  for (const place of places) drawPlace(place, now);
  const bounds = /** @type {HTMLElement} */ (form.querySelector("[data-bounds]"));
  bounds.dataset.status = now.status;
  bounds.textContent = filled(form.dataset[now.status], { low: now.low, high: now.high, target: deal.target });
  /** @type {HTMLElement} */ (form.querySelector("[data-said]")).textContent = saying(now);
  const count = /** @type {HTMLElement | null} */ (document.querySelector("[data-count]"));
  if (count) count.textContent = filled(count.dataset.text, { trick: now.number, of: deal.each });
  back.disabled = !play.tricks.length;
  return now;
}

function keep() {
  playBox.value = JSON.stringify(play);
  for (const box of document.querySelectorAll(".paste [name=play]")) /** @type {HTMLInputElement} */ (box).value = playBox.value;
  localStorage.setItem(draft, JSON.stringify([seenBox.value, play]));
}

/** @param {string} text */
function tell(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

/** Write down what there is; give whether that went well. */
async function send() {
  clearTimeout(waiting);
  if (sent === playBox.value) return true;
  const sending = playBox.value;
  const body = new FormData(form);
  body.set("do", "save");
  try {
    const reply = await fetch(location.href, { method: "POST", body, headers: { Accept: "application/json" }, keepalive: true });
    const said = await reply.json();
    if (reply.ok && said.ok) {
      sent = sending;
      next = said.next;
      seenBox.value = String(said.seen);
      localStorage.removeItem(draft);
      if (playBox.value !== sent) keep();
    }
    tell(reply.status === 409 ? form.dataset.conflict ?? "" : "");
    return reply.ok;
  } catch {
    tell(form.dataset.offline ?? "");
    waiting = setTimeout(send, AGAIN);
    return false;
  }
}

/** @param {import("./tricks_engine.js").Written[]} tricks @param {boolean} forward */
async function go(tricks, forward) {
  play.tricks = tricks;
  keep();
  const now = draw();
  const ended = forward && now.fresh && now.tricks.length;
  if (!ended) return;
  if ((await send()) && now.over) location.assign(next);
}

form.addEventListener("submit", (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (button?.name === "card") {
    event.preventDefault();
    go(played(deal, play.tricks, button.value), true);
  } else if (button?.value === "back") {
    event.preventDefault();
    go(takenBack(play.tricks), false);
  } else localStorage.removeItem(draft);
});

/** What was tapped here and never arrived, unless others have written meanwhile. */
function restore() {
  const [seen, kept] = JSON.parse(localStorage.getItem(draft) ?? "[null, null]");
  if (seen !== seenBox.value || !kept || kept.called_card !== play.called_card) return;
  const count = (/** @type {any[]} */ tricks) => tricks.flatMap(cardsOf).length;
  if (count(kept.tricks) <= count(play.tricks)) return;
  play.tricks = kept.tricks;
  keep();
  draw();
}

restore();
document.addEventListener("visibilitychange", () => {
  if (document.hidden) send();
});
addEventListener("online", send);
