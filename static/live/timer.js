// @ts-check
/** The timer of a turn: it counts down, tells when five minutes are left and when it is up, and sounds a gong; a phone that slept goes on right. */

import { localTimes } from "../base/page.js";
import { face, passed, SOON } from "./countdown.js";
import { fetchPage } from "./live.js";

const SECOND = 1_000;
/** A phone whose clock is off by more goes by the server's. */
const OFF = 3 * SECOND;
const FADES = 4;
/** The pitches of the gong, each with its loudness. */
const PITCHES = [[98, .5], [147, .3], [233, .2], [392, .1]];

/** @type {AudioContext | undefined} */
let audio;

function gong() {
  navigator.vibrate?.([400, 200, 800]);
  if (audio?.state !== "running") return;
  const now = audio.currentTime, out = audio.createGain();
  out.connect(audio.destination);
  out.gain.setValueAtTime(1, now);
  out.gain.exponentialRampToValueAtTime(.001, now + FADES);
  for (const [pitch, loudness] of PITCHES) {
    const tone = audio.createOscillator(), part = audio.createGain();
    [tone.frequency.value, part.gain.value] = [pitch, loudness];
    tone.connect(part).connect(out);
    tone.start(now);
    tone.stop(now + FADES);
  }
}

/** Until when the timer runs that was seen last, what was left then, when the server said so, and by how much its clock is ahead. */
let [until, before, said, ahead] = ["", NaN, "", 0];

/** @param {HTMLElement} timer */
function leftOf({ dataset }) {
  if (dataset.now !== said) {
    said = dataset.now ?? "";
    const differs = Date.parse(said) - Date.now(), kept = document.documentElement.dataset.kept !== undefined;
    ahead = kept || Math.abs(differs) < OFF ? 0 : differs;
  }
  return Date.parse(dataset.up ?? "") - Date.now() - ahead;
}

/** Show the timer as it is now; return the milliseconds until it has to be looked at again. */
function look() {
  const timer = document.getElementById("timer");
  if (!timer?.dataset.up) {
    until = "";
    return SECOND;
  }
  const left = leftOf(timer), { time, up, soon } = face(left);
  const [runs, over, told, shown] = ["[data-runs]", "[data-over]", "[data-announced]", "[data-countdown]"].map((part) => /** @type {HTMLElement} */ (timer.querySelector(part)));
  if (until !== timer.dataset.up) [until, before] = [timer.dataset.up, NaN];
  [shown.textContent, runs.hidden, over.hidden] = [time, up, !up];
  timer.classList.toggle("up", up);
  timer.classList.toggle("soon", soon);
  if (passed(before, left, SOON)) told.textContent = timer.dataset.soon ?? "";
  if (passed(before, left, 0)) {
    told.textContent = over.textContent;
    gong();
    document.dispatchEvent(new Event("up"));
  }
  before = left;
  return left > 0 ? left % SECOND || SECOND : SECOND;
}

let waits = 0;

function tick() {
  clearTimeout(waits);
  waits = setTimeout(tick, look());
}

/** Bring in the timer as it is on the server, into a page that is not taken in anew. */
export async function renew() {
  const page = await fetchPage();
  if (!page) return;
  localTimes(page);
  document.getElementById("timer")?.remove();
  const timer = page.getElementById("timer");
  if (timer) document.querySelector(".bar")?.prepend(document.importNode(timer, true));
  tick();
}

/** A page may sound once somebody has touched it. */
addEventListener("pointerdown", () => {
  audio ??= new AudioContext();
  audio.resume().catch(() => {});
});
document.addEventListener("taken", tick);
document.addEventListener("visibilitychange", tick);
tick();
