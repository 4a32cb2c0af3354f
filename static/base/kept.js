// @ts-check
/** A page as it was kept on this phone: it says of when it is, sends nothing without the network, and gives way to the page as it is now. */
import { ageOf } from "./age.js";
import { loadAnew } from "./page.js";
import { freshToken } from "./sending.js";

const AGAIN = 5_000;
const YOUNG = 30_000;
const MINUTE = 60_000;

const when = new Date(document.documentElement.dataset.kept ?? "");
const notice = /** @type {HTMLElement} */ (document.getElementById("kept"));
const words = notice.dataset;
const circle = /\/circles\/([^/]+)\//.exec(location.pathname)?.[1];
const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

/** @param {string} [text] @param {"polite" | "off"} [live] whether a screen reader says it */
const tell = (text = "", live = "polite") => {
  [notice.ariaLive, notice.textContent, notice.hidden] = [live, text, !text];
};
/** @param {"polite" | "off"} [live] */
const asOf = (live) => tell(words.asOf?.replace("%s", ageOf(when, new Date(), language)), live);

/** Whether somebody is in the middle of something here. */
const inHand = () => Boolean(document.querySelector("form#record") || document.activeElement?.matches("input, textarea, select"));

/** @param {SubmitEvent} event */
async function sendLater(event) {
  const form = /** @type {HTMLFormElement} */ (event.target), field = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=csrf_token]"));
  if (!field || field.value || form.dataset.draft !== undefined || form.dataset.act !== undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (circle) field.value = (await freshToken(circle)).token ?? "";
  if (field.value) form.requestSubmit(event.submitter);
  else tell(words.notSent);
  notice.scrollIntoView({ block: "nearest" });
}

async function lookAgain() {
  const reply = document.hidden ? undefined : await fetch(location.href).catch(() => undefined);
  if (reply?.ok && inHand()) notice.hidden = true;
  else if (reply?.ok && Date.now() - when.getTime() > YOUNG) loadAnew();
  else setTimeout(lookAgain, AGAIN);
}

for (const toast of document.querySelectorAll("[data-toast]")) toast.remove();
document.addEventListener("submit", sendLater, true);
addEventListener("online", lookAgain, { once: true });
setTimeout(lookAgain, AGAIN);
asOf();
setInterval(() => !notice.hidden && notice.textContent !== words.notSent && asOf("off"), MINUTE);
