// @ts-check
/** The key of a file says which one was chosen. */

document.addEventListener("change", ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target), face = /** @type {HTMLElement | null} */ (input.nextElementSibling);
  if (input.type !== "file" || !face) return;
  face.dataset.words ??= face.textContent ?? "";
  face.textContent = input.files?.[0]?.name ?? face.dataset.words;
});
