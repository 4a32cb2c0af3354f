// @ts-check
/** The other phones are told that a deal is being written down here: by a stream of events, for as long as the form is touched. */

/** The server believes it for 45 seconds. */
const AGAIN = 20_000;

/** @param {HTMLFormElement} form */
export function tellOfWriting(form) {
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
