// @ts-check
/** The other phones are told that a deal is being written down here, and the form hears what they do: by a stream of events, for as long as it is touched. */

/** The server believes it for 45 seconds. */
const AGAIN = 20_000;

/** @typedef {{kind: string, number?: number, by?: {player: string | null, phone: string | null}}} Change of a session, by whom */

/** Say above the keys that another phone wrote this deal, changed the table or moved the pen, and offer to take that up. @param {HTMLFormElement} form @param {Change} change @param {(number: number) => void} goOn */
function hear(form, { kind, number, by }, goOn) {
  const place = /** @type {HTMLElement} */ (form.querySelector("[data-heard]")), own = Number(new FormData(form).get("number"));
  const written = kind === "deal", words = place.dataset[kind];
  if (form.querySelector("[aria-disabled=true]") || !words || written && number !== own) return;
  const [said, offer] = /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("span, button"));
  place.hidden = false;
  said.textContent = words.replace("@", () => by?.player ?? by?.phone ?? place.dataset.somebody ?? "").replace("#", String(own));
  offer.textContent = (written ? place.dataset.next ?? "" : place.dataset.takeUp ?? "").replace("#", String(own + 1));
  offer.hidden = !["deal", "seats", "rules"].includes(kind);
  offer.onclick = () => goOn(written ? own + 1 : own);
}

/** @param {HTMLFormElement} form @param {(number: number) => void} goOn ask for a deal with the answers that are given here */
export function tellOfWriting(form, goOn) {
  if (document.getElementById("timer")) import("./timer.js").catch(() => {});
  const { events } = form.dataset;
  if (!events) return;
  /** @type {EventSource | undefined} */
  let source;
  let told = -AGAIN;

  function rest() {
    source?.close();
    source = undefined;
  }
  function tell() {
    if (document.hidden || !navigator.onLine || performance.now() - told < AGAIN) return;
    told = performance.now();
    rest();
    source = new EventSource(`${events}?writes=${new FormData(form).get("number")}`);
    source.onerror = rest;
    source.addEventListener("change", ({ data }) => {
      const change = /** @type {Change} */ (JSON.parse(data));
      if (change.kind === "timer") import("./timer.js").then(({ renew }) => renew(), () => {});
      else hear(form, change, goOn);
    });
  }
  form.addEventListener("input", tell);
  addEventListener("pagehide", rest);
  document.addEventListener("visibilitychange", () => {
    told = -AGAIN;
    if (document.hidden) rest();
    else tell();
  });
  tell();
}
