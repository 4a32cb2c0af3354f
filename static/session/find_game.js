// @ts-check
/** Games are found while a name is typed: those of other names are put away. */

const box = /** @type {HTMLInputElement} */ (document.querySelector("[data-find]"));
const games = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("main > .rows > li, .games.wrap > a")]);
const none = /** @type {HTMLElement} */ (document.querySelector("[data-none]"));
/** Letters without case and accents. @param {string} words */
const plain = (words) => words.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();
/** A game's name, without what is said of it. @param {HTMLElement} game */
const nameOf = (game) => plain((game.querySelector(".grow")?.firstChild ?? game).textContent ?? "");

box.addEventListener("input", () => {
  const typed = plain(box.value.trim());
  for (const game of games) game.hidden = !nameOf(game).includes(typed);
  none.textContent = games.every((game) => game.hidden) ? none.dataset.none ?? "" : "";
});
box.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const first = games.find((game) => !game.hidden);
  if (box.value.trim()) /** @type {HTMLElement | null | undefined} */ (first?.querySelector("a") ?? first)?.click();
});
