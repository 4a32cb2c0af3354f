// @ts-check
/** What a link carries stands behind the #, where no server sees it: post it once and forget it. */

const carried = location.hash.slice(1);
const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-fragment]"));

if (carried && form) {
  history.replaceState(null, "", location.pathname);
  const box = /** @type {HTMLInputElement} */ (form.elements.namedItem(form.dataset.fragment ?? ""));
  box.value = carried;
  /** @type {HTMLElement} */ (document.querySelector("[data-fragment-waiting]")).hidden = false;
  form.hidden = true;
  form.submit();
}
