// @ts-check
/** Arrow keys in a grid of buttons: to the nearest one that can be pressed. */

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** How much nearer one straight ahead is than one aside. */
const ASIDE = 3;

/** @param {Element} element */
function centre(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}

/** How far to go from one to the other that way; nothing where it lies behind. @param {Element} from @param {Element} to @param {number[]} way */
function distance(from, to, [right, down]) {
  const [[x, y], [toX, toY]] = [centre(from), centre(to)];
  const ahead = (toX - x) * right + (toY - y) * down;
  const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
  return ahead > 1 ? ahead + ASIDE * aside : Infinity;
}

/** @param {HTMLElement} grid */
export function readyArrows(grid) {
  grid.addEventListener("keydown", (event) => {
    const way = WAYS[/** @type {keyof typeof WAYS} */ (event.key)];
    const from = /** @type {Element} */ (event.target);
    if (!way) return;
    const buttons = /** @type {HTMLButtonElement[]} */ ([...grid.querySelectorAll("button:enabled")]);
    const near = buttons.map((button) => ({ button, far: distance(from, button, way) })).sort((one, other) => one.far - other.far)[0];
    if (near?.far < Infinity) near.button.focus();
    event.preventDefault();
  });
}
