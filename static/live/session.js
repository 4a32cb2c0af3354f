// @ts-check
/**
 * A page on the table, of a session or of its circle: what other phones write appears by itself, heard of by a stream of events
 * or, without one, by asking; and who is here.
 */

import { stayAwake } from "../base/page.js";
import { takeIn } from "./live.js";
import { meet } from "./presence.js";

const ASK = 2_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;
const TOAST = 20_000;
/** The server is heard every second, where no worker keeps pages. */
const SILENCE = 1_500;

/** @typedef {{version: number, kind?: string, number?: number | null, role?: string}} Change */

const table = /** @type {HTMLElement} */ (document.querySelector("[data-watch]"));
const ofCircle = "circle" in table.dataset;
if (!ofCircle) stayAwake();
const status = /** @type {HTMLElement} */ (document.querySelector("[data-said]"));

const known = () => Number(table.dataset.version);
const writes = () => ["owner", "scorekeeper"].includes(table.dataset.role ?? "");
let wrote = writes();

/** A timer may be there from the start, or come later. */
const readyTimer = () => document.getElementById("timer") && import("./timer.js").catch(() => {});
document.addEventListener("taken", readyTimer);
readyTimer();
/** Which tables are overdue the server says. */
if (ofCircle) document.addEventListener("up", () => setTimeout(update, FIRST_PAUSE));

let taking = false, again = false;
/** The deal that was amended last. @type {number | null} */
let amended = null;

/** Take in what changed, once more where something changed meanwhile. */
async function update() {
  again = taking;
  if (taking || !table.isConnected) return;
  taking = true;
  const taken = await takeIn();
  tellTurned();
  tellPen();
  document.dispatchEvent(new Event("taken"));
  taking = false;
  if (again) update();
  else if (!taken && live()) setTimeout(update, ASK);
}

/** Tell everybody, in sight, that an amended deal has another winner. */
function tellTurned() {
  const { turned } = /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="deal-${amended}"]`))?.dataset ?? {};
  if (!again) amended = null;
  if (!turned) return;
  status.textContent = turned;
  status.className = "notice";
  setTimeout(() => { status.className = "sr"; }, TOAST);
}

/** Say what happened to who does not see it. @param {Change} change */
function announce({ kind = "", number = null }) {
  if (kind === "amend") amended = number;
  const words = status.dataset[number === null ? kind : `${kind}Number`] ?? status.dataset[kind] ?? "";
  if (words) status.textContent = words.replace("#", String(number));
}

/** Say so if this phone has the pen since the page was taken in, or has it no more. */
function tellPen() {
  if (writes() === wrote) return;
  wrote = writes();
  status.textContent = (wrote ? status.dataset.gotPen : status.dataset.lostPen) ?? "";
}

/** Somebody gave this phone another role: it is offered other things. @param {string} [role] */
function become(role) {
  const { role: before } = table.dataset;
  if (role && before && role !== before) update();
}

/** @type {EventSource | undefined} */
let source;
let pause = FIRST_PAUSE, timer = 0, silence = 0;
const beats = navigator.serviceWorker?.controller ? "" : "beats";

/** The server was heard: where it is silent for long, it is away. */
function heard() {
  clearTimeout(silence);
  if (beats) silence = setTimeout(lose, SILENCE);
}

/** The stream has broken, or is silent: listen anew in a while. */
function lose() {
  document.dispatchEvent(new Event("away"));
  rest();
  timer = setTimeout(hear, pause * (1 + Math.random()));
  pause = Math.min(pause * 2, LONGEST_PAUSE);
}

const live = () => source?.readyState === EventSource.OPEN;

function hear() {
  rest();
  source = new EventSource(`${table.dataset.events}?${beats}${ofCircle ? "" : `&presence&after=${known()}`}`);
  heard();
  source.onopen = () => {
    pause = FIRST_PAUSE;
    heard();
    document.dispatchEvent(new Event("back"));
    if (ofCircle) look(); // its stream does not know what was missed
  };
  source.onerror = lose;
  source.addEventListener("beat", heard);
  source.addEventListener("change", (event) => {
    heard();
    const change = /** @type {Change} */ (JSON.parse(event.data));
    announce(change);
    if (change.kind === "gone") leave();
    else if (ofCircle || change.version > known()) update();
    else tellTurned(); // the page has it already
  });
  source.addEventListener("presence", (event) => {
    heard();
    const present = JSON.parse(event.data);
    meet(present);
    become(present.role);
  });
}

function rest() {
  clearTimeout(timer);
  clearTimeout(silence);
  source?.close();
}

/** What is shown stays to be read; nothing new is asked for. */
function leave() {
  rest();
  status.className = "notice";
}

function ask() {
  if (!document.hidden && navigator.onLine && !live()) look();
}

/** Ask whether something was written, take it in and say what it was. */
async function look() {
  if (taking) return;
  const before = known();
  const reply = await fetch(`${table.dataset.watch}?after=${before}`, { headers: { Accept: "application/json" } }).catch(() => undefined);
  if (!reply?.ok) return;
  const change = /** @type {Change} */ (await reply.json());
  become(change.role);
  if (change.version === before || change.version === known()) return;
  announce(ofCircle && !live() ? { ...change, kind: "changed" } : change);
  update();
}

setInterval(ask, ASK);
const hearInSight = () => document.hidden ? rest() : hear();
document.addEventListener("visibilitychange", hearInSight);
addEventListener("offline", () => document.hidden || lose());
addEventListener("online", hearInSight);
addEventListener("pagehide", rest);
hearInSight();

document.addEventListener("toggle", ({ target }) => {
  const fold = /** @type {HTMLDetailsElement} */ (target);
  if (fold.open && fold.matches(".tool-more")) fold.scrollIntoView({ block: "nearest" });
}, true);

if (document.getElementById("pending")) {
  import("./waiting.js").catch(() => {});
  if (!navigator.serviceWorker?.controller) import("./memory.js").catch(() => {});
}

const toast = /** @type {HTMLElement | null} */ (document.querySelector("[data-toast]"));
if (toast) setTimeout(() => toast.remove(), TOAST);
