// @ts-check
/** "Forget on this phone": what scripts keep goes too, once somebody has said so who knows what was not sent. */
import { forgetAll, everyAct } from "./queue.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-forgets]"));
const warning = /** @type {HTMLElement} */ (form.querySelector("[data-unsent]"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));

const unsent = async () => (await everyAct()).filter(({ state }) => state !== "differs");

async function warn() {
  const acts = await unsent();
  warning.hidden = !acts.length;
  warning.textContent = acts.length ? `${warning.dataset.text} ${acts.map(({ title }) => title).join(", ")}` : "";
  return acts.length;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await warn() && button.dataset.asked === undefined) {
    button.dataset.asked = "";
    button.textContent = button.dataset.sure ?? "";
    return;
  }
  await forgetAll();
  form.submit();
});
warn();
