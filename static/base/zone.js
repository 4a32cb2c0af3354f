// @ts-check
/** The time zone of this phone: sent with the form that begins a circle, offered to a circle that has none. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const sent = /** @type {HTMLInputElement | null} */ (document.querySelector("[type=hidden][name=zone]"));
if (sent) sent.value = timeZone;

const offer = /** @type {HTMLElement | null} */ (document.querySelector("[data-zone]"));
if (offer) {
  const button = /** @type {HTMLButtonElement} */ (offer.querySelector("button"));
  button.value = timeZone;
  button.append(timeZone.replaceAll("_", " "));
  offer.hidden = false;
}
