// @ts-check
/** Number boxes with a minus and a plus key; holding a key goes on counting. */

const WAIT = 400;
const EVERY = 70;

/** The number after a tap, within its bounds and without those that cannot be. @param {number} number @param {number} step @param {DOMStringMap} bounds */
export function stepped(number, step, { low, high, skip = "" }) {
  const skipped = skip ? skip.split(" ").map(Number) : [];
  let next = number + step;
  while (skipped.includes(next)) next += step;
  return Math.min(Number(high), Math.max(Number(low), next));
}

/** @param {HTMLElement} root */
export function readySteppers(root) {
  const steppers = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-stepper]"));
  steppers.forEach(readyStepper);
}

/** @param {HTMLElement} stepper */
function readyStepper(stepper) {
  const input = /** @type {HTMLInputElement} */ (stepper.querySelector("input"));
  let timer = 0;
  let held = false;

  /** @param {number} step */
  function press(step) {
    const typed = input.value.replace("−", "-");
    const begins = !/^-?\d+$/.test(typed) && stepper.dataset.counted === undefined;
    input.value = String(begins ? Number(stepper.dataset.first) : stepped(Number(typed) || 0, step, stepper.dataset));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  /** @param {number} step @param {number} wait */
  function hold(step, wait) {
    timer = setTimeout(() => {
      held = true;
      press(step);
      hold(step, EVERY);
    }, wait);
  }
  for (const key of /** @type {NodeListOf<HTMLElement>} */ (stepper.querySelectorAll("[data-step]"))) {
    const step = Number(key.dataset.step) * Number(stepper.dataset.by ?? 1);
    key.addEventListener("pointerdown", () => hold(step, WAIT));
    for (const end of ["pointerup", "pointerleave", "pointercancel"]) key.addEventListener(end, () => clearTimeout(timer));
    key.addEventListener("contextmenu", (event) => event.preventDefault());
    key.addEventListener("click", () => {
      if (!held) press(step);
      held = false;
    });
  }
}
