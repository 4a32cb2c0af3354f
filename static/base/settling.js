// @ts-check
/** Where something is settled for good: both versions of a deal, or leaving the circle. */
import { drop, keep, shift, waiting, wipe } from "./queue.js";
import { sendOn } from "./unsent.js";

const HOME = new URL("../../../", import.meta.url).href;
const { circle = "" } = /** @type {HTMLElement} */ (document.getElementById("unsent")).dataset;
const choice = /** @type {HTMLElement | null} */ (document.querySelector("[data-settles]"));

/** What is chosen of a conflict takes the place of what waited. */
function readyChoice() {
  choice?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const act = await inConflict(choice);
    if (!act) return form.submit();
    const body = /** @type {[string, string][]} */ ([...new FormData(form)].filter(([name]) => name !== "csrf_token"));
    const number = Number(new FormData(form).get("number") ?? act.number);
    await shift(act, number - act.number);
    await keep({ ...act, action: form.getAttribute("action") ?? "", body, number, state: "", said: "", kind: form.dataset.kind ?? act.kind });
    await sendOn();
    const left = (await waiting(circle)).find(({ id }) => id === act.id);
    if (!left || left.state !== "conflict") location.assign(choice.dataset.next ?? HOME);
    else location.reload();
  });
  choice?.addEventListener("click", async (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link) return;
    event.preventDefault();
    const act = await inConflict(choice);
    if (act) await drop(act);
    location.assign(link.href);
  });
}

/** @param {HTMLElement} choice */
const inConflict = async ({ dataset }) => (await waiting(circle)).find(({ key, state }) => key === dataset.settles && state === "conflict");

/** What is left by this phone is not kept on it either, once the server has let it go. */
function readyLeaving() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-wipes]"));
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reply = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" }).catch(() => undefined);
    if (reply?.type !== "opaqueredirect") return form.submit();
    await wipe(circle);
    sessionStorage.clear();
    location.assign(HOME);
  });
}

readyChoice();
readyLeaving();
